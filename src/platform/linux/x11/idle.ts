import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const sampleMs = 5;
/** So many looks in a row that found the process waiting, and nothing done in between. */
const quietSamples = 4;
const longestRestlessMs = 2000;

/**
 * Whether a process came to rest in time: all its threads wait, and none has run since the last looks. One that is never at
 * rest (an animation) counts as having handled what it was sent when the time is over; one that is stopped does not.
 * `askServer` is a round trip to the display: a process also waits while the server owes it an answer (xterm asks for the
 * changed keyboard map), which on a busy machine takes longer than all looks together.
 */
export async function waitUntilIdle(
  pid: number,
  timeoutMs: number,
  askServer: () => Promise<unknown>,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  const restlessAt = performance.now() + Math.min(longestRestlessMs, timeoutMs);
  let before = "";
  let quiet = 0;
  while (quiet < quietSamples) {
    await pause(sampleMs);
    await askServer();
    const now = readActivity(pid);
    // A process that has ended has nothing to handle any more.
    if (now === undefined) return true;
    const isStopped = /^[Tt]/m.test(now);
    if (!isStopped && performance.now() > restlessAt) return true;
    if (performance.now() > deadline) return false;
    quiet = now === before && /^(?:S.*\n?)+$/.test(now) ? quiet + 1 : 0;
    before = now;
  }
  return true;
}

/** The state of each of its threads, and how often it was put to sleep and interrupted, in a line each. */
function readActivity(pid: number): string | undefined {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((thread) => readThread(`/proc/${pid}/task/${thread}/status`))
      .join("\n");
  } catch {
    return undefined;
  }
}

function readThread(path: string): string {
  try {
    const status = readFileSync(path, "utf8");
    const state = /^State:\s+(\w)/m.exec(status)?.[1] ?? "";
    return [state, ...(status.match(/^(?:non)?voluntary_ctxt_switches:\s+\d+/gm) ?? [])].join(" ");
  } catch {
    // A thread that has just ended.
    return "S";
  }
}
