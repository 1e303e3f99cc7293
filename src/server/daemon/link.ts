import { Outbox } from "../../client/connection-outbox.ts";
import {
  type Answer,
  type ClientFrame,
  type DaemonFrame,
  encodeFrame,
  type Hello,
  LineCutter,
  maxRequestBytes,
  maxUnderWay,
  parseClientFrame,
  protocolVersion,
  type Question,
} from "../../client/protocol.ts";
import type { Host } from "../../host/port.ts";
import { exitCodeOf, type Failure } from "../../model/failure.ts";
import type { Peer } from "../../os/index.ts";
import { describeCrowd, describeObserving, describeUnbegun } from "./link-failures.ts";

/** How many calls of one client are done at once; the others wait. */
const maxAtOnce = 8;
/** No other call of a client is begun while so much waits to be read by it, and no other batch of changes is sent. */
const maxUnreadBytes = 8 << 20;
const maxUnreadLinesBytes = 256 << 10;
/** A client that has so much to read first is not listened to meanwhile: every answer would have to be kept for it. */
const maxOwedBytes = 1 << 20;
/** A client that takes nothing for so long is given up. */
const unreadMs = 30_000;
/** And so is one that never says who it is. */
const helloMs = 10_000;
/** All who look on through one client are told by it. */
const maxObserving = 1;

/** What a link needs of its daemon. */
export interface Daemonic {
  readonly build: string;
  openHost(hello: Hello, peer: Peer): Host;
  /** Answers what concerns the daemon as a whole. */
  answer(question: Extract<Question, { readonly t: "status" | "leave" }>): Answer;
  onRequest(): void;
  log(words: string): void;
}

export interface ClientSocket {
  write(bytes: Uint8Array): number;
  end(): void;
  terminate(): void;
  /** Takes no more bytes until it is resumed. */
  pause(): void;
  resume(): void;
}

/** One client's connection, from its first byte to its last. */
export class ClientLink {
  readonly sinceMs = Date.now();
  name = "";
  private readonly outbox = new Outbox();
  private readonly cutter = new LineCutter(maxRequestBytes, (line) => this.hear(line));
  private host: Host | undefined;
  private isStranger = false;
  private isClosed = false;
  private readonly underWay = new Map<number, AbortController>();
  private readonly waiting: Extract<Question, { readonly t: "call" }>[] = [];
  private running = 0;
  private watching = 0;
  private observing = 0;
  /** What came in one piece with what made it owe too much. */
  private unheard: ClientFrame[] = [];
  private metAtMs: number | undefined;
  private unreadSinceMs = 0;
  private unreadBytes = 0;

  constructor(
    private readonly socket: ClientSocket,
    readonly peer: Peer,
    private readonly daemon: Daemonic,
  ) {
    this.outbox.attach(socket);
  }

  get watchCount(): number {
    return this.watching;
  }

  take(bytes: Uint8Array): void {
    if (!this.isClosed && !this.cutter.take(bytes)) this.leave("a line was too long");
  }

  drain(): void {
    this.outbox.flush();
    this.listenAgain();
    this.pump();
  }

  /** Looks, every few seconds by the daemon's own clock, whether it is still worth talking to. */
  examine(nowMs: number): void {
    this.metAtMs ??= nowMs;
    if (this.name === "" && nowMs - this.metAtMs > helloMs) return this.leave("it never said who it is");
    const { unsentBytes } = this.outbox;
    if (unsentBytes === 0 || unsentBytes < this.unreadBytes || this.unreadBytes === 0) this.unreadSinceMs = nowMs;
    this.unreadBytes = unsentBytes;
    if (unsentBytes > 0 && nowMs - this.unreadSinceMs > unreadMs) this.drop("it does not read what it asked for");
  }

  /** Says why, and ends. */
  leave(why: string): void {
    if (this.isClosed) return;
    this.daemon.log(`client ${this.describe()} is left: ${why}`);
    this.send({ t: "bye", why });
    this.outbox.end();
    this.close();
  }

  /** Ends without a word: it would not be read. */
  drop(why: string): void {
    this.daemon.log(`client ${this.describe()} is dropped: ${why}`);
    this.close();
    this.socket.terminate();
  }

  /** What it had under way is not wanted any more, and its turns end. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.waiting.length = 0;
    this.unheard = [];
    for (const abort of this.underWay.values()) abort.abort();
    void this.host?.close();
  }

  /** The connection is gone. */
  forget(): void {
    this.outbox.drop();
    this.close();
  }

  describe(): string {
    return `${JSON.stringify(this.name)} (process ${this.peer.pid})`;
  }

  private hear(line: string): void {
    if (this.isClosed) return;
    const frame = parseClientFrame(line);
    if (frame === undefined) return this.leave("what came is none of a client's lines");
    if (frame.t !== "cancel" && this.isOwing()) {
      if (this.unheard.length === 0) this.socket.pause();
      this.unheard.push(frame);
      return;
    }
    this.obey(frame);
  }

  private isOwing(): boolean {
    return this.unheard.length > 0 || this.outbox.unsentBytes > maxOwedBytes;
  }

  private listenAgain(): void {
    if (this.unheard.length === 0) return;
    let heard = 0;
    while (heard < this.unheard.length && this.outbox.unsentBytes <= maxOwedBytes && !this.isClosed) {
      const frame = this.unheard[heard];
      heard += 1;
      if (frame !== undefined) this.obey(frame);
    }
    this.unheard.splice(0, heard);
    if (this.unheard.length === 0 && !this.isClosed) this.socket.resume();
  }

  private obey(frame: ClientFrame): void {
    if (frame.t === "hello") return this.greet(frame);
    if (this.name === "") return this.leave("the first line of a client is its hello");
    if (frame.t === "cancel") return this.cancel(frame.id);
    // One of another build could misunderstand anything else.
    if (this.isStranger && frame.t !== "leave") return;
    if (this.underWay.has(frame.id)) return this.leave(`two requests have the number ${frame.id}`);
    this.daemon.onRequest();
    this.begin(frame);
  }

  private greet(hello: Hello): void {
    if (this.name !== "") return this.leave("it said hello twice");
    const { build } = this.daemon;
    this.name = hello.client || "unknown";
    this.isStranger = hello.protocol !== protocolVersion || hello.build !== build;
    if (!this.isStranger) this.host = this.daemon.openHost(hello, this.peer);
    this.send({ t: "hello", protocol: protocolVersion, build, pid: process.pid });
  }

  private begin(question: Exclude<Question, { readonly t: "cancel" }>): void {
    const { host } = this;
    if (question.t === "status" || question.t === "leave") {
      return this.answer(question.id, this.daemon.answer(question));
    }
    if (question.t === "ping" || host === undefined) return this.answer(question.id, { of: "ping" });
    if (this.underWay.size >= maxUnderWay) return this.answer(question.id, refuse(question, describeCrowd()));
    this.underWay.set(question.id, new AbortController());
    if (question.t === "call") {
      this.waiting.push(question);
      return this.pump();
    }
    void this.conduct(question.id, async () => {
      if (question.t === "watch") return this.watch(host, question);
      if (question.t === "observe") return this.observe(host, question);
      if (question.t === "end") {
        const ended = await host.end(question.turn);
        return { of: "end", result: ended.ok ? { ok: true, value: null } : ended };
      }
      const { forMs, isKept, waitMs } = question;
      const result = await host.begin(forMs, { isKept, waitMs });
      // Who has gone while it waited would never learn of its turn.
      if (this.isClosed && result.ok) await host.end(result.value.turn);
      return { of: "begin", result };
    });
  }

  private pump(): void {
    while (this.running < maxAtOnce && this.outbox.unsentBytes < maxUnreadBytes) {
      const question = this.waiting.shift();
      const { host } = this;
      if (question === undefined || host === undefined) return;
      this.running += 1;
      const { id, request } = question;
      void this.conduct(id, async () => {
        const signal = this.underWay.get(id)?.signal;
        const onProgress = (done: number, total: number | undefined, words: string): void =>
          this.send({ t: "progress", id, done, total, words });
        return { of: "call", reply: await host.call(request, { signal, onProgress }) };
      }).finally(() => {
        this.running -= 1;
        this.pump();
      });
    }
  }

  /** However it ends, it is answered. */
  private async conduct(id: number, work: () => Promise<Answer>): Promise<void> {
    try {
      const answer = await work();
      this.answer(id, answer);
    } catch (error) {
      // A fault of ours: the one client is left, the others are not.
      const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      this.leave(`the daemon itself failed: ${words}`);
    } finally {
      this.underWay.delete(id);
    }
  }

  /** The next batch is made only when there is room for it: whatever happens meanwhile comes as one. */
  private async watch(host: Host, { id, request }: Extract<Question, { readonly t: "watch" }>): Promise<Answer> {
    const { signal } = this.underWay.get(id) ?? new AbortController();
    this.watching += 1;
    try {
      for await (const batch of host.watch(request, signal)) {
        if (!batch.ok) return { of: "watch", failure: batch.failure };
        this.send({ t: "lines", id, lines: batch.value });
        if (this.outbox.unsentBytes > maxUnreadLinesBytes) await this.outbox.drain();
        if (signal.aborted) break;
      }
      return { of: "watch" };
    } finally {
      this.watching -= 1;
    }
  }

  /** What it does not take in time is lost to it where it waits, pictures first. */
  private async observe(host: Host, { id }: Extract<Question, { readonly t: "observe" }>): Promise<Answer> {
    const { signal } = this.underWay.get(id) ?? new AbortController();
    if (this.observing >= maxObserving) return { of: "observe", failure: describeObserving() };
    this.observing += 1;
    try {
      for await (const activity of host.observe(signal)) {
        if (!activity.ok) return { of: "observe", failure: activity.failure };
        this.send({ t: "activity", id, activity: activity.value });
        if (this.outbox.unsentBytes > maxUnreadLinesBytes) await this.outbox.drain();
        if (signal.aborted) break;
      }
      return { of: "observe" };
    } finally {
      this.observing -= 1;
    }
  }

  private cancel(id: number): void {
    const at = this.waiting.findIndex((question) => question.id === id);
    const [never] = at < 0 ? [] : this.waiting.splice(at, 1);
    this.underWay.get(id)?.abort();
    if (never === undefined) return;
    this.underWay.delete(id);
    this.answer(id, refuse(never, describeUnbegun()));
  }

  private answer(id: number, answer: Answer): void {
    this.send({ t: "answer", id, answer });
  }

  private send(frame: DaemonFrame): void {
    if (!this.isClosed) this.outbox.write(encodeFrame(frame));
  }
}

function refuse({ t }: Exclude<Question, { readonly t: "cancel" }>, failure: Failure): Answer {
  if (t === "watch" || t === "observe") return { of: t, failure };
  if (t === "begin" || t === "end") return { of: t, result: { ok: false, failure } };
  return { of: "call", reply: { outputs: {}, failure, exitCode: exitCodeOf(failure.code), warnings: [] } };
}
