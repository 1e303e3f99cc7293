import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const sampleMs = 150;
/** The kernel counts processor time in steps of 10 ms. One step is a blinking caret or a timer. */
const mostSteps = 1;
const quietSamples = 4;
const longestWaitMs = 20_000;

/** Waits until a process and all its children hardly use the processor, without querying the application. */
export async function waitUntilQuiet(pid: number): Promise<void> {
  const deadline = performance.now() + longestWaitMs;
  let before = readSteps(pid);
  let quiet = 0;
  while (quiet < quietSamples && performance.now() < deadline) {
    await pause(sampleMs);
    const now = readSteps(pid);
    quiet = now - before <= mostSteps ? quiet + 1 : 0;
    before = now;
  }
}

function readSteps(root: number): number {
  const processes = listProcesses();
  const wanted = new Set([root]);
  // A parent may come after its child in the list, so this repeats until nothing is added.
  for (let size = 0; size !== wanted.size; ) {
    size = wanted.size;
    for (const { pid, parent } of processes) if (wanted.has(parent)) wanted.add(pid);
  }
  return processes.filter(({ pid }) => wanted.has(pid)).reduce((sum, { steps }) => sum + steps, 0);
}

function listProcesses(): { pid: number; parent: number; steps: number }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        // The program's name is in parentheses and may contain anything; the numbers come after it.
        const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        return [{ pid: Number(name), parent: Number(fields[1]), steps: Number(fields[11]) + Number(fields[12]) }];
      } catch {
        return [];
      }
    });
}
