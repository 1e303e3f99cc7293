import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { DaemonConnection } from "../../src/client/connection.ts";
import { readProcessorMs } from "./processor-time.ts";
import type { Testbed } from "./testbed.ts";

const listener = fileURLToPath(new URL("../contestants/print-events.py", import.meta.url));

/** Times warm reads over an open connection, from the request to the whole answer as text. */
export async function readWarm(host: DaemonConnection, testbed: Testbed, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let done = 0; done < count + warmUps; done += 1) {
    const started = performance.now();
    const input = { windowId: testbed.subject.id };
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

/** A window whose field has the keyboard focus. */
export interface Written {
  readonly env: Record<string, string>;
  readonly windowId: number;
  readonly pid: number;
}

/** Times from an event on the bus, as pyatspi receives it, to the line of a watch. */
export async function measureLines(host: DaemonConnection, written: Written, count: number): Promise<number[]> {
  const { env, windowId, pid } = written;
  const python = spawn("/usr/bin/python3", [listener, String(pid)], { env, stdio: ["ignore", "pipe", "inherit"] });
  const events = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
  const ending = new AbortController();
  try {
    await events.next();
    const batches = host.watch({ input: { windowId, fromNow: true } }, ending.signal)[Symbol.asyncIterator]();
    await batches.next();
    const times: number[] = [];
    for (let done = 0; done < count; done += 1) {
      const typed = events.next();
      press(env, "key", "a");
      const line = await takeChange(batches);
      times.push(line - Number((await typed).value) * 1000);
      // The pause keeps changes apart: no batch has two of them.
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

/** Does the work while every core has a busy process. */
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
/** Deskmap reads typed text again a while later. */
const afterMs = 3000;

/** The processor time of the application for a hundred keys. */
export async function measureTyping({ env, subject }: Testbed): Promise<number> {
  const before = readProcessorMs(subject.pid);
  press(env, "type", "--delay", "20", "a".repeat(keys));
  await Bun.sleep(afterMs);
  return readProcessorMs(subject.pid) - before;
}

/** The share of a core that a process uses while nothing happens. */
export async function measureIdle(pid: number, forMs: number): Promise<number> {
  const before = readProcessorMs(pid);
  await Bun.sleep(forMs);
  return (readProcessorMs(pid) - before) / forMs;
}
