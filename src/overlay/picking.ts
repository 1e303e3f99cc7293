import { findAt } from "../desktop.ts";
import type { Size } from "../marks/tag.ts";
import type { Bounds, Point } from "../model/bounds.ts";
import type { Drawing } from "../model/drawing.ts";
import { type Failure, type FailureCode, fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import { quoteText } from "../model/plain-text.ts";
import type { Located } from "../model/view.ts";
import type { LeaveReason, Picker } from "../platform/port.ts";
import { placeLabel } from "./labels.ts";
import { Rounds } from "./rounds.ts";
import type { OverlaySource } from "./source.ts";

/** What a person has pointed at. */
export interface Picked {
  readonly located: Located;
  readonly point: Point;
  readonly atMs: number;
}

/** What picking needs of the sheet that it is done on. */
export interface Easel {
  readonly monitors: readonly Bounds[];
  measure(text: string): Size;
  show(drawings: readonly Drawing[]): void;
}

/** As long as a person is given to pick something. */
export const defaultPickMs = 60_000;
export const longestPickMs = 10 * 60_000;
/** Whether it may still be looked is asked so often while nobody moves. */
const checkMs = 500;
/** An application that does not answer for so long shows nothing under the pointer. */
const patienceMs = 1000;
const maxShownName = 60;
const colour = "#e8590c";

/** Failures that say something of the place, not of the desktop: another place may be picked. */
const local: ReadonlySet<FailureCode> = new Set<FailureCode>(["NOT_FOUND", "TIMEOUT", "FAILED"]);

function isLocal({ code, reason }: Failure): boolean {
  return local.has(code) || reason === "blind";
}

interface PickOptions {
  readonly signal?: AbortSignal | undefined;
  readonly forMs: number;
}

/** What all picking shares: it ends once, by itself when its time is over, it is cancelled or everything is stopped. */
export abstract class Picking<T> implements Picker {
  /** Whether a person wanted none of it. */
  isLeft = false;
  private readonly over = Promise.withResolvers<Result<T>>();
  private readonly timers: Timer[];
  private isOver = false;

  constructor(
    protected readonly source: OverlaySource,
    protected readonly easel: Easel,
    private readonly options: PickOptions,
  ) {
    const { forMs, signal } = options;
    signal?.addEventListener("abort", this.cancel, { once: true });
    this.timers = [
      setTimeout(() => this.end(fail(describeUnpicked(forMs))), forMs),
      setInterval(() => void this.check(), checkMs),
    ];
    if (signal?.aborted === true) this.cancel();
  }

  get picked(): Promise<Result<T>> {
    return this.over.promise;
  }

  onMove(_point: Point): void {}
  onPress(_point: Point): void {}
  onDrag(_part: Bounds, _isDone: boolean): void {}

  onLeave(why: LeaveReason): void {
    if (this.isOver) return;
    this.isLeft = why === "person";
    this.end(fail(leavings[why]));
  }

  end(result: Result<T>): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.options.signal?.removeEventListener("abort", this.cancel);
    this.easel.show([]);
    this.over.resolve(result);
  }

  protected show(drawings: readonly Drawing[]): void {
    if (!this.isOver) this.easel.show(drawings);
  }

  readonly cancel = (): void => this.end(fail(leavings.person));

  private async check(): Promise<void> {
    const live = await this.source.openLive();
    if (!live.ok) this.end(live);
  }
}

/** Shows what is under the pointer, until it is pressed. */
export class ElementPicking extends Picking<Picked> {
  private readonly rounds = new Rounds(() => this.hover());
  private point: Point | undefined;

  override onMove(point: Point): void {
    this.point = point;
    this.rounds.ask();
  }

  override onPress(point: Point): void {
    void this.take(point);
  }

  override end(result: Result<Picked>): void {
    this.rounds.close();
    super.end(result);
  }

  private async hover(): Promise<void> {
    const { point } = this;
    if (point === undefined) return;
    const found = await this.find(point);
    if (found.ok) this.show(this.draw(found.value.located));
    else if (isLocal(found.failure)) this.show([]);
    else this.end(found);
  }

  private async take(point: Point): Promise<void> {
    const found = await this.find(point);
    // Where nothing is, or nothing may be looked at, it goes on.
    if (found.ok || !isLocal(found.failure)) this.end(found);
  }

  private async find(point: Point): Promise<Result<Picked>> {
    const live = await this.source.openLive();
    if (!live.ok) return live;
    const { desktop } = live.value;
    const located = await findAt(desktop, point, { timeoutMs: Math.min(this.source.timeoutMs, patienceMs) });
    if (!located.ok) return located;
    return succeed({ located: located.value, point, atMs: Date.now() });
  }

  private draw({ element }: Located): readonly Drawing[] {
    const { bounds, mark, role, name } = element;
    if (bounds === undefined) return [];
    const number = mark === 0 ? "" : `${mark} `;
    const text = `${number}${role}${name === "" ? "" : ` ${quoteText(name, maxShownName)}`}`;
    const place = placeLabel(bounds, this.easel.monitors, this.easel.measure(text));
    return [
      { kind: "box", key: "pick", bounds, colour, stroke: "thick" },
      { kind: "tag", key: "pick label", bounds: place, text, colour },
    ];
  }
}

/** Shows the rectangle that is being drawn, until the button is let go. */
export class RegionPicking extends Picking<Bounds> {
  override onDrag(part: Bounds, isDone: boolean): void {
    const isRegion = part.width > 0 && part.height > 0;
    if (isDone && isRegion) this.end(succeed(part));
    else this.show(isRegion ? [{ kind: "box", key: "region", bounds: part, colour, stroke: "dashed" }] : []);
  }
}

const leavings: Readonly<Record<LeaveReason, Failure>> = {
  person: { code: "CANCELLED", message: "nothing was picked: it was left", done: nothingDone },
  rest: {
    code: "TIMEOUT",
    message: "nothing was picked: nobody has moved the pointer for a minute",
    suggestion: "ask again when somebody is there.",
    done: nothingDone,
  },
  screen: {
    code: "CANCELLED",
    message: "nothing was picked: the screen has changed meanwhile",
    suggestion: "ask again.",
    done: nothingDone,
  },
};

function describeUnpicked(forMs: number): Failure {
  return {
    code: "TIMEOUT",
    message: `nobody picked anything in ${Math.round(forMs / 1000)} s`,
    suggestion: "give a person longer: --for 5m",
    done: nothingDone,
  };
}
