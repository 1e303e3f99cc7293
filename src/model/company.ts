/** The process that asks, as the kernel names it. */
export interface CallerProcess {
  readonly pid: number;
  /** When it started: a pid alone may be given to another process later. */
  readonly startTicks: number;
}

/** What goes with one call. */
export interface Company {
  /** Ends the call: nothing more is read, and nothing that has not been delivered yet is. */
  readonly signal?: AbortSignal | undefined;
  /** Aborted when the client has gone, perhaps long after the answer. */
  readonly gone?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number | undefined, words: string) => void) | undefined;
  /** The client's process, where it is another than this one. */
  readonly caller?: CallerProcess | undefined;
  /** Whether a person may be asked at the terminal of that process, if it has one in the foreground. */
  readonly isTyped?: boolean | undefined;
}

/** Who asks, and from where. */
export interface Caller {
  readonly clientName: string;
  /** What the names of files are meant from. */
  readonly folder: string;
  /** Whether this process's standard input is the caller's own. */
  readonly hasInput: boolean;
}
