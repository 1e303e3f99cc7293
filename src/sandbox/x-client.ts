import type { Socket } from "node:net";
import { COOKIE_PROTOCOL } from "./authority.ts";

// A minimal X11 client for opening and closing a sandbox: connect, request, read replies (X11R7 protocol
// specification).

export type Read = (byteCount: number) => Promise<Buffer>;

export interface Screen {
  readonly root: number;
  /** The first resource id this client may use. */
  readonly ownIds: number;
}

export async function openConnection(socket: Socket, read: Read, cookie: Buffer): Promise<Screen> {
  const hello = Buffer.alloc(12);
  hello.write("l"); // little-endian
  hello.writeUInt16LE(11, 2);
  hello.writeUInt16LE(COOKIE_PROTOCOL.length, 6);
  hello.writeUInt16LE(cookie.length, 8);
  socket.write(Buffer.concat([hello, padToWord(Buffer.from(COOKIE_PROTOCOL)), padToWord(cookie)]));
  const head = await read(8);
  const body = await read(head.readUInt16LE(6) * 4);
  if (head[0] !== 1) throw new Error(`the X server refused: ${body.toString("latin1", 0, head[1])}`);
  const vendorBytes = Math.ceil(body.readUInt16LE(16) / 4) * 4;
  const formatBytes = body.readUInt8(21) * 8;
  return { root: body.readUInt32LE(32 + vendorBytes + formatBytes), ownIds: body.readUInt32LE(4) };
}

/** Reads the next reply. Events before it are skipped, since the property is requested after them. */
export async function readReply(read: Read): Promise<Buffer> {
  for (;;) {
    const packet = await read(32);
    if (packet[0] === 0) throw new Error(`X error ${packet[1]}`);
    if (packet[0] === 1) return Buffer.concat([packet, await read(packet.readUInt32LE(4) * 4)]);
  }
}

export function makeReader(socket: Socket): Read {
  let pending: Buffer = Buffer.alloc(0);
  let failure: Error | null = null;
  let wake = () => {};
  socket.on("data", (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    wake();
  });
  socket.on("error", (error) => {
    failure = error;
    wake();
  });
  socket.on("close", () => {
    failure ??= new Error("the X server closed the connection");
    wake();
  });
  return async (byteCount) => {
    while (pending.length < byteCount) {
      if (failure !== null) throw failure;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    const taken = pending.subarray(0, byteCount);
    pending = pending.subarray(byteCount);
    return taken;
  };
}

export function encodeWords(words: number[]): Buffer {
  const buffer = Buffer.alloc(words.length * 4);
  words.forEach((word, index) => {
    buffer.writeUInt32LE(word >>> 0, index * 4);
  });
  return buffer;
}

export function padToWord(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}
