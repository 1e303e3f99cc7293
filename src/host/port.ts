import type { Activity } from "../model/activity.ts";
import type { ChangeLine } from "../model/change-line.ts";
import type { RecordedAction, TakenPicture } from "../model/demo.ts";
import { exitCodeOf, type Failure, type Result } from "../model/failure.ts";
import type { Foretold } from "../model/foretold.ts";
import type { SendRequest, SentPart } from "../model/sending.ts";
import type { Span } from "../model/trace.ts";

type OutputFormat = "json" | "text" | "csv";
/** "data" is returned beside the rendered outputs. */
type RequestedForm = OutputFormat | "data";

export interface CallRequest {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly formats: readonly RequestedForm[];
  readonly isPretty?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
  readonly turn?: string | undefined;
  /** Whether a person may have typed this command, and so may be asked at its terminal. */
  readonly isTyped?: boolean | undefined;
  readonly isTraced?: boolean | undefined;
  /** The tools that a batch may use; all if undefined. */
  readonly reach?: readonly string[] | undefined;
  /**
   * The origin of the model that the answer goes to. Applications that it must not see are left out, only tools for models
   * may be called, and what acts is judged as proposed by whoever wrote the text that the model has read.
   */
  readonly recipient?: string | undefined;
  /** What a recording of this action saw. */
  readonly foretold?: Foretold | undefined;
}

export interface CallReply {
  readonly outputs: Readonly<Partial<Record<OutputFormat, string>>>;
  /** As the tool's output declares it; only if "data" was requested. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  readonly failure?: Failure | undefined;
  /** As a command's: 0 done, 1 not done, 2 wrong usage, 3 refused, 4 delivered but not confirmed. */
  readonly exitCode: number;
  readonly warnings: readonly string[];
  readonly spans?: readonly Span[] | undefined;
}

/** The reply to a call that was not carried out. */
export function replyWithFailure(failure: Failure): CallReply {
  return { outputs: {}, failure, exitCode: exitCodeOf(failure.code), warnings: [] };
}

/** A host is of the same build, so its data is taken as the tool declares it. */
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
  readonly untilMs: number;
}

export interface CallOptions {
  /** Cancels the call: nothing more is delivered. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number | undefined, words: string) => void) | undefined;
}

export interface BeginOptions {
  /** Whether it outlasts its connection. */
  readonly isKept?: boolean | undefined;
  /** How long to wait while another client has the desktop. */
  readonly waitMs?: number | undefined;
}

/** Which actions are meant; without fields, all that the journal has. */
export interface RecallRequest {
  /** Only those that began at this time or later, in milliseconds since 1970. */
  readonly sinceMs?: number | undefined;
  /** Only those of the client with this name. */
  readonly client?: string | undefined;
  /** Also what the ring holds of a person, who must have typed the command that asks for it. */
  readonly withPerson?: boolean | undefined;
  readonly isTyped?: boolean | undefined;
}

/** The ring holds what a person did in the last minutes. */
export interface RingRequest {
  readonly action: "on" | "off" | "status";
  /** How many minutes it holds (10). */
  readonly minutes?: number | undefined;
  /** Whether a person may have typed the command: nobody else may switch it on. */
  readonly isTyped?: boolean | undefined;
}

export interface RingState {
  readonly isOn: boolean;
  readonly minutes: number;
  readonly steps: number;
  readonly sinceMs?: number | undefined;
  /** When the oldest step that it holds was done. */
  readonly oldestMs?: number | undefined;
  /** Why it is off, if it was on before. */
  readonly ended?: string | undefined;
}

/** How to listen to a person. */
export interface ListenRequest {
  /** Shown on the screen meanwhile. */
  readonly name?: string | undefined;
  /** Whether a person may have typed the command that listens: nobody else may begin it. */
  readonly isTyped?: boolean | undefined;
  /** Whether steps come with pictures of their windows. */
  readonly hasPictures?: boolean | undefined;
}

/** "begun" comes first, once everything is ready. */
export type Listened =
  | { readonly of: "begun" }
  | { readonly of: "step"; readonly step: RecordedAction; readonly picture?: TakenPicture | undefined };

/** Runs tools for a client: this process, or the daemon of this desktop. */
export interface Host {
  call(request: CallRequest, options?: CallOptions): Promise<CallReply>;
  /** Yields changes until the signal aborts or a failure ends it. */
  watch(request: WatchRequest, signal: AbortSignal): AsyncIterable<Result<readonly ChangeLine[]>>;
  /** Yields what all clients of this host do, with pictures, until the signal aborts or a failure ends it. */
  observe(signal: AbortSignal): AsyncIterable<Result<Activity>>;
  /** The last actions of all clients of this host, oldest first; those on applications that must not be read are left out. */
  recall(request?: RecallRequest): Promise<Result<readonly RecordedAction[]>>;
  /**
   * Yields what a person does, step by step, until the signal aborts, then the steps that were under way; or until a
   * failure, such as a stop, ends it.
   */
  listen(request: ListenRequest, signal: AbortSignal): AsyncIterable<Result<Listened>>;
  /**
   * Sends a request to a model, through the gate for what leaves the machine, and yields its answer. What was read for it
   * is known here: the answers to calls with that recipient.
   */
  send(request: SendRequest, signal: AbortSignal): AsyncIterable<Result<SentPart>>;
  /** Keeps what a person does in memory, or stops to, or tells how much there is. */
  ring(request: RingRequest): Promise<Result<RingState>>;
  /** Holds the turn: nobody else acts until it is ended or `forMs` have passed. */
  begin(forMs: number, options?: BeginOptions): Promise<Result<HeldTurn>>;
  end(turn: string): Promise<Result<void>>;
  close(): Promise<void>;
}
