import type { Bounds } from "../../../model/bounds.ts";
import { memory, type SharedMemory } from "../../../os/index.ts";
import type { XConnection } from "./connection.ts";
import { XError } from "./transport.ts";
import { encodeRequest, packBounds } from "./wire.ts";

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
    const words = [drawable, ...packBounds(part), allPlanes, zPixmap, this.segment, 0];
    await this.x.request(encodeRequest(opcode, shm.getImage, words));
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
    try {
      await this.x.send(encodeRequest(opcode, shm.attach, [segment, fresh.id, 0]));
    } catch (error) {
      fresh.close();
      if (!(error instanceof XError)) throw error;
      // A server of another user or machine.
      this.canShare = false;
      return undefined;
    }
    await this.detach(opcode);
    this.memory = fresh;
    this.segment = segment;
    return fresh;
  }

  private async detach(opcode: number): Promise<void> {
    if (this.memory === undefined) return;
    this.memory.close();
    this.memory = undefined;
    await this.x.send(encodeRequest(opcode, shm.detach, [this.segment]));
  }

  private async readStrips(drawable: number, part: Bounds): Promise<Uint8Array> {
    const rowBytes = part.width * bytesPerPixel;
    const rows = Math.max(1, Math.floor(stripBytes / rowBytes));
    const pixels = Buffer.allocUnsafe(rowBytes * part.height);
    for (let done = 0; done < part.height; done += rows) {
      const height = Math.min(rows, part.height - done);
      const strip = packBounds({ ...part, y: part.y + done, height });
      const reply = await this.x.request(encodeRequest(getImage, zPixmap, [drawable, ...strip, allPlanes]));
      reply.copy(pixels, done * rowBytes, 32, 32 + height * rowBytes);
    }
    return pixels;
  }
}
