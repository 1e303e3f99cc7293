import type { Result } from "../model/failure.ts";
import type { Entry, LoggedText } from "./audit/chain.ts";
import type { Ledger } from "./audit/ledger.ts";

export interface Records {
  /** Adds a line to the log and returns its number. An action that cannot be logged must not be done. */
  write(entry: Entry): Result<number>;
  describeText(text: string): LoggedText;
  update<T>(change: (ledger: Ledger) => Update<T>): Result<T>;
  findStop(): Stop | undefined;
  /** What is known of the client whose records these are. */
  describeCaller?(): string;
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
