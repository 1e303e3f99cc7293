import { setTimeout as pause } from "node:timers/promises";
import type { Point } from "../../../model/bounds.ts";
import type { Button, Direction } from "../../../model/command.ts";
import type { Env } from "../../../model/env.ts";
import { fail, type Result, succeed } from "../../../model/failure.ts";
import type { Recheck } from "../../hands.ts";
import type { XConnection } from "./connection.ts";
import { Held, Interrupted } from "./held.ts";
import { buttonNumbers, encodePress, lastPressProperty } from "./last-press.ts";
import { Pinger } from "./ping.ts";
import { changeProperty, encodeRequest } from "./wire.ts";
import { sendTogether, type XTest } from "./xtest.ts";

const getPointerMapping = 117;
const cardinalType = 6;
const wheelNumbers: Readonly<Record<Direction, number>> = { up: 4, down: 5, left: 6, right: 7 };

/** Initial moves: toolkits start a drag after a few pixels. */
const firstSteps = [1, 2, 4, 8, 16];
const stepsOnTheWay = 8;
/** One frame at 60 Hz: GTK and browsers process only the last move per frame. */
const frameMs = 17;
/**
 * Time at the start, until the drag has begun, and at the end, until the target has accepted. A browser asks the page's
 * process, and GTK 4 draws first; no signal is common to all.
 */
const considerMs = 150;
/** Chromium merges two presses of the same millisecond and does not count them as a double click. */
const betweenClicksMs = 10;
/** How long a busy application is given, as a multiple of its slowest answer. */
const patience = 5;
const longestAnswerMs = 2000;

export class Pointer {
  constructor(
    private readonly x: XConnection,
    private readonly xtest: XTest,
    private readonly env: Env,
    private readonly timeoutMs: number,
    private readonly signal?: AbortSignal,
  ) {}

  async point(point: Point): Promise<void> {
    await sendTogether(this.x, [this.xtest.moveTo(point)]);
  }

  /** In one write: a process that ends in between leaves no button held. */
  async click(point: Point, button: Button, count: number): Promise<void> {
    const [number] = await Promise.all([this.findButton(buttonNumbers[button]), this.notePress(point, button)]);
    await sendTogether(this.x, [this.xtest.moveTo(point), ...this.pressTimes(number, count, betweenClicksMs)]);
  }

  async wheel(point: Point, direction: Direction, amount: number): Promise<void> {
    const number = await this.findButton(wheelNumbers[direction]);
    await sendTogether(this.x, [this.xtest.moveTo(point), ...this.pressTimes(number, amount)]);
  }

  /** What must not be dropped there is taken back to where it came from. */
  async drag(from: Point, to: Point, button: Button, recheck?: Recheck): Promise<Result<undefined>> {
    const number = await this.findButton(buttonNumbers[button]);
    const held = new Held(this.x, this.xtest, undefined, this.env);
    const pinger = await Pinger.open(this.env, this.timeoutMs);
    try {
      await this.point(from);
      await this.notePress(from, button);
      await held.change([this.xtest.pressButton(number)], { releaseButtons: [number] });
      const source = await this.findAnswering(pinger, from);
      const { first, rest } = planDrag(from, to);
      await this.moveAlong(pinger, source, first);
      await this.moveAlong(pinger, source, rest);
      const refusal = await recheck?.();
      if (refusal === undefined) return succeed(undefined);
      await this.moveAlong(pinger, source, [from]);
      return fail({ ...refusal, done: "the drag was begun, and ended where it had begun." });
    } finally {
      pinger.close();
      await held.restore();
    }
  }

  private async moveAlong(pinger: Pinger, source: number | undefined, steps: readonly Point[]): Promise<void> {
    let slowestMs = 0;
    for (const step of steps) {
      if (this.signal?.aborted === true)
        throw new Interrupted("the drag was interrupted: what was dragged was dropped on the way.");
      await this.point(step);
      await pause(frameMs);
      const start = performance.now();
      await this.waitUntilSeen(pinger, source, step);
      slowestMs = Math.max(slowestMs, performance.now() - start);
    }
    await pause(Math.max(considerMs, patience * slowestMs));
  }

  /** The source has seen the move, the target the source's message, and the source the target's answer. */
  private async waitUntilSeen(pinger: Pinger, source: number | undefined, point: Point): Promise<void> {
    const target = await this.findAnswering(pinger, point);
    const asked = target === source ? [source] : [source, target, source];
    for (const window of asked) {
      if (window !== undefined) await pinger.ping(window, longestAnswerMs);
    }
  }

  private async findAnswering(pinger: Pinger, point: Point): Promise<number | undefined> {
    const [innermost] = (await this.x.listUnder(this.x.root, point)).slice(-1);
    return innermost === undefined ? undefined : pinger.findAround(innermost);
  }

  /** Recorded for the next press: two presses at one place are a double click to most applications. */
  private async notePress(point: Point, button: Button): Promise<void> {
    const atoms = await this.x.internAtoms([lastPressProperty]);
    const value = { type: cardinalType, format: 32, bytes: encodePress(point, button) } as const;
    await this.x.send(changeProperty(this.x.root, atoms[lastPressProperty], value));
  }

  private pressTimes(number: number, times: number, waitMs = 0): Buffer[] {
    return Array.from({ length: times }, (_, index) => [
      this.xtest.pressButton(number, index === 0 ? 0 : waitMs),
      this.xtest.releaseButton(number),
    ]).flat();
  }

  /** The physical button for a logical one: left-handed people swap them, and some reverse the wheel. */
  private async findButton(meaning: number): Promise<number> {
    const reply = await this.x.request(encodeRequest(getPointerMapping, 0));
    const at = reply.subarray(32, 32 + (reply[1] ?? 0)).indexOf(meaning);
    return at < 0 ? meaning : at + 1;
  }
}

/**
 * The moves that start a drag, and those that lead to its end; the last one shows the target where the drop will be.
 */
export function planDrag(
  from: Point,
  to: Point,
): { readonly first: readonly Point[]; readonly rest: readonly Point[] } {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const toPoint = (way: number): Point => {
    const share = length === 0 ? 0 : way / length;
    return { x: Math.round(from.x + dx * share), y: Math.round(from.y + dy * share) };
  };
  const first = firstSteps.filter((step) => step < length);
  const done = first.at(-1) ?? 0;
  const rest = Array.from({ length: stepsOnTheWay }, (_, index) => ((index + 1) / stepsOnTheWay) * (length - done));
  return { first: first.map(toPoint), rest: rest.map((way) => toPoint(done + way)) };
}
