import type { Ref } from "../../model/ref.ts";

/** What the marks need of a store. Every call happens inside one transaction when it writes. */
export interface MarkStore {
  /** The mark that an evidence hash leads to. */
  findMark(hash: string): number | undefined;
  /** A number that was never given out before. */
  allotMark(ref: Ref): number;
  /** Remembers that a hash leads to a mark, and to no other from now on: what was seen last is true. */
  setEvidence(hash: string, mark: number): void;
  inTransaction<T>(work: () => T): T;
}
