import type { ActingDesktop, Desktop } from "../desktop/index.ts";
import type { LiveDesktop } from "../find/read.ts";
import type { Writing } from "../guard/permit-writing.ts";
import type { ViewMemory } from "../live/view-memory.ts";
import type { Caller, CallerProcess } from "../model/call-context.ts";
import type { Check } from "../model/check.ts";
import type { Effect } from "../model/effect.ts";
import type { Env } from "../model/env.ts";
import type { Failure, Result } from "../model/failure.ts";
import type { OverlayAccess } from "../overlay/controller.ts";
import type { Platform } from "../platform/port.ts";

export type ActingPlatform = Pick<ActingDesktop, "platform" | "guard">;

/** An action as its tool knows it. */
export interface DoneAction {
  readonly tool: {
    readonly name: string;
    readonly words?: readonly string[];
    readonly unspoken?: readonly string[];
  };
  readonly input: Readonly<Record<string, unknown>>;
  readonly effect: Effect;
  readonly atMs: number;
  readonly tookMs: number;
}

/** One client's access to the desktop for one call, filtered by the guard. Parts are opened when they are first needed. */
export interface Session extends Caller {
  openDesktop(): Promise<Result<Desktop>>;
  /** The desktop and its mirror. Open it again before every read: a person may have changed what is allowed. */
  openLive(): Promise<Result<LiveDesktop>>;
  openToAct(): Promise<Result<ActingDesktop>>;
  /** The platform and the guard, for actions that need no map: windows, programs, the clipboard. */
  openPlatformToAct(): Promise<Result<ActingPlatform>>;
  /** Runs several calls without actions of other clients in between; what acts uses the given session. */
  hold<T>(tool: string, work: (held: Session) => Promise<Result<T>>, untilMs?: number): Promise<Result<T>>;
  /** The platform alone, for reads that need no map. */
  openPlatform(): Promise<Result<Platform>>;
  /** What works on this desktop, including the map; `fix` switches on what can be switched on. */
  diagnose(fix: boolean): Promise<readonly Check[]>;
  /** Logs what was read, before the answer is sent. */
  recordLooks(tool: string): Result<unknown>;
  /** Logs a read that goes on, and of which applications. */
  recordLasting(tool: string, apps: readonly string[], words: string): Result<unknown>;
  /** Logs a refusal that the guard has not logged; returns the failure to report. */
  recordRefusal(tool: string, failure: Failure): Failure;
  /** Puts an action into the journal, and into the recording if one is made. Not to record it is only a warning. */
  recordAction(done: DoneAction): void;
  /** To be called before a file is written for the client: that is an action. */
  beginWriting(tool: string, path: string): Promise<Result<Writing>>;
  /** Why this client may only read; undefined if it may act. */
  findReadOnly(): Promise<string | undefined>;
  /** For a turn that several connections use: whose call comes next, by its process (this one if undefined) and variables. */
  setCaller(process: CallerProcess | undefined, env: Env): void;
  readonly timeoutMs: number;
  /** What clients have read before; undefined in a process that ends with its answer. */
  readonly memory: ViewMemory | undefined;
  /** Undefined in a process that ends with its answer. */
  readonly overlay: OverlayAccess | undefined;
  /** Warnings beside the answer, such as that marks do not last. */
  readonly warnings: readonly string[];
  tellProgress(done: number, total: number | undefined, words: string): void;
  /** Resolves when a person has stopped everything and the call does not end by itself: the process must end. */
  readonly interrupted: Promise<Failure>;
  /** Sends what was learned to those who share the map; returns a remark for the person. */
  settle(): Promise<string | undefined>;
  close(): void;
}
