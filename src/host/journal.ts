import type { RecordedAction } from "../model/demo.ts";
import type { RecallRequest } from "./port.ts";

const mostActions = 500;
const longestMs = 30 * 60_000;

interface Entry {
  readonly action: RecordedAction;
  /** All names of the applications it concerns: a person may forbid one of them later. */
  readonly names: readonly string[];
}

/** The last actions of all clients of a process, in its memory alone. */
export class Journal {
  private entries: readonly Entry[] = [];
  private last = 0;

  constructor(private readonly now: () => number = Date.now) {}

  /** Returns it with its number. */
  add(action: Omit<RecordedAction, "n">, names: readonly string[]): RecordedAction {
    this.last += 1;
    const numbered = { n: this.last, ...action };
    this.entries = [...this.keepLate(), { action: numbered, names }].slice(-mostActions);
    return numbered;
  }

  /** Oldest first. */
  recall({ sinceMs = 0, client }: RecallRequest = {}): readonly Entry[] {
    this.entries = this.keepLate();
    const isMeant = ({ action }: Entry): boolean =>
      action.atMs >= sinceMs && (client === undefined || action.client === client);
    return this.entries.filter(isMeant);
  }

  private keepLate(): readonly Entry[] {
    const earliestMs = this.now() - longestMs;
    return this.entries.filter(({ action }) => action.atMs >= earliestMs);
  }
}
