import { connect, type Socket } from "node:net";
import { encodeWords, makeReader, openConnection, padToWord, type Read, readReply } from "./x-client.ts";

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

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

function encodeInternAtom(name: string): Buffer {
  const text = padToWord(Buffer.from(name));
  return Buffer.concat([encodeWords([INTERN_ATOM | ((2 + text.length / 4) << 16), name.length]), text]);
}
