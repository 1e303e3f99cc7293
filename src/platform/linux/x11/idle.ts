import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const sampleMs = 5;
/** How many consecutive samples must show the process waiting without having run. */
const quietSamples = 4;
const longestRestlessMs = 2000;

/**
 * Whether a process became idle in time: all its threads wait, and none ran since the last samples. One that is never
 * idle (an animation) counts as idle after a while; a stopped one does not.
 * `askServer` is a round trip to the display: a process also waits while the server owes it an answer (xterm asks for the
 * changed keyboard map), which on a busy machine takes longer than all samples together.
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
    // A process that has ended has nothing to handle.
    if (now === undefined) return true;
    const isStopped = /^[Tt]/m.test(now);
    if (!isStopped && performance.now() > restlessAt) return true;
    if (performance.now() > deadline) return false;
    quiet = now === before && /^(?:S.*\n?)+$/.test(now) ? quiet + 1 : 0;
    before = now;
  }
  return true;
}

/** One line per thread: its state and context switch counts. */
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
    // A thread that just ended.
    return "S";
  }
}
