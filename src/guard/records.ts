import type { Result } from "../model/failure.ts";
import type { Entry, LoggedText } from "./audit/chain.ts";

/** What the guard writes down, for itself and for the person. */
export interface Records {
  /** Adds a line to the log, and returns its number. What cannot be written down may not be done. */
  write(entry: Entry): Result<number>;
  /** How a text may be written down. */
  describeText(text: string): LoggedText;
  /** Reads and changes what all clients share, one at a time. */
  update<T>(change: (ledger: Ledger) => Update<T>): Result<T>;
  /** Whether a person has stopped everything. */
  findStop(): Stop | undefined;
  /** Words in the titles of windows in which a person answers. */
  listPageTitles?(): readonly string[];
}

export interface Stop {
  readonly atMs: number;
  /** "deskmap stop", or the keys. */
  readonly by: string;
}

export interface Update<T> {
  readonly ledger: Ledger;
  readonly result: T;
}

/** What all clients share. */
export interface Ledger {
  /** Of the last minute, oldest first. */
  readonly actions: readonly { readonly atMs: number; readonly client: string; readonly app: string }[];
  readonly grants: readonly Grant[];
}

/** A run without limit of rate that a person has allowed. */
export interface Grant {
  /** Every application where none is named. */
  readonly app?: string | undefined;
  readonly client?: string | undefined;
  readonly untilMs: number;
  /** Whether sensitive actions are meant too. */
  readonly isSensitive: boolean;
}

export const emptyLedger: Ledger = { actions: [], grants: [] };
