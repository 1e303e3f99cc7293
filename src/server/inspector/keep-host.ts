import { connectHost } from "../../client/connect.ts";
import { DaemonLost, describeLoss } from "../../client/connection.ts";
import {
  type BeginOptions,
  type CallOptions,
  type CallReply,
  type CallRequest,
  type HeldTurn,
  type Host,
  type Listened,
  type ListenRequest,
  type RecallRequest,
  type RingRequest,
  type RingState,
  replyWithFailure,
  type WatchRequest,
} from "../../host/port.ts";
import type { HostState } from "../../inspector/messages.ts";
import type { Activity } from "../../model/activity.ts";
import type { ChangeLine } from "../../model/change-line.ts";
import type { RecordedAction } from "../../model/demo.ts";
import type { Env } from "../../model/env.ts";
import { type Failure, fail, type Result, succeed } from "../../model/failure.ts";
import type { SendRequest, SentPart } from "../../model/sending.ts";
import { actingTools } from "../../model/tool-name.ts";

export const inspectorClient = "inspector";

/** Whether the page calls it by itself, to show something. */
export function isOwnRead(tool: string): boolean {
  return tool !== "teach" && !actingTools.some((one) => one === tool);
}

const shortestPauseMs = 100;
const longestPauseMs = 5000;

/** A host that may report that its connection is lost. */
interface LosableHost extends Host {
  onLost?(callback: (why: string) => void): void;
}

/** Connects to the daemon of this desktop, and starts it if none runs. */
export function openDaemon(env: Env): () => Promise<Result<LosableHost>> {
  return () => connectHost(env, { start: true, client: inspectorClient });
}

export function openHere(env: Env): () => Promise<Result<LosableHost>> {
  let opening: Promise<Host> | undefined;
  return async () => {
    opening ??= import("../mcp/open-host.ts").then(({ HostOpener }) =>
      new HostOpener({ ...env, DESKMAP_DAEMON: "never" }).open(inspectorClient),
    );
    return succeed(await opening);
  };
}

/** A host that is opened when it is needed, and again when it was lost. Calls made meanwhile fail with the reason. */
export class KeptHost implements Host {
  private opening: Promise<Result<LosableHost>> | undefined;
  private current: HostState = { state: "connecting" };
  private isClosed = false;
  private readonly listeners = new Set<(state: HostState) => void>();

  /** `findStop` returns the refusal of reads during a stop. Checked here, a stop does not fill the log with refused reads. */
  constructor(
    private readonly open: () => Promise<Result<LosableHost>>,
    private readonly findStop: () => Failure | undefined = () => undefined,
  ) {}

  get state(): HostState {
    return this.current;
  }

  onState(listener: (state: HostState) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async start(): Promise<void> {
    for (let pauseMs = shortestPauseMs; !this.isClosed; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const opened = await this.reach();
      if (opened.ok) return;
      await Bun.sleep(pauseMs);
    }
  }

  async call(request: CallRequest, options?: CallOptions): Promise<CallReply> {
    const stopped = isOwnRead(request.tool) ? this.findStop() : undefined;
    if (stopped !== undefined) return replyWithFailure(stopped);
    const host = await this.reach();
    if (!host.ok) return replyWithFailure(host.failure);
    try {
      return await host.value.call(request, options);
    } catch (error) {
      if (!(error instanceof DaemonLost)) throw error;
      const lost = describeLoss(error.message);
      return replyWithFailure(isOwnRead(request.tool) ? lost : { ...lost, done: "a part of it may have been done." });
    }
  }

  async *watch(request: WatchRequest, signal: AbortSignal): AsyncIterable<Result<readonly ChangeLine[]>> {
    const host = await this.reachToRead();
    if (host.ok) yield* host.value.watch(request, signal);
    else yield host;
  }

  async *observe(signal: AbortSignal): AsyncIterable<Result<Activity>> {
    const host = await this.reachToRead();
    if (host.ok) yield* host.value.observe(signal);
    else yield host;
  }

  async *listen(request: ListenRequest, signal: AbortSignal): AsyncIterable<Result<Listened>> {
    const host = await this.reach();
    if (host.ok) yield* host.value.listen(request, signal);
    else yield host;
  }

  async *send(request: SendRequest, signal: AbortSignal): AsyncIterable<Result<SentPart>> {
    const host = await this.reach();
    if (host.ok) yield* host.value.send(request, signal);
    else yield host;
  }

  async ring(request: RingRequest): Promise<Result<RingState>> {
    const host = await this.reach();
    return host.ok ? host.value.ring(request).catch(describeLost) : host;
  }

  async recall(request?: RecallRequest): Promise<Result<readonly RecordedAction[]>> {
    const host = await this.reachToRead();
    return host.ok ? host.value.recall(request).catch(describeLost) : host;
  }

  async begin(forMs: number, options?: BeginOptions): Promise<Result<HeldTurn>> {
    const host = await this.reach();
    return host.ok ? host.value.begin(forMs, options).catch(describeLost) : host;
  }

  async end(turn: string): Promise<Result<void>> {
    const host = await this.reach();
    return host.ok ? host.value.end(turn).catch(describeLost) : host;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const host = await this.opening?.catch(() => undefined);
    if (host?.ok === true) await host.value.close();
  }

  private reachToRead(): Promise<Result<LosableHost>> {
    const stopped = this.findStop();
    return stopped === undefined ? this.reach() : Promise.resolve(fail(stopped));
  }

  private reach(): Promise<Result<LosableHost>> {
    this.opening ??= this.openOnce();
    return this.opening;
  }

  private async openOnce(): Promise<Result<LosableHost>> {
    if (this.current.state !== "connecting") this.setState({ state: "connecting" });
    const opened = await this.open();
    if (!opened.ok) {
      this.opening = undefined;
      this.setState({ state: "lost", reason: opened.failure.message });
      return opened;
    }
    this.setState({ state: "open" });
    opened.value.onLost?.((why) => this.lose(why));
    return opened;
  }

  private lose(why: string): void {
    if (this.isClosed) return;
    this.opening = undefined;
    this.setState({ state: "lost", reason: why });
    void this.start();
  }

  private setState(state: HostState): void {
    this.current = state;
    for (const listener of this.listeners) listener(state);
  }
}

function describeLost(error: unknown): Result<never> {
  if (!(error instanceof DaemonLost)) throw error;
  return fail(describeLoss(error.message));
}
