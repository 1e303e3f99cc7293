import type { Foretold } from "./foretold.ts";

/** The calling process, as the kernel reports it. */
export interface CallerProcess {
  readonly pid: number;
  /** Its start time, because a pid may be reused; -1 if it serves many clients, or its start is not known. */
  readonly startTicks: number;
}

export interface CallContext {
  /** Ends the call: nothing more is read, and nothing undelivered is delivered. */
  readonly signal?: AbortSignal | undefined;
  /** Aborted when the client disconnects, possibly long after the answer. */
  readonly gone?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number | undefined, words: string) => void) | undefined;
  /** The client's process, if it is not this one. */
  readonly caller?: CallerProcess | undefined;
  /** Whether a person may be asked at the terminal of that process, if it has one in the foreground. */
  readonly isTyped?: boolean | undefined;
  readonly reach?: readonly string[] | undefined;
  readonly foretold?: Foretold | undefined;
  /** The origin that the answer goes to, if it goes to a model; what acts was proposed by that model. */
  readonly recipient?: string | undefined;
  /** Gets the applications that were read for the answer, each with all its names. */
  readonly onRead?: ((apps: readonly (readonly string[])[]) => void) | undefined;
}

/** The client that makes a call. */
export interface Caller {
  readonly clientName: string;
  /** The folder that relative file names refer to. */
  readonly folder: string;
  /** Whether this process's standard input is the caller's. */
  readonly hasInput: boolean;
  /** The tools that a batch of this call may use; all if undefined. */
  readonly reach?: readonly string[] | undefined;
  /** What a recording of the action saw. */
  readonly foretold?: Foretold | undefined;
}
