import type { Activity } from "../model/activity.ts";
import type { ChangeLine } from "../model/change-line.ts";
import { exitCodeOf, type Failure, type Result } from "../model/failure.ts";
import type { Span } from "../model/trace.ts";

type OutputFormat = "json" | "text" | "csv";
/** The answer as data comes beside the rendered outputs. */
type RequestedForm = OutputFormat | "data";

/** One call of a tool, by its name in src/tools. */
export interface CallRequest {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The forms in which the answer is wanted. */
  readonly formats: readonly RequestedForm[];
  readonly isPretty?: boolean | undefined;
  /** Time allowed for each application. */
  readonly timeoutMs?: number | undefined;
  /** A turn that was begun before, and whose holder this is. */
  readonly turn?: string | undefined;
  /** Whether it is a command that a person may have typed: then that person may be asked at its terminal. */
  readonly isTyped?: boolean | undefined;
  /** Whether the reply is to say what was asked of whom for it. */
  readonly isTraced?: boolean | undefined;
}

export interface CallReply {
  readonly outputs: Readonly<Partial<Record<OutputFormat, string>>>;
  /** As the tool's output declares it; only where "data" was asked for. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  readonly failure?: Failure | undefined;
  /** As a command's: 0 done, 1 not done, 2 wrong usage, 3 refused, 4 delivered but not confirmed. */
  readonly exitCode: number;
  readonly warnings: readonly string[];
  /** Where the request is traced. */
  readonly spans?: readonly Span[] | undefined;
}

/** The reply to a call that was not carried out. */
export function replyWithFailure(failure: Failure): CallReply {
  return { outputs: {}, failure, exitCode: exitCodeOf(failure.code), warnings: [] };
}

/** Whether a call was answered with what its tool declares; a host is of the same build, so that its word is taken. */
export function isAnswer<Answer extends object>(data: CallReply["data"] | Answer): data is Answer {
  return data !== undefined;
}

/** What to watch: the options of `deskmap watch`. */
export interface WatchRequest {
  readonly input: Readonly<Record<string, unknown>>;
  readonly timeoutMs?: number | undefined;
}

export interface HeldTurn {
  readonly turn: string;
  /** When it ends by itself. */
  readonly untilMs: number;
}

export interface CallOptions {
  /** Ends the call: what has not been delivered yet is not. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number | undefined, words: string) => void) | undefined;
}

export interface BeginOptions {
  /** Whether it outlasts the connection that it was begun over; else it ends with it. */
  readonly isKept?: boolean | undefined;
  /** How long to wait while another client has the desktop. */
  readonly waitMs?: number | undefined;
}

/** Whatever runs tools for a client: this process, or the daemon of this desktop. */
export interface Host {
  call(request: CallRequest, options?: CallOptions): Promise<CallReply>;
  /** Tells what changes until the signal ends it. A failure ends it, too. */
  watch(request: WatchRequest, signal: AbortSignal): AsyncIterable<Result<readonly ChangeLine[]>>;
  /** Tells what all clients of this host do, with pictures, until the signal ends it. A failure ends it, too. */
  observe(signal: AbortSignal): AsyncIterable<Result<Activity>>;
  /** Holds the desktop for a short workflow: nobody else acts until it is ended or `forMs` are over. */
  begin(forMs: number, options?: BeginOptions): Promise<Result<HeldTurn>>;
  end(turn: string): Promise<Result<void>>;
  close(): Promise<void>;
}
