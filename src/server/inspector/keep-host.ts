import { connectHost } from "../../client/connect.ts";
import { DaemonLost, describeLoss } from "../../client/connection.ts";
import type {
  BeginOptions,
  CallOptions,
  CallReply,
  CallRequest,
  HeldTurn,
  Host,
  WatchRequest,
} from "../../host/port.ts";
import type { HostState } from "../../inspector/messages.ts";
import type { Activity } from "../../model/activity.ts";
import type { ChangeLine } from "../../model/change-line.ts";
import type { Env } from "../../model/env.ts";
import { exitCodeOf, type Failure, fail, type Result, succeed } from "../../model/failure.ts";
import { inspectorClient, isOwnLook } from "./own-looks.ts";

const shortestPauseMs = 100;
const longestPauseMs = 5000;

/** What is opened for it: it may tell that it is lost. */
interface Losable extends Host {
  onLost?(callback: (why: string) => void): void;
}

/** The daemon of this desktop, started where none runs. */
export function openDaemon(env: Env): () => Promise<Result<Losable>> {
  return () => connectHost(env, { start: true, client: inspectorClient });
}

/** This process itself, where no daemon is wanted. */
export function openHere(env: Env): () => Promise<Result<Losable>> {
  let opening: Promise<Host> | undefined;
  return async () => {
    opening ??= import("../mcp/open-host.ts").then(({ HostOpener }) =>
      new HostOpener({ ...env, DESKMAP_DAEMON: "never" }).open(inspectorClient),
    );
    return succeed(await opening);
  };
}

/** A host that is opened when it is needed and again when it was lost. What was asked meanwhile fails, and says why. */
export class KeptHost implements Host {
  private opening: Promise<Result<Losable>> | undefined;
  private current: HostState = { state: "connecting" };
  private isClosed = false;
  private readonly listeners = new Set<(state: HostState) => void>();

  /** `findStop` says why nothing is looked at now: then nobody is asked, and nobody refuses. */
  constructor(
    private readonly open: () => Promise<Result<Losable>>,
    private readonly findStop: () => Failure | undefined = () => undefined,
  ) {}

  get state(): HostState {
    return this.current;
  }

  onState(listener: (state: HostState) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Opens it, and tries until it is there. */
  async start(): Promise<void> {
    for (let pauseMs = shortestPauseMs; !this.isClosed; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const opened = await this.reach();
      if (opened.ok) return;
      await Bun.sleep(pauseMs);
    }
  }

  async call(request: CallRequest, options?: CallOptions): Promise<CallReply> {
    const stopped = isOwnLook(request.tool) ? this.findStop() : undefined;
    if (stopped !== undefined) return refuse(stopped);
    const host = await this.reach();
    if (!host.ok) return refuse(host.failure);
    try {
      return await host.value.call(request, options);
    } catch (error) {
      if (!(error instanceof DaemonLost)) throw error;
      const lost = describeLoss(error.message);
      return refuse(isOwnLook(request.tool) ? lost : { ...lost, done: "a part of it may have been done." });
    }
  }

  async *watch(request: WatchRequest, signal: AbortSignal): AsyncIterable<Result<readonly ChangeLine[]>> {
    const host = await this.reachToLook();
    if (host.ok) yield* host.value.watch(request, signal);
    else yield host;
  }

  async *observe(signal: AbortSignal): AsyncIterable<Result<Activity>> {
    const host = await this.reachToLook();
    if (host.ok) yield* host.value.observe(signal);
    else yield host;
  }

  async begin(forMs: number, options?: BeginOptions): Promise<Result<HeldTurn>> {
    const host = await this.reach();
    return host.ok ? host.value.begin(forMs, options).catch(tellLoss) : host;
  }

  async end(turn: string): Promise<Result<void>> {
    const host = await this.reach();
    return host.ok ? host.value.end(turn).catch(tellLoss) : host;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const host = await this.opening?.catch(() => undefined);
    if (host?.ok === true) await host.value.close();
  }

  private reachToLook(): Promise<Result<Losable>> {
    const stopped = this.findStop();
    return stopped === undefined ? this.reach() : Promise.resolve(fail(stopped));
  }

  private reach(): Promise<Result<Losable>> {
    this.opening ??= this.openOnce();
    return this.opening;
  }

  private async openOnce(): Promise<Result<Losable>> {
    if (this.current.state !== "connecting") this.tell({ state: "connecting" });
    const opened = await this.open();
    if (!opened.ok) {
      this.opening = undefined;
      this.tell({ state: "lost", reason: opened.failure.message });
      return opened;
    }
    this.tell({ state: "open" });
    opened.value.onLost?.((why) => this.lose(why));
    return opened;
  }

  private lose(why: string): void {
    if (this.isClosed) return;
    this.opening = undefined;
    this.tell({ state: "lost", reason: why });
    void this.start();
  }

  private tell(state: HostState): void {
    this.current = state;
    for (const listener of this.listeners) listener(state);
  }
}

function tellLoss(error: unknown): Result<never> {
  if (!(error instanceof DaemonLost)) throw error;
  return fail(describeLoss(error.message));
}

function refuse(failure: Failure): CallReply {
  return { outputs: {}, failure, exitCode: exitCodeOf(failure.code), warnings: [] };
}
