import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { type ProcessKey, processes } from "../os/index.ts";
import type { SandboxRecord } from "./record.ts";
import { locateXSocket } from "./traces.ts";
import { encodeWords, makeReader, openConnection, padToWord, readReply } from "./x-client.ts";

const QUERY_EXTENSION = 98;
const EXTENSION = "X-Resource";
// X-Resource 1.2: the process ids of all local clients.
const QUERY_CLIENT_IDS = 4;
const ALL_CLIENTS = 0;
const LOCAL_CLIENT_PID = 2;
const ANSWER_LIMIT_MS = 500;
const COOKIE_BYTES = 16;

/**
 * Clients of the display, and their descendants, whose environment does not identify the sandbox: Chromium overwrites
 * its own. A client from outside keeps its environment and is not included.
 */
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
    await openConnection(socket, read, readFileSync(join(record.root, "xauthority")).subarray(-COOKIE_BYTES));
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
