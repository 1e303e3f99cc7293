import type { BeginOptions, CallOptions, CallReply, CallRequest, HeldTurn, Host, WatchRequest } from "../host/port.ts";
import type { Activity } from "../model/activity.ts";
import type { ChangeLine } from "../model/change-line.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import { findTrace, traced } from "../model/trace.ts";
import { Outbox } from "./connection-outbox.ts";
import { defer } from "./defer.ts";
import {
  type Answer,
  type ClientFrame,
  type DaemonFrame,
  type DaemonStatus,
  encodeFrame,
  type Hello,
  LineCutter,
  maxAnswerBytes,
  maxRequestBytes,
  parseDaemonFrame,
  type Question,
} from "./protocol.ts";

interface Pending {
  answer(answer: Answer): void;
  lose(why: string): void;
  onFrame?(frame: DaemonFrame): void;
}

/** The daemon went away, or was never the one it was taken for: what was asked is not answered. */
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

/** Where bytes come from: paused while nobody takes what they bring. */
export interface Source {
  pause(): void;
  resume(): void;
}

/** So many parts of one answer may wait to be taken. */
const maxBatches = 16;

type Questioning = Question extends infer One ? (One extends Question ? Omit<One, "id"> : never) : never;

const defaultWaitMs = 5000;

/** An open connection to the daemon of this desktop. */
export class DaemonConnection implements Host {
  private readonly pending = new Map<number, Pending>();
  private readonly greeting = defer<DaemonHello>();
  private nextId = 1;
  private lost: string | undefined;
  private readonly losers = new Set<(why: string) => void>();
  /** What each watch has brought and nobody has taken yet. */
  private readonly untaken = new Set<readonly unknown[]>();
  private isPaused = false;

  private constructor(
    private readonly outbox: Outbox,
    private readonly findSource: () => Source | undefined,
  ) {
    // Nobody may wait for it.
    this.greeting.promise.catch(() => undefined);
  }

  /** Says hello and does not wait for the answer: what is asked at once comes at once. */
  static async open(socketPath: string, hello: Omit<Hello, "t">): Promise<DaemonConnection> {
    const outbox = new Outbox();
    let source: Source | undefined;
    const line = DaemonConnection.over(outbox, () => source);
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
    source = socket;
    outbox.attach(socket);
    line.connection.send({ t: "hello", ...hello });
    return line.connection;
  }

  /** Over whatever brings the daemon's bytes; `take` is false when they are none of its lines. */
  static over(outbox: Outbox, findSource: () => Source | undefined = () => undefined): Line {
    const connection = new DaemonConnection(outbox, findSource);
    const cutter = new LineCutter(maxAnswerBytes, (text) => connection.hear(text));
    return { connection, take: (bytes) => cutter.take(bytes), lose: (why) => connection.lose(why) };
  }

  /** Who answered. */
  get hello(): Promise<DaemonHello> {
    return this.greeting.promise;
  }

  get isOpen(): boolean {
    return this.lost === undefined;
  }

  /** Calls back when the connection is gone. */
  onLost(callback: (why: string) => void): void {
    if (this.lost === undefined) this.losers.add(callback);
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
    if (answer.of !== "call") throw new DaemonLost("it answered something else");
    return answer.reply;
  }

  watch(request: WatchRequest, signal: AbortSignal): AsyncIterable<Result<readonly ChangeLine[]>> {
    return this.follow({ t: "watch", request }, signal, (frame) => (frame.t === "lines" ? frame.lines : undefined));
  }

  observe(signal: AbortSignal): AsyncIterable<Result<Activity>> {
    return this.follow({ t: "observe" }, signal, (frame) => (frame.t === "activity" ? frame.activity : undefined));
  }

  private async *follow<Part>(
    question: Questioning,
    signal: AbortSignal,
    findPart: (frame: DaemonFrame) => Part | undefined,
  ): AsyncIterable<Result<Part>> {
    const parts: Part[] = [];
    let end: Result<Failure | undefined> | undefined;
    let wake = defer<void>();
    // Whoever does not go on with it wants no more.
    const ending = new AbortController();
    this.ask(question, AbortSignal.any([signal, ending.signal]), (frame) => {
      const part = findPart(frame);
      if (part === undefined || ending.signal.aborted) return;
      parts.push(part);
      this.regulate();
      wake.resolve();
    })
      .then((answer) => {
        end = succeed("failure" in answer ? answer.failure : undefined);
      })
      .catch((error: unknown) => {
        end = fail(describeLoss(error instanceof Error ? error.message : String(error)));
      })
      .finally(() => wake.resolve());
    this.untaken.add(parts);
    try {
      for (;;) {
        for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
          this.regulate();
          yield succeed(part);
        }
        if (end !== undefined) break;
        await wake.promise;
        wake = defer();
      }
    } finally {
      ending.abort();
      this.untaken.delete(parts);
      this.regulate();
    }
    const failure = end.ok ? end.value : end.failure;
    if (failure !== undefined && !signal.aborted) yield fail(failure);
  }

  async begin(forMs: number, { isKept = false, waitMs = defaultWaitMs }: BeginOptions = {}): Promise<Result<HeldTurn>> {
    const answer = await this.ask({ t: "begin", forMs, isKept, waitMs });
    return answer.of === "begin" ? answer.result : fail(describeLoss("it answered something else"));
  }

  async end(turn: string): Promise<Result<void>> {
    const answer = await this.ask({ t: "end", turn });
    if (answer.of !== "end") return fail(describeLoss("it answered something else"));
    return answer.result.ok ? succeed(undefined) : answer.result;
  }

  async status(): Promise<DaemonStatus> {
    const answer = await this.ask({ t: "status" });
    if (answer.of !== "status") throw new DaemonLost("it answered something else");
    return answer.status;
  }

  async ping(): Promise<void> {
    await this.ask({ t: "ping" });
  }

  /** Asks it to leave, and waits until it has let go of this connection. */
  async dismiss(): Promise<void> {
    const gone = new Promise<void>((resolve) => this.onLost(() => resolve()));
    this.ask({ t: "leave" }).catch(() => undefined);
    await gone;
  }

  async close(): Promise<void> {
    this.lose("it was closed here");
    this.outbox.end();
  }

  private ask(question: Questioning, signal?: AbortSignal, onFrame?: Pending["onFrame"]): Promise<Answer> {
    if (this.lost !== undefined) return Promise.reject(new DaemonLost(this.lost));
    const id = this.nextId;
    this.nextId += 1;
    const { promise, resolve, reject } = defer<Answer>();
    const cancel = (): void => this.send({ t: "cancel", id });
    const finish = (): void => {
      this.pending.delete(id);
      this.regulate();
      signal?.removeEventListener("abort", cancel);
    };
    this.pending.set(id, {
      answer: (answer) => {
        finish();
        resolve(answer);
      },
      lose: (why) => {
        finish();
        reject(new DaemonLost(why));
      },
      ...(onFrame === undefined ? {} : { onFrame }),
    });
    const bytes = encodeFrame({ ...question, id });
    if (bytes.length > maxRequestBytes) {
      finish();
      return Promise.reject(new DaemonLost(`a request of ${bytes.length} bytes is too long for it`));
    }
    this.outbox.write(bytes);
    this.regulate();
    if (signal?.aborted === true) cancel();
    else signal?.addEventListener("abort", cancel, { once: true });
    return promise;
  }

  /**
   * Stops reading while too much waits to be taken; what the daemon cannot send it makes one of. Not while anything else is
   * asked for: whoever takes the changes may wait for just that answer, or for those of another watch.
   */
  private regulate(): void {
    const isFull = [...this.untaken].some(({ length }) => length >= maxBatches);
    const isAwaited = this.pending.size > this.untaken.size || [...this.untaken].some(({ length }) => length === 0);
    const shouldPause = isFull && !isAwaited && this.lost === undefined;
    if (shouldPause === this.isPaused) return;
    this.isPaused = shouldPause;
    if (shouldPause) this.findSource()?.pause();
    else this.findSource()?.resume();
  }

  private send(frame: ClientFrame): void {
    if (this.lost === undefined) this.outbox.write(encodeFrame(frame));
  }

  private hear(line: string): void {
    const frame = parseDaemonFrame(line);
    if (frame === undefined) return this.lose("what came is none of its lines");
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
    for (const callback of this.losers) callback(why);
  }
}

export function describeLoss(why: string): Failure {
  return {
    code: "UNAVAILABLE",
    message: `the daemon does not answer: ${why}`,
    suggestion: "try again: it is started when it is needed. deskmap serve status tells of it.",
    done: nothingDone,
  };
}
