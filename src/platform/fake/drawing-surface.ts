import type { Bounds, Point, Size } from "../../model/bounds.ts";
import type { Drawing } from "../../model/drawing.ts";
import { fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import type { DrawingSurface, LeaveReason, Picker } from "../port.ts";

/** A drawing surface in memory: it records what was drawn, and tests pick on it as a person would. */
export class FakeDrawingSurface implements DrawingSurface {
  /** Everything ever drawn, oldest first. */
  readonly drawn: (readonly Drawing[])[] = [];
  isClosed = false;
  private picker: Picker | undefined;
  private readonly listeners = new Set<() => void>();

  get drawings(): readonly Drawing[] {
    return this.isClosed ? [] : (this.drawn.at(-1) ?? []);
  }

  get isPicking(): boolean {
    return this.picker !== undefined;
  }

  async draw(drawings: readonly Drawing[]): Promise<void> {
    if (!this.isClosed) this.drawn.push(drawings);
  }

  measure(text: string): Size {
    return { width: 8 + 8 * text.length, height: 18 };
  }

  async pick(picker: Picker): Promise<Result<() => void>> {
    if (this.picker !== undefined || this.isClosed) {
      const message = this.isClosed ? "the surface is closed" : "a pick is already running";
      return fail(makeFailure("UNAVAILABLE", message));
    }
    this.picker = picker;
    return succeed(() => {
      if (this.picker === picker) this.picker = undefined;
    });
  }

  onRenewed(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  close(): void {
    this.isClosed = true;
    this.leave("screen");
  }

  /** As after a change of monitors. */
  renew(): void {
    for (const listener of this.listeners) listener();
  }

  /** Moves the pointer; ignored without a pick. */
  move(point: Point): void {
    this.picker?.onMove(point);
  }

  press(point: Point): void {
    this.picker?.onPress(point);
  }

  drag(part: Bounds, isDone: boolean): void {
    this.picker?.onDrag(part, isDone);
  }

  /** Notifies the picker once and ends the pick. */
  leave(why: LeaveReason = "person"): void {
    const { picker } = this;
    this.picker = undefined;
    picker?.onLeave(why);
  }
}
