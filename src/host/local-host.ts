import { clientOf } from "../guard/gate.ts";
import { findPlaces } from "../guard/places.ts";
import { findReadOnly } from "../guard/policy/live.ts";
import type { Activity } from "../model/activity.ts";
import type { CallerProcess } from "../model/call-context.ts";
import type { ChangeLine } from "../model/change-line.ts";
import { defaultTimeoutMs } from "../model/default-timeout.ts";
import type { RecordedAction } from "../model/demo.ts";
import type { Env } from "../model/env.ts";
import { describeIssue, describeUsage, type Failure, fail, makeFailure, type Result } from "../model/failure.ts";
import type { SendRequest, SentPart } from "../model/sending.ts";
import { isForModels } from "../model/tool-name.ts";
import { traced } from "../model/trace.ts";
import type { ToolCall } from "../tools/define.ts";
import { toolEntries } from "../tools/index.ts";
import { performTool } from "../tools/perform.ts";
import type { Session } from "../tools/session.ts";
import { awaitCancel } from "./await-cancel.ts";
import { HeldTurns, longestLeaseMs, type TurnUser } from "./held-turns.ts";
import { Observers } from "./observers.ts";
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
} from "./port.ts";
import type { Runtime } from "./runtime.ts";
import { openSession } from "./session.ts";

/** Shared by the hosts of all clients of a process. */
export interface Shared {
  readonly runtime: Runtime;
  readonly turns: HeldTurns;
  /** They get the reports of the runtime's observer. */
  readonly observers: Observers;
  /** The client's process, if it is not this one. */
  readonly caller?: CallerProcess | undefined;
  /** Called if a person has stopped everything and an action here does not end by itself. */
  onStuck?(): void;
}

/** Runs tools in this process for one client. Every call has a session of its own on the shared runtime. */
export class LocalHost implements Host {
  private readonly shared: Shared;
  private readonly gone = new AbortController();
  /** By the origin of each recipient, the applications that were read for it, by their first name. */
  private readonly readFor = new Map<string, Map<string, readonly string[]>>();

  /** `env` names the client and its settings. */
  constructor(
    private readonly env: Env,
    shared: Runtime | Shared,
  ) {
    this.shared = "runtime" in shared ? shared : share(shared);
  }

  async call(request: CallRequest, options: CallOptions = {}): Promise<CallReply> {
    const work = (): Promise<CallReply> =>
      traced(
        "tool",
        () => [request.tool],
        () => this.callTool(request, options),
      );
    return request.isTraced === true ? (await import("./trace-call.ts")).traceCall(work) : work();
  }

  private async callTool(request: CallRequest, options: CallOptions): Promise<CallReply> {
    const { tool: name, input, timeoutMs = defaultTimeoutMs, turn } = request;
    const entry = toolEntries.find((one) => one.name === name);
    if (entry === undefined) return replyWithFailure(makeFailure("USAGE", `no tool is called "${name}"`));
    const unfit = request.recipient === undefined ? undefined : describeUnfit(request);
    if (unfit !== undefined) return replyWithFailure(unfit);
    const tool = await entry.load();
    const prepared = tool.prepare(input);
    if (!prepared.ok) return replyWithFailure(describeIssue(name, prepared.issue));
    const { call } = prepared;
    const readOnly = entry.acts ? await this.findReadOnly() : undefined;
    if (readOnly !== undefined)
      return replyWithFailure((await import("../tools/steps.ts")).describeReadOnly(name, readOnly));
    options.onProgress?.(0, undefined, name);
    const mayAct = entry.acts || name === "do";
    const { turns } = this.shared;
    const over = turn === undefined ? undefined : turns.findEnd(turn, this.turnUser);
    if (over !== undefined) return replyWithFailure(over);
    // Reading needs no turn: it neither waits for actions nor prolongs the turn.
    if (turn === undefined || !mayAct) {
      return this.callAgain(mayAct, () => this.callAlone(call, request, options));
    }
    const tellProgress: Session["tellProgress"] = (...told) => options.onProgress?.(...told);
    // The turn may have been begun in another folder.
    const folder = this.env.DESKMAP_CWD;
    const work = (held: Session): Promise<CallReply> => {
      const hold: Session["hold"] = (_tool, more) => more(own);
      // A turn gives no rights: another connection of its client may only read, and so may the steps of its batch.
      held.setCaller(this.shared.caller, this.env);
      const own: Session = {
        ...held,
        timeoutMs,
        tellProgress,
        folder: folder ?? held.folder,
        hold,
        findReadOnly: () => this.findReadOnly(),
        reach: request.reach,
        foretold: request.foretold,
      };
      return this.perform(call, own, request);
    };
    const done = await turns.within(turn, this.turnUser, work, options.signal);
    return done.ok ? done.value : replyWithFailure(done.failure);
  }

  async *watch(request: WatchRequest, signal: AbortSignal): AsyncIterable<Result<readonly ChangeLine[]>> {
    const { watchHere } = await import("./watch-here.ts");
    for await (const batch of watchHere(this.env, this.shared, request, signal)) {
      if (!batch.ok && batch.failure.code === "UNAVAILABLE") await this.shared.runtime.check(true);
      yield batch;
    }
  }

  async *observe(signal: AbortSignal): AsyncIterable<Result<Activity>> {
    const { observeHere } = await import("./observe-here.ts");
    yield* observeHere(this.env, this.shared, this.shared.observers, signal);
  }

  async *listen(request: ListenRequest, signal: AbortSignal): AsyncIterable<Result<Listened>> {
    const { listenHere } = await import("./listen-here.ts");
    yield* listenHere(this.env, this.shared, request, signal);
  }

  async *send(request: SendRequest, signal: AbortSignal): AsyncIterable<Result<SentPart>> {
    const { sendHere } = await import("./send-here.ts");
    yield* sendHere(this.env, this.shared.caller, request, this.readFor, signal);
  }

  private noteRead(recipient: string): (apps: readonly (readonly string[])[]) => void {
    const known = this.readFor.get(recipient) ?? new Map<string, readonly string[]>();
    this.readFor.set(recipient, known);
    return (apps) => {
      for (const names of apps) known.set(names[0] ?? "", names);
    };
  }

  async ring(request: RingRequest): Promise<Result<RingState>> {
    return (await import("./ring-here.ts")).ringHere(this.env, this.shared, request);
  }

  async recall(request?: RecallRequest): Promise<Result<readonly RecordedAction[]>> {
    return (await import("./recall-here.ts")).recallHere(this.env, this.shared, request);
  }

  async begin(
    forMs: number,
    { isKept = false, waitMs = defaultTimeoutMs }: BeginOptions = {},
  ): Promise<Result<HeldTurn>> {
    if (!(forMs > 0 && forMs <= longestLeaseMs)) {
      const range = `more than 0, at most ${longestLeaseMs / 60_000} minutes.`;
      return fail(describeUsage(`a turn cannot be held for ${forMs} ms`, range));
    }
    // Whoever may only read would keep everybody else from acting.
    const readOnly = await this.findReadOnly();
    if (readOnly !== undefined) return fail((await import("../tools/steps.ts")).describeReadOnly("begin", readOnly));
    const aborting = new AbortController();
    const session = openSession(this.env, waitMs, this.shared.runtime, {
      signal: aborting.signal,
      caller: this.shared.caller,
    });
    const owner = isKept ? undefined : this;
    const { client } = this.turnUser;
    const begun = await this.shared.turns.begin(session, { forMs, client, owner, abort: () => aborting.abort() });
    if (!begun.ok && begun.failure.code === "UNAVAILABLE") await this.shared.runtime.check(true);
    return begun;
  }

  async end(turn: string): Promise<Result<void>> {
    return this.shared.turns.end(turn, this.turnUser);
  }

  async close(): Promise<void> {
    this.gone.abort();
    this.shared.turns.endOf(this);
  }

  private findReadOnly(): ReturnType<typeof findReadOnly> {
    return findReadOnly(this.env, findPlaces(this.env), clientOf(this.env, this.shared.caller));
  }

  private get turnUser(): TurnUser {
    return { client: clientOf(this.env).name, connection: this };
  }

  /** After a lost display or bus has come back, reads are repeated over new connections. */
  private async callAgain(isActing: boolean, work: () => Promise<CallReply>): Promise<CallReply> {
    const reply = await work();
    if (reply.failure?.code !== "UNAVAILABLE") return reply;
    const there = await this.shared.runtime.check(true);
    return there.ok && !isActing ? work() : reply;
  }

  private async callAlone(call: ToolCall, request: CallRequest, options: CallOptions): Promise<CallReply> {
    const { caller } = this.shared;
    const { reach, recipient, foretold } = request;
    // No question to a person stands beneath what a model wrote: there are surfaces for them.
    const isTyped = request.isTyped === true && recipient === undefined;
    const onRead = recipient === undefined ? undefined : this.noteRead(recipient);
    const context = { ...options, gone: this.gone.signal, caller, isTyped, reach, foretold, recipient, onRead };
    const session = openSession(this.env, request.timeoutMs ?? defaultTimeoutMs, this.shared.runtime, context);
    const performing = this.perform(call, session, request).finally(() => session.close());
    return Promise.race([performing, awaitCancel(options.signal, performing)]);
  }

  private async perform(
    call: ToolCall,
    session: Session,
    { formats, isPretty = false }: CallRequest,
  ): Promise<CallReply> {
    const { isInterrupted, ...reply } = await performTool(call, session, { formats, isPretty });
    // After the answer: ending the process closes its connection.
    if (isInterrupted) setImmediate(() => this.shared.onStuck?.());
    return reply;
  }
}

function describeUnfit({ tool, turn }: CallRequest): Failure | undefined {
  if (!isForModels(tool)) return describeUsage(`${tool} is no tool for models`, "use another tool.");
  return turn === undefined ? undefined : describeUsage("a model holds no turn", "call it without one.");
}

export function share(runtime: Runtime): Shared {
  const observers = new Observers();
  return { runtime: { ...runtime, observer: observers }, turns: new HeldTurns(), observers };
}
