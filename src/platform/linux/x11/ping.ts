import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Env } from "../../../model/env.ts";
import { EventQueue, sendClientMessage } from "./client-requests.ts";
import { numbersOf, XConnection } from "./connection.ts";
import { ignoreLoss } from "./transport.ts";
import { codeOf, eventCode, eventMask, selectInput } from "./wire.ts";

/** Qt answers to one, all others to the other. */
const answersMask = eventMask.structure | eventMask.substructure;
/** An idle xterm handles a line in less than 5 ms. */
const settleMs = 100;

/** How often to ask whether there is anything left to wait for. */
const overMs = 50;

/** Whether there is nothing left to wait for; a round trip to the display. */
export type IsOver = () => Promise<boolean>;

const sampleMs = 5;
/** How many consecutive samples must show the process waiting without having run. */
const quietSamples = 4;
const longestRestlessMs = 2000;

/**
 * Asks an application whether it has processed everything sent to it: it answers EWMH's `_NET_WM_PING` in event order.
 * Uses a separate connection, since the answers go to the root window.
 */
export class Pinger {
  private serial = Math.floor(Math.random() * 0x3fff_ffff);

  private constructor(
    private readonly x: XConnection,
    private readonly atoms: { readonly WM_PROTOCOLS: number; readonly _NET_WM_PING: number },
  ) {}

  static async open(env: Env, timeoutMs: number): Promise<Pinger> {
    const x = await XConnection.connect(env, timeoutMs);
    await x.send(selectInput(x.root, answersMask));
    return new Pinger(x, await x.internAtoms(["WM_PROTOCOLS", "_NET_WM_PING"]));
  }

  close(): void {
    this.x.close();
  }

  /**
   * Whether the focused application has processed everything before the time is over or `isOver`. One that does not answer
   * pings (xterm) has when its process is idle; a remote one is given a while.
   */
  async waitForFocused(timeoutMs: number, isOver: IsOver): Promise<boolean> {
    const focus = await this.x.getInputFocus();
    const window = await this.findAround(focus);
    if (window !== undefined) return this.ping(window, timeoutMs, isOver);
    // The root window and the like belong to no application.
    const pid = focus > 1 && focus !== this.x.root ? await this.x.findClientPid(focus) : undefined;
    if (pid !== undefined) return waitUntilIdle(pid, timeoutMs, isOver);
    await pause(settleMs);
    return true;
  }

  async isAnswered(): Promise<boolean> {
    return (await this.findAround(await this.x.getInputFocus())) !== undefined;
  }

  async findAround(window: number): Promise<number | undefined> {
    for await (const one of this.x.listAround(window)) {
      const protocols = numbersOf(await this.x.getProperty(one, this.atoms.WM_PROTOCOLS));
      if (protocols.includes(this.atoms._NET_WM_PING)) return one;
    }
    return undefined;
  }

  async ping(window: number, timeoutMs: number, isOver: IsOver = async () => false): Promise<boolean> {
    this.serial += 1;
    const { serial } = this;
    const { WM_PROTOCOLS: type, _NET_WM_PING: ping } = this.atoms;
    const isAnswer = (event: Buffer): boolean =>
      codeOf(event) === eventCode.clientMessage && event.readUInt32LE(12) === ping && event.readUInt32LE(16) === serial;
    const answers = new EventQueue(this.x, isAnswer);
    try {
      const deadline = performance.now() + timeoutMs;
      const data = [ping, serial, window];
      // The window may just have closed.
      await sendClientMessage(this.x, { to: window, mask: eventMask.none, window, type, data }).catch(ignoreLoss);
      for (;;) {
        if ((await answers.next(Math.min(deadline, performance.now() + overMs))) !== undefined) return true;
        if (performance.now() >= deadline || (await isOver())) return false;
      }
    } finally {
      answers.close();
    }
  }
}

/**
 * Whether a process became idle in time: all its threads wait, and none ran since the last samples. One that is never
 * idle (an animation) counts as idle after a while; a stopped one does not.
 * `isOver` is also needed for its round trip: a process waits while the server owes it an answer (xterm asks for the changed
 * keyboard map), which on a busy machine takes longer than all samples together.
 */
async function waitUntilIdle(pid: number, timeoutMs: number, isOver: IsOver): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  const restlessAt = performance.now() + Math.min(longestRestlessMs, timeoutMs);
  let before = "";
  let quiet = 0;
  while (quiet < quietSamples) {
    await pause(sampleMs);
    if (await isOver()) return false;
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
