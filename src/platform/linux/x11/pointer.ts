import type { Point } from "../../../model/bounds.ts";
import type { Button, Direction } from "../../../model/deed.ts";
import type { XConnection } from "./connection.ts";
import { Held } from "./held.ts";
import { Pinger } from "./ping.ts";
import { getChildAt } from "./requests.ts";
import { orderTogether, type XTest } from "./xtest.ts";

const getPointerMapping = 117;
const buttonNumbers: Readonly<Record<Button, number>> = { left: 1, middle: 2, right: 3 };
const wheelNumbers: Readonly<Record<Direction, number>> = { up: 4, down: 5, left: 6, right: 7 };

/** Moves of one pixel and more at the start: a toolkit begins a drag when the pointer has left a few pixels behind. */
const firstSteps = [1, 2, 4, 8, 16];
const stepsOnTheWay = 8;
/** An application that answers no pings gets this long for each move of a drag: one frame of a screen at 60 Hz. */
const moveMs = 16;
const longestAnswerMs = 2000;
const maxLevels = 24;

export class Pointer {
  constructor(
    private readonly x: XConnection,
    private readonly xtest: XTest,
    private readonly env: Readonly<Record<string, string | undefined>>,
    private readonly timeoutMs: number,
  ) {}

  async point(point: Point): Promise<void> {
    await orderTogether(this.x, [this.xtest.moveTo(point)]);
  }

  /** In one write: a process that ends in the middle of it leaves no button held. */
  async click(point: Point, button: Button, count: number): Promise<void> {
    const number = await this.findButton(buttonNumbers[button]);
    await orderTogether(this.x, [this.xtest.moveTo(point), ...this.pressTimes(number, count)]);
  }

  async wheel(point: Point, direction: Direction, amount: number): Promise<void> {
    const number = await this.findButton(wheelNumbers[direction]);
    await orderTogether(this.x, [this.xtest.moveTo(point), ...this.pressTimes(number, amount)]);
  }

  async drag(from: Point, to: Point, button: Button): Promise<void> {
    const number = await this.findButton(buttonNumbers[button]);
    const held = new Held(this.x, this.xtest, undefined, this.env);
    const pinger = await Pinger.open(this.env, this.timeoutMs);
    try {
      await this.point(from);
      await held.change([this.xtest.pressButton(number)], { releaseButtons: [number] });
      const source = await this.findAnswering(pinger, from);
      for (const step of planDrag(from, to)) {
        await this.point(step);
        await this.waitUntilSeen(pinger, source, step);
      }
    } finally {
      pinger.close();
      await held.restore();
    }
  }

  /** The source has seen the move, the target what the source told it, and the source the target's answer. */
  private async waitUntilSeen(pinger: Pinger, source: number | undefined, point: Point): Promise<void> {
    const target = await this.findAnswering(pinger, point);
    const asked = target === source ? [source] : [source, target, source];
    for (const window of asked) {
      if (window === undefined) await Bun.sleep(moveMs);
      else await pinger.ping(window, longestAnswerMs);
    }
  }

  private async findAnswering(pinger: Pinger, point: Point): Promise<number | undefined> {
    let deepest = this.x.root;
    for (let level = 0; level < maxLevels; level += 1) {
      const child = await getChildAt(this.x, deepest, point);
      if (child === undefined) break;
      deepest = child;
    }
    return pinger.findAround(deepest);
  }

  private pressTimes(number: number, times: number): Buffer[] {
    return Array.from({ length: times }, () => [
      this.xtest.pressButton(number),
      this.xtest.releaseButton(number),
    ]).flat();
  }

  /** The button that means this one: left-handed people swap them, and some turn the wheel round. */
  private async findButton(meaning: number): Promise<number> {
    const bytes = Buffer.alloc(4);
    bytes[0] = getPointerMapping;
    const reply = await this.x.request(bytes);
    const at = reply.subarray(32, 32 + (reply[1] ?? 0)).indexOf(meaning);
    return at < 0 ? meaning : at + 1;
  }
}

/** A few small moves, then even ones, then the end twice: a target learns from the last move where the drop will be. */
export function planDrag(from: Point, to: Point): Point[] {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  if (length === 0) return [];
  const shares = [
    ...firstSteps.filter((step) => step < length / 2).map((step) => step / length),
    ...Array.from({ length: stepsOnTheWay }, (_, index) => (index + 1) / stepsOnTheWay),
  ].toSorted((a, b) => a - b);
  return shares.map((share) => ({ x: Math.round(from.x + dx * share), y: Math.round(from.y + dy * share) }));
}
