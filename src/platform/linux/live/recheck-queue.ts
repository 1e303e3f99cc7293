import { type Bounds, containsBounds } from "../../../model/bounds.ts";
import { DirtyNodes } from "./dirty-nodes.ts";

export interface Part {
  readonly dirty: DirtyNodes;
  readonly areas: readonly Bounds[];
  readonly isSurvey: boolean;
}

/** A part to verify, and when its event arrived and it was last read. */
export interface Recheck extends Part {
  readonly eventAtMs: number;
  readonly readAtMs: number;
  /** How often it was verified. */
  readonly round: number;
}

/** More are merged. */
const maxEntries = 12;
/** A reread this long after its event is trusted until it is verified. */
const trustMs = 250;

/**
 * Parts to verify some time after their event: events may precede the change they announce, and browsers draw before
 * their tree is updated. Each part has its own time, so that activity in one place does not cause rereads of another.
 */
export class RecheckQueue {
  private entries: Recheck[] = [];

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  /** When the first is due, given these delays; infinite if there is none. */
  dueAt(delaysMs: readonly number[]): number {
    return Math.min(...this.entries.map((entry) => dueTimeOf(entry, delaysMs)), Number.POSITIVE_INFINITY);
  }

  /** Adds a reread part; its older entries restart. */
  add(part: Part, eventAtMs: number, readAtMs: number): void {
    if (part.dirty.isEmpty && part.areas.length === 0 && !part.isSurvey) return;
    this.put({ ...part, eventAtMs, readAtMs, round: 0 });
  }

  /** Takes the due parts, to be verified now. */
  takeDue(nowMs: number, delaysMs: readonly number[]): Recheck[] {
    const due = this.take((entry) => dueTimeOf(entry, delaysMs) <= nowMs);
    return due.map((entry) => ({ ...entry, round: entry.round + 1 }));
  }

  /** Takes parts that were read so early that they may have been premature. */
  takeDoubtful(): Recheck[] {
    return this.take(({ eventAtMs, readAtMs }) => readAtMs - eventAtMs < trustMs);
  }

  /** Returns parts after verification. Parts that changed again start over. */
  putBack(entries: readonly Recheck[], readAtMs: number, hasChanged: boolean, delaysMs: readonly number[]): void {
    for (const entry of entries) {
      if (entry.round < delaysMs.length) this.put({ ...entry, readAtMs });
      else if (hasChanged) this.put({ ...entry, readAtMs, eventAtMs: readAtMs, round: 0 });
    }
  }

  private take(isWanted: (entry: Recheck) => boolean): Recheck[] {
    const taken = this.entries.filter(isWanted);
    this.entries = this.entries.filter((entry) => !taken.includes(entry));
    return taken;
  }

  private put(entry: Recheck): void {
    const rest = this.entries.map((one) => (one.eventAtMs <= entry.eventAtMs ? forget(one, entry) : one));
    this.entries = [...rest.filter((one) => one !== undefined), entry].sort((a, b) => a.eventAtMs - b.eventAtMs);
    const [first, second, ...others] = this.entries;
    if (this.entries.length > maxEntries && first !== undefined && second !== undefined)
      this.entries = [join(first, second), ...others];
  }
}

function dueTimeOf({ eventAtMs, round }: Recheck, delaysMs: readonly number[]): number {
  return eventAtMs + (delaysMs[round] ?? 0);
}

/** What remains of one entry that another does not cover. */
function forget(one: Recheck, other: Recheck): Recheck | undefined {
  const dirty = new DirtyNodes();
  dirty.addAll(one.dirty);
  dirty.forget(other.dirty);
  const areas = one.areas.filter((area) => !other.areas.some((wider) => containsBounds(wider, area)));
  const isSurvey = one.isSurvey && !other.isSurvey;
  return dirty.isEmpty && areas.length === 0 && !isSurvey ? undefined : { ...one, dirty, areas, isSurvey };
}

/** Merges two entries; both become due at the later time. */
function join(one: Recheck, other: Recheck): Recheck {
  const dirty = new DirtyNodes();
  dirty.addAll(one.dirty);
  dirty.addAll(other.dirty);
  return { ...other, dirty, areas: [...one.areas, ...other.areas], isSurvey: one.isSurvey || other.isSurvey };
}
