import { readFileSync } from "node:fs";
import type { XConnection } from "./connection.ts";

const queryClientIds = 4;
const processIdMask = 2;
const sampleMs = 5;
/** So many looks in a row that found the process waiting, and nothing done in between. */
const quietSamples = 4;

/** The process that made a window, as the X server knows it; undefined where it does not, or the client is elsewhere. */
export async function findProcessOf(x: XConnection, window: number): Promise<number | undefined> {
  const extension = await x.findExtension("X-Resource");
  if (extension === undefined) return undefined;
  const bytes = Buffer.alloc(16);
  bytes[0] = extension.opcode;
  bytes[1] = queryClientIds;
  bytes.writeUInt32LE(1, 4);
  bytes.writeUInt32LE(window, 8);
  bytes.writeUInt32LE(processIdMask, 12);
  const reply = await x.request(bytes);
  const hasPid = reply.length >= 48 && reply.readUInt32LE(8) > 0 && reply.readUInt32LE(40) >= 4;
  return hasPid ? reply.readUInt32LE(44) : undefined;
}

/** Whether a process came to rest in time: it waits for something, and has not run since the last looks. */
export async function waitUntilIdle(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  let before = "";
  let quiet = 0;
  while (quiet < quietSamples) {
    if (performance.now() > deadline) return false;
    await Bun.sleep(sampleMs);
    const now = readActivity(pid);
    // A process that has ended has nothing to handle any more.
    if (now === undefined) return true;
    quiet = now === before && now.startsWith("S") ? quiet + 1 : 0;
    before = now;
  }
  return true;
}

/** Its state, and how often it was put to sleep and interrupted. */
function readActivity(pid: number): string | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const state = /^State:\s+(\w)/m.exec(status)?.[1] ?? "";
    return [state, ...(status.match(/^(?:non)?voluntary_ctxt_switches:\s+\d+/gm) ?? [])].join(" ");
  } catch {
    return undefined;
  }
}
