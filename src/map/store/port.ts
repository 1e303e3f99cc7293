import type { Failure } from "../../model/failure.ts";
import type { Ref } from "../../model/ref.ts";

/** What the marks need of a store. Everything comes in bulk: a read of a page asks for thousands of hashes. */
export interface MarkStore {
  /** The marks that evidence hashes lead to; a hash that leads nowhere is absent. */
  findMarks(hashes: readonly string[]): ReadonlyMap<string, number>;
  /** For each ref a number that was never given out before. Only within a transaction. */
  allotMarks(refs: readonly Ref[]): number[];
  /** Remembers that each hash leads to a mark, and to no other from now on: what was seen last is true. */
  setEvidence(evidence: ReadonlyMap<string, number>): void;
  /** These lead nowhere from now on. Only within a transaction. */
  dropEvidence(hashes: readonly string[]): void;
  /** What marks are shown for now, where their words have changed. Only within a transaction. */
  updateRefs(refs: ReadonlyMap<number, Ref>): void;
  /** What a mark was last shown for; undefined for a number that was never given out. */
  findRef(mark: number): StoredRef | undefined;
  /** Remembers by which names applications are called; the key is that of their refs. */
  nameApplications(names: ReadonlyMap<string, ReadonlySet<string>>): void;
  /** Which of these controls were watched: true for those that change only when something is done, false for clocks. */
  findTempers(marks: readonly number[]): ReadonlyMap<number, boolean>;
  /** What was seen to change by itself once is never calm again. */
  setTempers(tempers: ReadonlyMap<number, boolean>): void;
  /** Changes whenever another process has written. */
  readVersion(): number;
  inTransaction<T>(work: () => T): T;
}

/** What is kept of a ref: everything but the object, which lives no longer than its application. */
export type StoredRef = Omit<Ref, "runtimeId">;

/** The store failed while it was in use: damaged pages, a full disk, a lock that never opens. Nothing of the read was stored. */
export class MapUnavailable extends Error {
  override readonly name = "MapUnavailable";
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}
