import type { Witness } from "./activity.ts";

/** How whoever asked goes along with a call. */
export interface Company {
  /** Ends it: nothing more is looked at, and nothing that has not been delivered yet is. */
  readonly signal?: AbortSignal | undefined;
  /** Looks on while it acts. */
  readonly witness?: Witness | undefined;
  /** Aborted when whoever asked has gone, long after the answer perhaps. */
  readonly gone?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number | undefined, words: string) => void) | undefined;
}

/** Who asks, and from where. */
export interface Caller {
  readonly clientName: string;
  /** What the names of files are meant from. */
  readonly folder: string;
  /** Whether this process's standard input is the caller's own. */
  readonly hasInput: boolean;
}
