import { type Bounds, containsBounds } from "../../../model/bounds.ts";
import { Marks } from "./marks.ts";

/** Where something was looked at. */
export interface Part {
  readonly marks: Marks;
  readonly areas: readonly Bounds[];
  /** Whether everything was glanced at. */
  readonly isSurvey: boolean;
}

/** A part that is looked at again, and when it was heard of and last looked at. */
export interface Debt extends Part {
  readonly heardAtMs: number;
  readonly lookedAtMs: number;
  /** How often it was verified. */
  readonly round: number;
}

/** More are put together. */
const maxDebts = 12;
/** What was looked at so long after it was heard of is believed until it is verified. */
const trustMs = 250;

/**
 * What is looked at once more some time after it was heard of: an event may come before what it tells of is true, and browsers
 * draw before they know themselves what they have drawn. Each part has its own time: what happens here does not have
 * what happened there looked at again.
 */
export class Owed {
  private debts: Debt[] = [];

  get isEmpty(): boolean {
    return this.debts.length === 0;
  }

  /** When the first is due, each verified after these times; infinite where nothing is owed. */
  dueAt(delaysMs: readonly number[]): number {
    return Math.min(...this.debts.map((debt) => dueTimeOf(debt, delaysMs)), Number.POSITIVE_INFINITY);
  }

  /** Something was looked at. What was owed there before is owed from now on. */
  add(part: Part, heardAtMs: number, lookedAtMs: number): void {
    if (part.marks.isEmpty && part.areas.length === 0 && !part.isSurvey) return;
    this.put({ ...part, heardAtMs, lookedAtMs, round: 0 });
  }

  /** Takes what is due: it is verified by being looked at now. */
  takeDue(nowMs: number, delaysMs: readonly number[]): Debt[] {
    const due = this.take((debt) => dueTimeOf(debt, delaysMs) <= nowMs);
    return due.map((debt) => ({ ...debt, round: debt.round + 1 }));
  }

  /** Takes what was looked at so soon that it may not have been true yet. */
  takeDoubtful(): Debt[] {
    return this.take(({ heardAtMs, lookedAtMs }) => lookedAtMs - heardAtMs < trustMs);
  }

  /** What was taken has been looked at. What goes on changing begins anew. */
  putBack(debts: readonly Debt[], lookedAtMs: number, hasChanged: boolean, delaysMs: readonly number[]): void {
    for (const debt of debts) {
      if (debt.round < delaysMs.length) this.put({ ...debt, lookedAtMs });
      else if (hasChanged) this.put({ ...debt, lookedAtMs, heardAtMs: lookedAtMs, round: 0 });
    }
  }

  private take(isWanted: (debt: Debt) => boolean): Debt[] {
    const taken = this.debts.filter(isWanted);
    this.debts = this.debts.filter((debt) => !taken.includes(debt));
    return taken;
  }

  private put(debt: Debt): void {
    const rest = this.debts.map((one) => (one.heardAtMs <= debt.heardAtMs ? forget(one, debt) : one));
    this.debts = [...rest.filter((one) => one !== undefined), debt].sort((a, b) => a.heardAtMs - b.heardAtMs);
    const [first, second, ...others] = this.debts;
    if (this.debts.length > maxDebts && first !== undefined && second !== undefined)
      this.debts = [join(first, second), ...others];
  }
}

function dueTimeOf({ heardAtMs, round }: Debt, delaysMs: readonly number[]): number {
  return heardAtMs + (delaysMs[round] ?? 0);
}

/** What is left of one that is owed where another does not cover it. */
function forget(one: Debt, other: Debt): Debt | undefined {
  const marks = new Marks();
  marks.addAll(one.marks);
  marks.forget(other.marks);
  const areas = one.areas.filter((area) => !other.areas.some((wider) => containsBounds(wider, area)));
  const isSurvey = one.isSurvey && !other.isSurvey;
  return marks.isEmpty && areas.length === 0 && !isSurvey ? undefined : { ...one, marks, areas, isSurvey };
}

/** Of two that are owed, both at the time of the later one. */
function join(one: Debt, other: Debt): Debt {
  const marks = new Marks();
  marks.addAll(one.marks);
  marks.addAll(other.marks);
  return { ...other, marks, areas: [...one.areas, ...other.areas], isSurvey: one.isSurvey || other.isSurvey };
}
