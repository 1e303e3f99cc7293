import type { Result } from "../model/failure.ts";
import type { Entry, LoggedText } from "./audit/chain.ts";

/** What the guard stores. */
export interface Records {
  /** Adds a line to the log and returns its number. An action that cannot be logged must not be done. */
  write(entry: Entry): Result<number>;
  /** The form in which a text may be logged. */
  describeText(text: string): LoggedText;
  /** Reads and changes the ledger under a lock. */
  update<T>(change: (ledger: Ledger) => Update<T>): Result<T>;
  findStop(): Stop | undefined;
  /** Words in the titles of windows where a person answers. */
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

/** Shared by all clients. */
export interface Ledger {
  /** Those of the last minute, oldest first. */
  readonly actions: readonly { readonly atMs: number; readonly client: string; readonly app: string }[];
  readonly grants: readonly Grant[];
}

/** A person's permission to act without a rate limit. */
export interface Grant {
  /** Undefined means every application. */
  readonly app?: string | undefined;
  readonly client?: string | undefined;
  readonly untilMs: number;
  /** Whether it covers sensitive actions too. */
  readonly isSensitive: boolean;
}

export const emptyLedger: Ledger = { actions: [], grants: [] };
