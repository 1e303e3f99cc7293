import { connect, type Socket } from "node:net";
import { COOKIE_PROTOCOL } from "./authority.ts";

// Opcodes, event codes and masks of the X11 core protocol (X11R7 protocol specification, appendix B).
const CHANGE_WINDOW_ATTRIBUTES = 2;
const INTERN_ATOM = 16;
const GET_PROPERTY = 20;
const PROPERTY_NOTIFY = 28;
const EVENT_MASK_BIT = 1 << 11;
const PROPERTY_CHANGE_MASK = 1 << 22;
const READY_PROPERTY = "_NET_SUPPORTING_WM_CHECK";

/** Returns when a window manager has announced itself on the root window. Told by the server, not polled. */
export async function waitForWindowManager(socketPath: string, cookie: Buffer, signal: AbortSignal): Promise<void> {
  const socket = connect(socketPath);
  const read = makeReader(socket);
  const giveUp = () => socket.destroy(toError(signal.reason));
  if (signal.aborted) giveUp();
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    // What is written before the connection stands is sent once it does.
    const root = await openConnection(socket, read, cookie);
    socket.write(encodeWords([CHANGE_WINDOW_ATTRIBUTES | (4 << 16), root, EVENT_MASK_BIT, PROPERTY_CHANGE_MASK]));
    socket.write(encodeInternAtom(READY_PROPERTY));
    const atom = (await readReply(read)).readUInt32LE(8);
    while (!(await hasProperty(socket, read, root, atom))) await waitForChange(read, atom);
  } finally {
    signal.removeEventListener("abort", giveUp);
    socket.destroy();
  }
}

type Read = (byteCount: number) => Promise<Buffer>;

async function openConnection(socket: Socket, read: Read, cookie: Buffer): Promise<number> {
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
  return body.readUInt32LE(32 + vendorBytes + formatBytes);
}

async function hasProperty(socket: Socket, read: Read, root: number, atom: number): Promise<boolean> {
  const anyType = 0;
  socket.write(encodeWords([GET_PROPERTY | (6 << 16), root, atom, anyType, 0, 1]));
  return (await readReply(read)).readUInt32LE(16) > 0;
}

async function waitForChange(read: Read, atom: number): Promise<void> {
  for (;;) {
    const event = await read(32);
    if ((event.readUInt8(0) & 0x7f) === PROPERTY_NOTIFY && event.readUInt32LE(8) === atom) return;
  }
}

/** Reads the next reply; events before it are of no interest, since the property is asked for after them. */
async function readReply(read: Read): Promise<Buffer> {
  for (;;) {
    const packet = await read(32);
    if (packet[0] === 0) throw new Error(`X error ${packet[1]}`);
    if (packet[0] === 1) return Buffer.concat([packet, await read(packet.readUInt32LE(4) * 4)]);
  }
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

function makeReader(socket: Socket): Read {
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

function encodeInternAtom(name: string): Buffer {
  const text = padToWord(Buffer.from(name));
  return Buffer.concat([encodeWords([INTERN_ATOM | ((2 + text.length / 4) << 16), name.length]), text]);
}

function encodeWords(words: number[]): Buffer {
  const buffer = Buffer.alloc(words.length * 4);
  words.forEach((word, index) => {
    buffer.writeUInt32LE(word >>> 0, index * 4);
  });
  return buffer;
}

function padToWord(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}
