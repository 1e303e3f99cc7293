import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { encodeWords, makeReader, openConnection, padToWord, type Read, readReply } from "./x-client.ts";

// Opcodes, event codes and masks of the X11 core protocol (X11R7 protocol specification, appendix B).
const CREATE_WINDOW = 1;
const CHANGE_WINDOW_ATTRIBUTES = 2;
const INTERN_ATOM = 16;
const GET_PROPERTY = 20;
const SEND_EVENT = 25;
const PROPERTY_NOTIFY = 28;
const CLIENT_MESSAGE = 33;
const INPUT_ONLY = 2;
const EVENT_MASK_BIT = 1 << 11;
const PROPERTY_CHANGE_MASK = 1 << 22;
const SUBSTRUCTURE_MASK = (1 << 19) | (1 << 20);
const ANNOUNCEMENT = "_NET_SUPPORTING_WM_CHECK";
const SUPPORTED = "_NET_SUPPORTED";
const QUESTION = "_NET_REQUEST_FRAME_EXTENTS";
const ANSWER = "_NET_FRAME_EXTENTS";
const ASK_AGAIN_MS = 10;
const WINDOWS = "_NET_CLIENT_LIST";
const TYPE = "_NET_WM_WINDOW_TYPE";
const MOST_WINDOWS = 256;
const CHECK_AGAIN_MS = 100;

/** What a desktop always shows (EWMH window types): panels, and the surface behind all windows. */
const WINDOW_KINDS = { dock: "_NET_WM_WINDOW_TYPE_DOCK", desktop: "_NET_WM_WINDOW_TYPE_DESKTOP" };
export type WindowKind = keyof typeof WINDOW_KINDS;

/**
 * Resolves when a window manager has announced itself on the root window and answers. Openbox 3.6 announces itself tens
 * of milliseconds before it listens and loses requests in between: a window mapped then is never shown. KWin 5.27 has no
 * answer, and does not claim to. Then waits for a window of each kind.
 */
export async function waitForWindowManager(
  socketPath: string,
  cookie: Buffer,
  signal: AbortSignal,
  shows: readonly WindowKind[] = [],
): Promise<void> {
  const socket = connect(socketPath);
  const read = makeReader(socket);
  const giveUp = () => socket.destroy(toError(signal.reason));
  if (signal.aborted) giveUp();
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    // Data written before the connection is established is sent afterwards.
    const { root, ownIds } = await openConnection(socket, read, cookie);
    socket.write(encodeWords([CHANGE_WINDOW_ATTRIBUTES | (4 << 16), root, EVENT_MASK_BIT, PROPERTY_CHANGE_MASK]));
    const [announcement, supported, question, answer] = [
      await internAtom(socket, read, ANNOUNCEMENT),
      await internAtom(socket, read, SUPPORTED),
      await internAtom(socket, read, QUESTION),
      await internAtom(socket, read, ANSWER),
    ];
    const readRoot = (atom: number) => readProperty(socket, read, root, atom);
    while ((await readRoot(announcement)).length === 0) await waitForChange(read, announcement);
    socket.write(encodeProbe(ownIds, root));
    while ((await readRoot(supported)).length === 0) await waitForChange(read, supported);
    const ask = () => socket.write(encodeQuestion(root, ownIds, question));
    if ((await readRoot(supported)).includes(question)) await askUntil(ask, read, answer);
    await waitForWindows(socket, read, root, shows);
  } finally {
    signal.removeEventListener("abort", giveUp);
    socket.destroy();
  }
}

async function askUntil(ask: () => void, read: Read, answer: number): Promise<void> {
  ask();
  const asking = setInterval(ask, ASK_AGAIN_MS);
  try {
    await waitForChange(read, answer);
  } finally {
    clearInterval(asking);
  }
}

async function waitForWindows(socket: Socket, read: Read, root: number, kinds: readonly WindowKind[]): Promise<void> {
  const [windows, type] = [await internAtom(socket, read, WINDOWS), await internAtom(socket, read, TYPE)];
  const missing = new Set<number>();
  for (const kind of kinds) missing.add(await internAtom(socket, read, WINDOW_KINDS[kind]));
  while (missing.size > 0) {
    for (const window of await readProperty(socket, read, root, windows)) {
      // A window may be gone by now.
      const types = await readProperty(socket, read, window, type).catch(() => []);
      for (const found of types) missing.delete(found);
    }
    if (missing.size > 0) await pause(CHECK_AGAIN_MS);
  }
}

/** The value of a property of 32-bit items. */
async function readProperty(socket: Socket, read: Read, window: number, atom: number): Promise<number[]> {
  const anyType = 0;
  socket.write(encodeWords([GET_PROPERTY | (6 << 16), window, atom, anyType, 0, MOST_WINDOWS]));
  const reply = await readReply(read);
  return Array.from({ length: reply.readUInt32LE(16) }, (_, index) => reply.readUInt32LE(32 + index * 4));
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

async function internAtom(socket: Socket, read: Read, name: string): Promise<number> {
  const text = padToWord(Buffer.from(name));
  socket.write(Buffer.concat([encodeWords([INTERN_ATOM | ((2 + text.length / 4) << 16), name.length]), text]));
  return (await readReply(read)).readUInt32LE(8);
}

/** A window of one pixel that is never mapped and disappears with the connection. */
function encodeProbe(id: number, root: number): Buffer {
  const [place, size, visual] = [0, 1 | (1 << 16), 0];
  return encodeWords([
    CREATE_WINDOW | (9 << 16),
    id,
    root,
    place,
    size,
    INPUT_ONLY << 16,
    visual,
    EVENT_MASK_BIT,
    PROPERTY_CHANGE_MASK,
  ]);
}

/** Requests its frame extents: managers answer on the window itself, even unmapped (EWMH). */
function encodeQuestion(root: number, id: number, question: number): Buffer {
  const message = [CLIENT_MESSAGE | (32 << 8), id, question, 0, 0, 0, 0, 0];
  return encodeWords([SEND_EVENT | (11 << 16), root, SUBSTRUCTURE_MASK, ...message]);
}
