declare module "parquetjs-lite" {
  export class ParquetReader {
    static openBuffer(file: Buffer): Promise<ParquetReader>;
    getCursor(): { next(): Promise<Record<string, unknown> | null> };
    close(): Promise<void>;
  }
}
