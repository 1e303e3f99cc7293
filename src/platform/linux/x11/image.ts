import type { Bounds } from "../../../model/bounds.ts";
import { memory, type SharedMemory } from "../../../os/index.ts";
import { type XConnection, XError } from "./connection.ts";

const getImage = 73;
const zPixmap = 2;
const allPlanes = 0xffffffff;
const shm = { attach: 1, detach: 2, getImage: 4 };
const bytesPerPixel = 4;
/** Without shared memory a picture is transferred in strips, to limit the server's memory. */
const stripBytes = 1 << 20;
const sealBytes = 16;

/** Reads pixels from the server: through shared memory, or through the connection if that is refused. */
export class ImageReader {
  private memory: SharedMemory | undefined;
  private segment = 0;
  private canShare = true;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly x: XConnection) {}

  /** The pixels of part of a window or pixmap, 4 bytes each (blue, green, red, unused). */
  read(drawable: number, part: Bounds): Promise<Uint8Array> {
    const read = async (): Promise<Uint8Array> => {
      return (await this.readShared(drawable, part)) ?? (await this.readStrips(drawable, part));
    };
    // Sequential: all use the same segment.
    const next = this.last.then(read, read);
    this.last = next.catch(() => undefined);
    return next;
  }

  close(): void {
    this.memory?.close();
    this.memory = undefined;
    this.canShare = false;
  }

  private async readShared(drawable: number, part: Bounds): Promise<Uint8Array | undefined> {
    const size = part.width * part.height * bytesPerPixel;
    const opcode = (await this.x.findExtension("MIT-SHM"))?.opcode;
    const memory = opcode === undefined ? undefined : await this.shareAtLeast(size, opcode);
    if (opcode === undefined || memory === undefined) return undefined;
    // A server in another container may have another segment with the same id: it must overwrite our random seal.
    const seal = crypto.getRandomValues(new Uint8Array(sealBytes)).subarray(0, size);
    memory.bytes.set(seal);
    const bytes = encodePart(32, drawable, part);
    bytes[0] = opcode;
    bytes[1] = shm.getImage;
    bytes.writeUInt32LE(allPlanes, 16);
    bytes[20] = zPixmap;
    bytes.writeUInt32LE(this.segment, 24);
    await this.x.request(bytes);
    if (seal.every((byte, index) => memory.bytes[index] === byte)) {
      this.canShare = false;
      return undefined;
    }
    // A copy: the segment is reused and freed with this reader.
    return Buffer.from(memory.bytes.subarray(0, size));
  }

  private async shareAtLeast(size: number, opcode: number): Promise<SharedMemory | undefined> {
    if (!this.canShare) return undefined;
    if (this.memory !== undefined && this.memory.bytes.length >= size) return this.memory;
    const fresh = memory.share(size);
    if (fresh === undefined) return undefined;
    const segment = this.x.allotId();
    const attach = Buffer.alloc(16);
    attach[0] = opcode;
    attach[1] = shm.attach;
    attach.writeUInt32LE(segment, 4);
    attach.writeUInt32LE(fresh.id, 8);
    try {
      await this.x.order(attach);
    } catch (error) {
      fresh.close();
      if (!(error instanceof XError)) throw error;
      // A server of another user or machine.
      this.canShare = false;
      return undefined;
    }
    await this.letGo(opcode);
    this.memory = fresh;
    this.segment = segment;
    return fresh;
  }

  private async letGo(opcode: number): Promise<void> {
    if (this.memory === undefined) return;
    const detach = Buffer.alloc(8);
    detach[0] = opcode;
    detach[1] = shm.detach;
    detach.writeUInt32LE(this.segment, 4);
    this.memory.close();
    this.memory = undefined;
    await this.x.order(detach);
  }

  private async readStrips(drawable: number, part: Bounds): Promise<Uint8Array> {
    const rowBytes = part.width * bytesPerPixel;
    const rows = Math.max(1, Math.floor(stripBytes / rowBytes));
    const pixels = Buffer.allocUnsafe(rowBytes * part.height);
    for (let done = 0; done < part.height; done += rows) {
      const height = Math.min(rows, part.height - done);
      const bytes = encodePart(20, drawable, { ...part, y: part.y + done, height });
      bytes[0] = getImage;
      bytes[1] = zPixmap;
      bytes.writeUInt32LE(allPlanes, 16);
      const reply = await this.x.request(bytes);
      reply.copy(pixels, done * rowBytes, 32, 32 + height * rowBytes);
    }
    return pixels;
  }
}

function encodePart(length: number, drawable: number, part: Bounds): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.writeUInt32LE(drawable, 4);
  bytes.writeInt16LE(part.x, 8);
  bytes.writeInt16LE(part.y, 10);
  bytes.writeUInt16LE(part.width, 12);
  bytes.writeUInt16LE(part.height, 14);
  return bytes;
}
