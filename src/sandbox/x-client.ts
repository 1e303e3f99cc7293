import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { type ProcessKey, processes } from "../os/index.ts";
import { COOKIE_PROTOCOL } from "./authority.ts";
import { locateAuthority } from "./environment.ts";
import type { SandboxRecord } from "./record.ts";
import { locateXSocket } from "./traces.ts";

// A minimal X11 client for opening and closing a sandbox: connect, request, read replies (X11R7 protocol
// specification).

export type Read = (byteCount: number) => Promise<Buffer>;

export async function openConnection(
  socket: Socket,
  read: Read,
  cookie: Buffer,
): Promise<{ readonly root: number; readonly ownIds: number }> {
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

const QUERY_EXTENSION = 98;
const EXTENSION = "X-Resource";
// X-Resource 1.2: the process ids of all local clients.
const QUERY_CLIENT_IDS = 4;
const ALL_CLIENTS = 0;
const LOCAL_CLIENT_PID = 2;
const ANSWER_LIMIT_MS = 500;
const COOKIE_BYTES = 16;

/** Clients, and their descendants, that have lost the environment by which processes are found, as Chromium has. */
export async function findUnmarkedClients(record: SandboxRecord): Promise<ProcessKey[]> {
  if (record.display === "") return [];
  const spared = processes.listLineage(process.pid);
  const pids = (await listClientPids(record)).filter((pid) => !spared.includes(pid) && hasLostEnvironment(pid));
  const table = processes.list();
  const own = table.filter(({ pid }) => pids.includes(pid));
  return [...own, ...own.flatMap(({ pid }) => processes.listDescendants(pid, table))];
}

async function listClientPids(record: SandboxRecord): Promise<number[]> {
  const socket = connect(locateXSocket(record.display));
  const limit = setTimeout(() => socket.destroy(new Error("the X server does not answer")), ANSWER_LIMIT_MS);
  try {
    const read = makeReader(socket);
    // The file ends with the cookie of the last entry.
    await openConnection(socket, read, readFileSync(locateAuthority(record.root)).subarray(-COOKIE_BYTES));
    const name = padToWord(Buffer.from(EXTENSION));
    const words = encodeWords([QUERY_EXTENSION | ((2 + name.length / 4) << 16), EXTENSION.length]);
    socket.write(Buffer.concat([words, name]));
    const found = await readReply(read);
    if (found[8] !== 1) return [];
    const opcode = found.readUInt8(9) | (QUERY_CLIENT_IDS << 8);
    socket.write(encodeWords([opcode | (4 << 16), 1, ALL_CLIENTS, LOCAL_CLIENT_PID]));
    return parsePids(await readReply(read));
  } catch {
    // A server that is gone has no clients.
    return [];
  } finally {
    clearTimeout(limit);
    socket.destroy();
  }
}

function parsePids(reply: Buffer): number[] {
  const pids: number[] = [];
  let at = 32;
  for (let left = reply.readUInt32LE(8); left > 0 && at + 16 <= reply.length; left -= 1) {
    const byteCount = reply.readUInt32LE(at + 8);
    if (byteCount >= 4) pids.push(reply.readUInt32LE(at + 12));
    at += 12 + byteCount;
  }
  return pids;
}

/** A readable environment without any variable was overwritten. */
function hasLostEnvironment(pid: number): boolean {
  return processes.readVariables(pid)?.some((variable) => variable.includes("=")) === false;
}
