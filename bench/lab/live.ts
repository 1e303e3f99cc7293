import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { DaemonConnection } from "../../src/client/connection.ts";
import { readProcessorMs } from "./processor-time.ts";
import type { Stage } from "./stage.ts";

const listener = fileURLToPath(new URL("../contestants/hear-events.py", import.meta.url));

/** How long each of some warm reads took over an open connection, from the question to the whole answer as text. */
export async function readWarm(host: DaemonConnection, stage: Stage, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let done = 0; done < count + warmUps; done += 1) {
    const started = performance.now();
    const input = { windowId: stage.subject.id };
    const reply = await host.call({ tool: "read", input, formats: ["json"], timeoutMs: 30_000 });
    const ms = performance.now() - started;
    if (reply.failure !== undefined) throw new Error(reply.failure.message);
    if (done >= warmUps) times.push(ms);
  }
  return times;
}

const warmUps = 3;

function press(env: Record<string, string>, ...args: string[]): void {
  if (spawnSync("xdotool", args, { env }).status !== 0) throw new Error("xdotool failed");
}

/** A window whose field has the keyboard. */
export interface Written {
  readonly env: Record<string, string>;
  readonly windowId: number;
  readonly pid: number;
}

/** How long after its event came over the bus, as pyatspi hears it, a change was in a line of a watch. */
export async function measureLines(host: DaemonConnection, written: Written, count: number): Promise<number[]> {
  const { env, windowId, pid } = written;
  const python = spawn("/usr/bin/python3", [listener, String(pid)], { env, stdio: ["ignore", "pipe", "inherit"] });
  const heard = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
  const ending = new AbortController();
  try {
    await heard.next();
    const batches = host.watch({ input: { windowId, fromNow: true } }, ending.signal)[Symbol.asyncIterator]();
    await batches.next();
    const times: number[] = [];
    for (let done = 0; done < count; done += 1) {
      const typed = heard.next();
      press(env, "key", "a");
      const line = await takeChange(batches);
      times.push(line - Number((await typed).value) * 1000);
      // Each is a moment of its own: none is told together with the next.
      await Bun.sleep(betweenMs);
    }
    return times;
  } finally {
    ending.abort();
    end(python);
  }
}

const betweenMs = 300;

const longestMs = 10_000;

async function takeChange(batches: AsyncIterator<unknown>): Promise<number> {
  const late = AbortSignal.timeout(longestMs);
  const lateness = new Promise<never>((_resolve, reject) => {
    late.addEventListener("abort", () => reject(new Error(`no line within ${longestMs} ms of a key`)));
  });
  for (;;) {
    const { value, done } = await Promise.race([batches.next(), lateness]);
    const now = performance.timeOrigin + performance.now();
    if (done === true) throw new Error("the watch ended");
    if (JSON.stringify(value).includes('"value"')) return now;
  }
}

function end(child: ChildProcess): void {
  child.kill("SIGKILL");
}

/** As many processes as there are cores, each with nothing to do but to be busy, while the work is done. */
export async function underLoad<T>(work: () => Promise<T>): Promise<T> {
  const busy = Array.from({ length: availableParallelism() }, () =>
    spawn("sh", ["-c", "while :; do :; done"], { stdio: "ignore" }),
  );
  try {
    return await work();
  } finally {
    for (const one of busy) end(one);
  }
}

const keys = 100;
/** What was typed is verified a while later. */
const afterMs = 3000;

/** What a hundred keys cost the application. */
export async function measureTyping({ env, subject }: Stage): Promise<number> {
  const before = readProcessorMs(subject.pid);
  press(env, "type", "--delay", "20", "a".repeat(keys));
  await Bun.sleep(afterMs);
  return readProcessorMs(subject.pid) - before;
}

/** What a process takes of a core while nothing happens. */
export async function measureIdle(pid: number, forMs: number): Promise<number> {
  const before = readProcessorMs(pid);
  await Bun.sleep(forMs);
  return (readProcessorMs(pid) - before) / forMs;
}
