import type {
  BeginOptions,
  CallOptions,
  CallReply,
  CallRequest,
  HeldTurn,
  Host,
  Listened,
  ListenRequest,
  RecallRequest,
  RingRequest,
  RingState,
  WatchRequest,
} from "../host/port.ts";
import type { Activity } from "../model/activity.ts";
import { messageOf } from "../model/caught.ts";
import type { ChangeLine } from "../model/change-line.ts";
import type { RecordedAction } from "../model/demo.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import type { SendRequest, SentPart } from "../model/sending.ts";
import { findTrace, traced } from "../model/trace.ts";
import type { ClientFrame, ClientRequest, DaemonStatus, Hello } from "./client-frame.ts";
import { defer, Outbox } from "./connection-outbox.ts";
import {
  type DaemonAnswer,
  type DaemonFrame,
  encodeFrame,
  LineCutter,
  maxAnswerBytes,
  maxRequestBytes,
  parseDaemonFrame,
} from "./protocol.ts";

interface Pending {
  answer(answer: DaemonAnswer): void;
  lose(why: string): void;
  readonly onFrame: ((frame: DaemonFrame) => void) | undefined;
}

/** The daemon closed the connection, or what came was not from a daemon: requests stay unanswered. */
export class DaemonLost extends Error {
  override readonly name = "DaemonLost";
}

export interface DaemonHello {
  readonly build: string;
  readonly pid: number;
}

interface Line {
  readonly connection: DaemonConnection;
  take(bytes: Uint8Array): boolean;
  lose(why: string): void;
}

/** What brings the bytes: paused while nobody takes what was received. */
export interface Inlet {
  pause(): void;
  resume(): void;
}

const maxBatches = 16;

type RequestBody = ClientRequest extends infer One ? (One extends ClientRequest ? Omit<One, "id"> : never) : never;

const defaultWaitMs = 5000;

export class DaemonConnection implements Host {
  private readonly pending = new Map<number, Pending>();
  private readonly greeting = defer<DaemonHello>();
  private nextId = 1;
  private lost: string | undefined;
  private readonly lostCallbacks = new Set<(why: string) => void>();
  /** For each watch, the parts that nobody has taken yet. */
  private readonly untaken = new Set<readonly unknown[]>();
  private isPaused = false;

  private constructor(
    private readonly outbox: Outbox,
    private readonly findInlet: () => Inlet | undefined,
  ) {
    // A rejection is handled even if nobody waits for it.
    this.greeting.promise.catch(() => undefined);
  }

  /** Sends the hello without waiting for the answer, which saves a round trip. */
  static async open(socketPath: string, hello: Omit<Hello, "t">): Promise<DaemonConnection> {
    const outbox = new Outbox();
    let inlet: Inlet | undefined;
    const line = DaemonConnection.over(outbox, () => inlet);
    const socket = await Bun.connect({
      unix: socketPath,
      socket: {
        data: (own, bytes) => {
          if (!line.take(bytes)) own.terminate();
        },
        drain: () => outbox.flush(),
        close: () => line.lose("the daemon closed the connection"),
        error: (_own, error) => line.lose(error.message),
      },
    });
    inlet = socket;
    outbox.attach(socket);
    line.connection.write({ t: "hello", ...hello });
    return line.connection;
  }

  /** Over any transport; `take` returns false if the bytes are not lines of the protocol. */
  static over(outbox: Outbox, findInlet: () => Inlet | undefined = () => undefined): Line {
    const connection = new DaemonConnection(outbox, findInlet);
    const cutter = new LineCutter(maxAnswerBytes, (text) => connection.receive(text));
    return { connection, take: (bytes) => cutter.take(bytes), lose: (why) => connection.lose(why) };
  }

  get hello(): Promise<DaemonHello> {
    return this.greeting.promise;
  }

  get isOpen(): boolean {
    return this.lost === undefined;
  }

  onLost(callback: (why: string) => void): void {
    if (this.lost === undefined) this.lostCallbacks.add(callback);
    else callback(this.lost);
  }

  async call(request: CallRequest, options: CallOptions = {}): Promise<CallReply> {
    const trace = findTrace();
    if (trace === undefined) return this.callTool(request, options);
    const reply = await traced(
      "daemon",
      () => ["call", request.tool],
      () => this.callTool({ ...request, isTraced: true }, options),
    );
    for (const span of reply.spans ?? []) trace.add(span);
    return reply;
  }

  private async callTool(request: CallRequest, { signal, onProgress }: CallOptions): Promise<CallReply> {
    const answer = await this.ask({ t: "call", request }, signal, (frame) => {
      if (frame.t === "progress") onProgress?.(frame.done, frame.total, frame.words);
    });
    return answer.reply;
  }

  watch(request: WatchRequest, signal: AbortSignal): AsyncIterable<Result<readonly ChangeLine[]>> {
    return this.follow({ t: "watch", request }, signal, (frame) => (frame.t === "lines" ? frame.lines : undefined));
  }

  observe(signal: AbortSignal): AsyncIterable<Result<Activity>> {
    return this.follow({ t: "observe" }, signal, (frame) => (frame.t === "activity" ? frame.activity : undefined));
  }

  listen(request: ListenRequest, signal: AbortSignal): AsyncIterable<Result<Listened>> {
    return this.follow({ t: "listen", request }, signal, (frame) =>
      frame.t === "listened" ? frame.listened : undefined,
    );
  }

  send(request: SendRequest, signal: AbortSignal): AsyncIterable<Result<SentPart>> {
    return this.follow({ t: "send", request }, signal, (frame) => (frame.t === "sent" ? frame.part : undefined));
  }

  private async *follow<Part>(
    question: RequestBody & { readonly t: "watch" | "observe" | "listen" | "send" },
    signal: AbortSignal,
    findPart: (frame: DaemonFrame) => Part | undefined,
  ): AsyncIterable<Result<Part>> {
    const parts: Part[] = [];
    let end: { readonly failure?: Failure | undefined } | undefined;
    let wake = defer<void>();
    // Leaving the loop ends the watch.
    const ending = new AbortController();
    void this.ask(question, AbortSignal.any([signal, ending.signal]), (frame) => {
      const part = findPart(frame);
      if (part === undefined || ending.signal.aborted) return;
      parts.push(part);
      this.applyBackPressure();
      wake.resolve();
    })
      .catch((error: unknown) => ({ failure: describeLoss(messageOf(error)) }))
      .then((answer) => {
        end = answer;
        wake.resolve();
      });
    this.untaken.add(parts);
    try {
      for (;;) {
        for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
          this.applyBackPressure();
          yield succeed(part);
        }
        if (end !== undefined) break;
        await wake.promise;
        wake = defer();
      }
    } finally {
      ending.abort();
      this.untaken.delete(parts);
      this.applyBackPressure();
    }
    if (end.failure !== undefined && !signal.aborted) yield fail(end.failure);
  }

  async recall(request: RecallRequest = {}): Promise<Result<readonly RecordedAction[]>> {
    return (await this.ask({ t: "recall", request })).result;
  }

  async ring(request: RingRequest): Promise<Result<RingState>> {
    return (await this.ask({ t: "ring", request })).result;
  }

  async begin(forMs: number, { isKept = false, waitMs = defaultWaitMs }: BeginOptions = {}): Promise<Result<HeldTurn>> {
    return (await this.ask({ t: "begin", forMs, isKept, waitMs })).result;
  }

  async end(turn: string): Promise<Result<void>> {
    const { result } = await this.ask({ t: "end", turn });
    return result.ok ? succeed(undefined) : result;
  }

  async status(): Promise<DaemonStatus> {
    return (await this.ask({ t: "status" })).status;
  }

  async ping(): Promise<void> {
    await this.ask({ t: "ping" });
  }

  /** Asks the daemon to end, and waits until it has closed this connection. */
  async dismiss(): Promise<void> {
    const gone = new Promise<void>((resolve) => this.onLost(() => resolve()));
    this.ask({ t: "leave" }).catch(() => undefined);
    await gone;
  }

  async close(): Promise<void> {
    this.lose("it was closed here");
    this.outbox.end();
  }

  private ask<Kind extends DaemonAnswer["of"]>(
    question: RequestBody & { readonly t: Kind },
    signal?: AbortSignal,
    onFrame?: (frame: DaemonFrame) => void,
  ): Promise<DaemonAnswer & { readonly of: Kind }> {
    if (this.lost !== undefined) return Promise.reject(new DaemonLost(this.lost));
    const id = this.nextId;
    this.nextId += 1;
    const { promise, resolve, reject } = defer<DaemonAnswer & { readonly of: Kind }>();
    const cancel = (): void => this.write({ t: "cancel", id });
    const finish = (): void => {
      this.pending.delete(id);
      this.applyBackPressure();
      signal?.removeEventListener("abort", cancel);
    };
    this.pending.set(id, {
      answer: (answer) => {
        finish();
        if (isAnswerTo(question.t, answer)) resolve(answer);
        else reject(new DaemonLost("it answered something else"));
      },
      lose: (why) => {
        finish();
        reject(new DaemonLost(why));
      },
      onFrame,
    });
    const bytes = encodeFrame({ ...question, id });
    if (bytes.length > maxRequestBytes) {
      finish();
      return Promise.reject(new DaemonLost(`a request of ${bytes.length} bytes is too long for it`));
    }
    this.outbox.write(bytes);
    this.applyBackPressure();
    if (signal?.aborted === true) cancel();
    else signal?.addEventListener("abort", cancel, { once: true });
    return promise;
  }

  /**
   * Stops reading while too much waits to be taken; the daemon then merges changes. It goes on reading while any other
   * answer is awaited: whoever takes the changes may be waiting for that one.
   */
  private applyBackPressure(): void {
    const isFull = [...this.untaken].some(({ length }) => length >= maxBatches);
    const isAwaited = this.pending.size > this.untaken.size || [...this.untaken].some(({ length }) => length === 0);
    const shouldPause = isFull && !isAwaited && this.lost === undefined;
    if (shouldPause === this.isPaused) return;
    this.isPaused = shouldPause;
    if (shouldPause) this.findInlet()?.pause();
    else this.findInlet()?.resume();
  }

  private write(frame: ClientFrame): void {
    if (this.lost === undefined) this.outbox.write(encodeFrame(frame));
  }

  private receive(line: string): void {
    const frame = parseDaemonFrame(line);
    if (frame === undefined) return this.lose("it sent an invalid line");
    if (frame.t === "hello") return this.greeting.resolve({ build: frame.build, pid: frame.pid });
    if (frame.t === "bye") return this.lose(frame.why);
    const pending = this.pending.get(frame.id);
    if (frame.t === "answer") return pending?.answer(frame.answer);
    pending?.onFrame?.(frame);
  }

  private lose(why: string): void {
    if (this.lost !== undefined) return;
    this.lost = why;
    this.greeting.reject(new DaemonLost(why));
    for (const one of [...this.pending.values()]) one.lose(why);
    for (const callback of this.lostCallbacks) callback(why);
  }
}

function isAnswerTo<Kind extends DaemonAnswer["of"]>(
  kind: Kind,
  answer: DaemonAnswer,
): answer is DaemonAnswer & { readonly of: Kind } {
  return answer.of === kind;
}

export function describeLoss(why: string): Failure {
  const suggestion = "try again: it is started when needed. See deskmap serve status.";
  return describeUnavailable(`the daemon does not answer: ${why}`, suggestion);
}

export function describeUnavailable(message: string, suggestion: string): Failure {
  return makeFailure("UNAVAILABLE", message, suggestion);
}
