import type { Bounds } from "./bounds.ts";
import type { Effect } from "./effect.ts";
import type { Result } from "./failure.ts";

/** An action whose first deed is about to be done: all rules have let it pass, and whoever had to has said yes. */
export interface Begun {
  readonly kind: "begun";
  /** Its line in the log, by which all that is told of it belongs together. */
  readonly n: number;
  readonly atMs: number;
  readonly client: string;
  readonly tool: string;
  /** As a person would be asked about it; of a text that is typed, its length. */
  readonly words: string;
  readonly app: string;
  readonly window: string;
  readonly mark?: number | undefined;
  readonly role?: string | undefined;
  readonly name?: string | undefined;
}

/** What came of it. */
export interface Ended {
  readonly kind: "ended";
  readonly n: number;
  readonly atMs: number;
  readonly tookMs: number;
  /** As Effect has it; undefined where it failed. */
  readonly verdict?: Effect["verdict"] | undefined;
  readonly way?: string | undefined;
  readonly evidence: readonly string[];
  /** What is different on the screen, in short: + came, - went, ~ changed. */
  readonly changes: readonly string[];
  readonly failure?:
    | { readonly code: string; readonly reason?: string | undefined; readonly message: string }
    | undefined;
}

/** Where on the screen something is done, and in which window where that is known: another may lie over it. */
export interface Spot extends Bounds {
  readonly windowId?: number | undefined;
}

export type Moment = "before" | "after";

/** A small picture of the surroundings of a target, without what must not be seen. */
export interface Crop {
  readonly kind: "crop";
  readonly n: number;
  readonly when: Moment;
  /** A JPEG, in base64. */
  readonly jpeg: string;
  readonly width: number;
  readonly height: number;
}

/** Who looks on is too slow: so many events it was not told of. */
export interface Lost {
  readonly kind: "lost";
  readonly count: number;
}

export type Activity = Begun | Ended | Crop | Lost;

/** Shows what was seen as the picture before the action with this number. */
export type ShowBefore = (n: number) => void;

/** Who looks on while others act. It decides nothing. */
export interface Witness {
  /**
   * Sees what is there before anything is done, while it is not checked yet whether it may be: the action waits for this, not
   * for long. Gives what shows it; undefined, and at once, where nobody looks on.
   */
  look(where: Spot | undefined): Promise<ShowBefore | undefined>;
  /** Right before the first deed: nothing waits for it. `where` is what it is done to. */
  begin(begun: Begun, where: Spot | undefined, show: ShowBefore | undefined): void;
  /** After the last: nothing waits for it. */
  end(n: number, outcome: Result<Effect>): void;
}
