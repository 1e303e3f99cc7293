import type { MapStore } from "../map/store/port.ts";
import type { Window } from "../model/window.ts";
import type { Crossing, Watch } from "../sources/port.ts";

/** A late effect of input may come for so long. */
const aftermathMs = 1500;
/** How long an effect that was not seen may still come: before that, the next action does not begin. */
const lateMs = 1250;
/** How long there must be no sign after a late effect. */
const quietMs = 50;

/**
 * The input of one action, and that of earlier ones to the same applications. The map remembers it, because the next
 * action may be another process.
 */
export class Inputs {
  /** Set if other input was delivered shortly before the first of this action. */
  crossing: Crossing | undefined;
  /** How long after the input its effect may begin, beyond the time that a read takes. */
  reactionMs = 0;
  private readonly pids: readonly number[];
  private atMs: number | undefined;

  constructor(
    private readonly marks: Pick<MapStore, "findInputs" | "noteInput">,
    windows: readonly Window[],
    private readonly watch: Watch,
  ) {
    this.pids = [...new Set(windows.map(({ pid }) => pid).filter((pid) => pid !== 0))];
  }

  /**
   * An effect that an earlier action has not shown yet would be taken for that of this one: waits for it, as long as it
   * may still come. Returns whether it has waited.
   */
  async waitOutEarlier(): Promise<boolean> {
    const { watch } = this;
    const open = this.marks.findInputs(this.pids).filter(({ isConfirmed }) => !isConfirmed);
    const leftMs = lateMs - findAge(open);
    if (leftMs <= 0 || watch.findCrossing("input") === undefined) return false;
    const deadline = performance.now() + leftMs;
    for (let isNews = false; !isNews && performance.now() < deadline; ) {
      await watch.waitForSign(deadline - performance.now());
      isNews = watch.take().some(({ source }) => source !== "pixels");
    }
    await watch.waitForStillness(quietMs, leftMs, "told");
    this.marks.noteInput(this.pids, { atMs: Math.max(...open.map(({ atMs }) => atMs)), isConfirmed: true });
    return true;
  }

  /** Called before input is delivered. Later input of the same action follows its own. */
  note(by: "input" | "action"): void {
    if (this.atMs !== undefined) return;
    const isCrossed = findAge(this.marks.findInputs(this.pids)) < aftermathMs;
    const crossing = this.watch.findCrossing(by);
    this.reactionMs = crossing?.reactionMs ?? 0;
    this.crossing = isCrossed ? crossing : undefined;
    this.atMs = Date.now();
    this.marks.noteInput(this.pids, { atMs: this.atMs, isConfirmed: true });
  }

  /** Notes whether an effect was seen. */
  conclude(isConfirmed: boolean): void {
    if (!isConfirmed && this.atMs !== undefined) this.marks.noteInput(this.pids, { atMs: this.atMs, isConfirmed });
  }
}

/** The age of the latest input; a clock that was set back says nothing. */
function findAge(inputs: readonly { readonly atMs: number }[]): number {
  const ages = inputs.map(({ atMs }) => Date.now() - atMs).filter((age) => age >= 0);
  return Math.min(Number.POSITIVE_INFINITY, ...ages);
}
