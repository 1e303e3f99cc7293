import { findAt } from "../desktop/index.ts";
import type { Bounds, Point, Size } from "../model/bounds.ts";
import type { Drawing } from "../model/drawing.ts";
import { type Failure, type FailureCode, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { quoteText } from "../model/plain-text.ts";
import type { Located } from "../model/view.ts";
import type { LeaveReason, Picker } from "../platform/port.ts";
import { placeLabel } from "./labels.ts";
import { SerialTask } from "./serial-task.ts";
import type { OverlaySession } from "./session.ts";

export interface Picked {
  readonly located: Located;
  readonly point: Point;
  readonly atMs: number;
}

export interface PickSurface {
  readonly monitors: readonly Bounds[];
  measure(text: string): Size;
  show(drawings: readonly Drawing[]): void;
}

export const defaultPickMs = 60_000;
export const longestPickMs = 10 * 60_000;
/** How often permission is checked while the pointer rests. */
const checkMs = 500;
/** Nothing is shown under the pointer if its application does not answer in this time. */
const patienceMs = 1000;
const maxShownName = 60;
const colour = "#e8590c";

/** Failures of the place under the pointer rather than of the desktop: another place may be picked. */
const local: ReadonlySet<FailureCode> = new Set<FailureCode>(["NOT_FOUND", "TIMEOUT", "FAILED"]);

function isLocal({ code, reason }: Failure): boolean {
  return local.has(code) || reason === "blind";
}

interface PickOptions {
  readonly signal?: AbortSignal | undefined;
  readonly forMs: number;
}

/** Common to all picking: ends once, by timeout, cancellation or a stop. */
export abstract class Picking<T> implements Picker {
  /** Whether a person cancelled it. */
  isLeft = false;
  private readonly over = Promise.withResolvers<Result<T>>();
  private readonly timers: Timer[];
  private isOver = false;

  constructor(
    protected readonly session: OverlaySession,
    protected readonly surface: PickSurface,
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
    this.surface.show([]);
    this.over.resolve(result);
  }

  protected show(drawings: readonly Drawing[]): void {
    if (!this.isOver) this.surface.show(drawings);
  }

  readonly cancel = (): void => this.end(fail(leavings.person));

  private async check(): Promise<void> {
    const live = await this.session.openLive();
    if (!live.ok) this.end(live);
  }
}

/** Highlights the control under the pointer until it is pressed. */
export class ElementPicking extends Picking<Picked> {
  private readonly task = new SerialTask(() => this.hover());
  private point: Point | undefined;

  override onMove(point: Point): void {
    this.point = point;
    this.task.request();
  }

  override onPress(point: Point): void {
    void this.take(point);
  }

  override end(result: Result<Picked>): void {
    this.task.close();
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
    // Continues if there is nothing at the point or it must not be read.
    if (found.ok || !isLocal(found.failure)) this.end(found);
  }

  private async find(point: Point): Promise<Result<Picked>> {
    const live = await this.session.openLive();
    if (!live.ok) return live;
    const { desktop } = live.value;
    const located = await findAt(desktop, point, { timeoutMs: Math.min(this.session.timeoutMs, patienceMs) });
    if (!located.ok) return located;
    return succeed({ located: located.value, point, atMs: Date.now() });
  }

  private draw({ element }: Located): readonly Drawing[] {
    const { bounds, mark, role, name } = element;
    if (bounds === undefined) return [];
    const number = mark === 0 ? "" : `${mark} `;
    const text = `${number}${role}${name === "" ? "" : ` ${quoteText(name, maxShownName)}`}`;
    const place = placeLabel(bounds, this.surface.monitors, this.surface.measure(text));
    return [
      { kind: "box", key: "pick", bounds, colour, stroke: "thick" },
      { kind: "tag", key: "pick label", bounds: place, text, colour },
    ];
  }
}

/** Shows the rectangle being drawn until the button is released. */
export class RegionPicking extends Picking<Bounds> {
  override onDrag(part: Bounds, isDone: boolean): void {
    const isRegion = part.width > 0 && part.height > 0;
    if (isDone && isRegion) this.end(succeed(part));
    else this.show(isRegion ? [{ kind: "box", key: "region", bounds: part, colour, stroke: "dashed" }] : []);
  }
}

const leavings: Readonly<Record<LeaveReason, Failure>> = {
  person: makeFailure("CANCELLED", "nothing was picked: it was cancelled"),
  rest: makeFailure(
    "TIMEOUT",
    "nothing was picked: the pointer has not moved for a minute",
    "try again when a person is present.",
  ),
  screen: makeFailure("CANCELLED", "nothing was picked: the screen changed", "try again."),
};

function describeUnpicked(forMs: number): Failure {
  return makeFailure("TIMEOUT", `nobody picked anything in ${Math.round(forMs / 1000)} s`, "allow more time: --for 5m");
}
