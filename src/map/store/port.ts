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
  /** Changes whenever another process has written. */
  readVersion(): number;
  inTransaction<T>(work: () => T): T;
}

/** The store failed while it was in use: damaged pages, a full disk, a lock that never opens. Nothing of the read was stored. */
export class MapUnavailable extends Error {
  override readonly name = "MapUnavailable";
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}
