import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Window } from "../../src/model/window.ts";
import type { Limits } from "./apps.ts";
import { peersFolder } from "./peers.ts";
import type { Testbed } from "./testbed.ts";

/**
 * A contestant is a process that has loaded its code and opened its connections before the first order. Each line on
 * its standard input is an order to read one window; it answers with one line, timed inside itself.
 */
export interface Order {
  readonly pid: number;
  readonly windowId: number;
  readonly toolkit: string;
  /** Also the text that the contestant would give to an agent. */
  readonly wantsText: boolean;
}

export interface Report {
  readonly ms: number;
  /** The number of visited nodes. */
  readonly nodes: number;
  /** The number of nodes with bounds. */
  readonly shown: number;
  readonly notes: readonly string[];
  /** It was stopped: `ms` is its deadline, not the time that it needs. */
  readonly isUnfinished?: boolean;
  /** Only if the text was requested. */
  readonly text?: string;
  readonly elements?: readonly PeerElement[];
}

/** One line of a peer's text. */
export interface PeerElement {
  readonly index: number;
  readonly label: string;
  readonly frame?: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
}

export interface Contestant {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

const inContestants = (file: string): string => fileURLToPath(new URL(`../contestants/${file}`, import.meta.url));
const deskmapScript = fileURLToPath(new URL("../contestants/deskmap.ts", import.meta.url));

export const contestants = {
  deskmap: { name: "deskmap", command: [process.execPath, deskmapScript, "with-marks"] },
  platform: { name: "deskmap, without marks", command: [process.execPath, deskmapScript, "platform-only"] },
  cua: { name: "cua-driver", command: ["node", inContestants("cua-driver.mjs"), peersFolder] },
  walkFull: { name: "pyatspi, whole window", command: ["/usr/bin/python3", inContestants("walk.py"), "full"] },
  walkShown: { name: "pyatspi, what shows", command: ["/usr/bin/python3", inContestants("walk.py"), "shown"] },
} satisfies Record<string, Contestant>;

/** Each contestant first reads another application this many times, so that its code is loaded and compiled. */
const runInReads = 3;

/** Lets a contestant warm up, waits until the subject is quiet, and has it read the subject: the last read counts. */
export async function compete(
  contestant: Contestant,
  testbed: Testbed,
  toolkit: string,
  wantsText = false,
  limits?: Limits,
  reads = 1,
): Promise<Report> {
  const [program, ...args] = contestant.command;
  const child = spawn(program, args, { env: testbed.env, stdio: ["pipe", "pipe", "pipe"] });
  const ask = readAnswers(child, contestant.name);
  try {
    for (let count = 0; count < runInReads; count += 1) await ask(orderOf(testbed.runIn, "GTK 3", false));
    await testbed.waitUntilQuiet();
    const order = orderOf(testbed.subject, toolkit, wantsText);
    const answer = readAgain(ask, order, reads);
    return await (limits === undefined ? answer : withLimits(answer, testbed.subject.pid, limits));
  } finally {
    child.stdin?.end();
    // A contestant in the middle of a walk reacts to no other signal.
    child.kill("SIGKILL");
  }
}

async function readAgain(ask: (order: Order) => Promise<Report>, order: Order, reads: number): Promise<Report> {
  for (let count = 1; count < reads; count += 1) await ask(order);
  return ask(order);
}

const watchMs = 100;

/** Kills the application before a peer makes it exhaust the memory; a peer that is not done by then counts with its deadline. */
async function withLimits(answer: Promise<Report>, pid: number, limits: Limits): Promise<Report> {
  let stop: (why: string) => void = () => undefined;
  const stopped = new Promise<string>((resolve) => {
    stop = resolve;
  });
  const watch = setInterval(() => {
    if (readMemoryMb(pid) < limits.memoryMb) return;
    process.kill(pid, "SIGKILL");
    stop(`the application took ${limits.memoryMb} MB and was ended`);
  }, watchMs);
  const timer = setTimeout(() => stop(`not done within ${limits.deadlineMs / 1000} s`), limits.deadlineMs);
  try {
    const outcome = await Promise.race([answer, stopped]);
    if (typeof outcome !== "string") return outcome;
    answer.catch(() => undefined);
    return { ms: limits.deadlineMs, nodes: 0, shown: 0, notes: [outcome], isUnfinished: true };
  } finally {
    clearInterval(watch);
    clearTimeout(timer);
  }
}

function readMemoryMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function orderOf(window: Window, toolkit: string, wantsText: boolean): Order {
  return { pid: window.pid, windowId: window.id, toolkit, wantsText };
}

function readAnswers(child: ChildProcess, name: string): (order: Order) => Promise<Report> {
  let waiting: { resolve(report: Report): void; reject(error: Error): void } | undefined;
  let rest = "";
  let complaint = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("{")) waiting?.resolve(JSON.parse(line));
  });
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    complaint += chunk;
  });
  child.once("error", (error) => waiting?.reject(error));
  child.once("close", (code) => waiting?.reject(new Error(`${name} ended with ${code}: ${complaint.slice(-2000)}`)));
  return (order) =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject };
      child.stdin?.write(`${JSON.stringify(order)}\n`);
    });
}
