import { type ClientFrame, type ClientRequest, type Hello, parseClientFrame } from "../../client/client-frame.ts";
import type { Inlet } from "../../client/connection.ts";
import { Outbox, type Sink } from "../../client/connection-outbox.ts";
import {
  type DaemonAnswer,
  type DaemonFrame,
  encodeFrame,
  LineCutter,
  maxRequestBytes,
  maxUnderWay,
  protocolVersion,
} from "../../client/protocol.ts";
import { type Host, replyWithFailure } from "../../host/port.ts";
import { nameFault } from "../../model/caught.ts";
import { type Failure, makeFailure, type Result } from "../../model/failure.ts";
import type { Peer } from "../../os/index.ts";

/** How many calls of one client run at once; the others wait. */
const maxAtOnce = 8;
/** While a client has more than this to read, none of its calls is started, or no batch of changes is sent. */
const maxUnreadBytes = 8 << 20;
const maxUnreadLinesBytes = 256 << 10;
/** While a client has more than this to read, its requests are not read: all the answers would have to be kept. */
const maxOwedBytes = 1 << 20;
/** A client that reads nothing for this long is disconnected. */
const unreadMs = 30_000;
/** The same for one that sends no hello. */
const helloMs = 10_000;
/** One observation serves everybody behind one client. */
const maxObserving = 1;

export interface LinkDaemon {
  readonly build: string;
  openHost(hello: Hello, peer: Peer): Host;
  /** Answers a question about the daemon as a whole. */
  answer(question: Extract<ClientRequest, { readonly t: "status" | "leave" }>): DaemonAnswer;
  onRequest(): void;
  log(words: string): void;
}

interface ClientSocket extends Sink, Inlet {
  terminate(): void;
}

const crowded = makeFailure(
  "UNAVAILABLE",
  `this client has ${maxUnderWay} requests under way already`,
  "wait for some of them to be answered.",
);
const alreadyObserving = makeFailure(
  "UNAVAILABLE",
  "this client already observes",
  "the first observation reports everything.",
);

/** One client's connection, from its first byte to its last. */
export class ClientLink {
  readonly sinceMs = Date.now();
  name = "";
  private readonly outbox = new Outbox();
  private readonly cutter = new LineCutter(maxRequestBytes, (line) => this.receive(line));
  private host: Host | undefined;
  private isOtherBuild = false;
  private isClosed = false;
  private readonly underWay = new Map<number, AbortController>();
  private readonly waiting: Extract<ClientRequest, { readonly t: "call" }>[] = [];
  private running = 0;
  private watching = 0;
  private observing = 0;
  /** Frames that arrived before the socket was paused, to be handled once the client has read enough. */
  private deferred: ClientFrame[] = [];
  private metAtMs: number | undefined;
  private unreadSinceMs = 0;
  private unreadBytes = 0;

  constructor(
    private readonly socket: ClientSocket,
    readonly peer: Peer,
    private readonly daemon: LinkDaemon,
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
    this.handleDeferred();
    this.pump();
  }

  /** Called every few seconds, with the daemon's own clock: disconnects a silent client. */
  examine(nowMs: number): void {
    this.metAtMs ??= nowMs;
    if (this.name === "" && nowMs - this.metAtMs > helloMs) return this.leave("it never said who it is");
    const { unsentBytes } = this.outbox;
    if (unsentBytes === 0 || unsentBytes < this.unreadBytes || this.unreadBytes === 0) this.unreadSinceMs = nowMs;
    this.unreadBytes = unsentBytes;
    if (unsentBytes > 0 && nowMs - this.unreadSinceMs > unreadMs) this.drop("it does not read what it asked for");
  }

  leave(why: string): void {
    if (this.isClosed) return;
    this.daemon.log(`client ${this.describe()} is left: ${why}`);
    this.send({ t: "bye", why });
    this.outbox.end();
    this.close();
  }

  /** Closes without a message, which would not be read. */
  drop(why: string): void {
    this.daemon.log(`client ${this.describe()} is dropped: ${why}`);
    this.close();
    this.socket.terminate();
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.waiting.length = 0;
    this.deferred = [];
    for (const abort of this.underWay.values()) abort.abort();
    void this.host?.close();
  }

  forget(): void {
    this.outbox.drop();
    this.close();
  }

  describe(): string {
    return `${JSON.stringify(this.name)} (process ${this.peer.pid})`;
  }

  private receive(line: string): void {
    if (this.isClosed) return;
    const frame = parseClientFrame(line);
    if (frame === undefined) return this.leave("it sent a line that is not in the protocol");
    if (frame.t !== "cancel" && this.isOwing()) {
      if (this.deferred.length === 0) this.socket.pause();
      this.deferred.push(frame);
      return;
    }
    this.handle(frame);
  }

  private isOwing(): boolean {
    return this.deferred.length > 0 || this.outbox.unsentBytes > maxOwedBytes;
  }

  private handleDeferred(): void {
    if (this.deferred.length === 0) return;
    let handled = 0;
    while (handled < this.deferred.length && this.outbox.unsentBytes <= maxOwedBytes && !this.isClosed) {
      const frame = this.deferred[handled];
      handled += 1;
      if (frame !== undefined) this.handle(frame);
    }
    this.deferred.splice(0, handled);
    if (this.deferred.length === 0 && !this.isClosed) this.socket.resume();
  }

  private handle(frame: ClientFrame): void {
    if (frame.t === "hello") return this.greet(frame);
    if (this.name === "") return this.leave("the first line of a client is its hello");
    if (frame.t === "cancel") return this.cancel(frame.id);
    // Another build may understand anything else differently.
    if (this.isOtherBuild && frame.t !== "leave") return;
    if (this.underWay.has(frame.id)) return this.leave(`two requests have the number ${frame.id}`);
    this.daemon.onRequest();
    this.begin(frame);
  }

  private greet(hello: Hello): void {
    if (this.name !== "") return this.leave("it said hello twice");
    const { build } = this.daemon;
    this.name = hello.client || "unknown";
    this.isOtherBuild = hello.protocol !== protocolVersion || hello.build !== build;
    if (!this.isOtherBuild) this.host = this.daemon.openHost(hello, this.peer);
    this.send({ t: "hello", protocol: protocolVersion, build, pid: process.pid });
  }

  private begin(question: Exclude<ClientRequest, { readonly t: "cancel" }>): void {
    const { host } = this;
    if (question.t === "status" || question.t === "leave") {
      return this.answer(question.id, this.daemon.answer(question));
    }
    if (question.t === "ping" || host === undefined) return this.answer(question.id, { of: "ping" });
    if (this.underWay.size >= maxUnderWay) return this.answer(question.id, refuse(question, crowded));
    this.underWay.set(question.id, new AbortController());
    if (question.t === "call") {
      this.waiting.push(question);
      return this.pump();
    }
    void this.run(question.id, async () => {
      if (question.t === "watch") return this.watch(host, question);
      if (question.t === "observe") return this.observe(host, question);
      if (question.t === "listen") return this.listen(host, question);
      if (question.t === "send") return this.sendOut(host, question);
      if (question.t === "ring") return { of: "ring", result: await host.ring(question.request) };
      if (question.t === "recall") return { of: "recall", result: await host.recall(question.request) };
      if (question.t === "end") {
        const ended = await host.end(question.turn);
        return { of: "end", result: ended.ok ? { ok: true, value: null } : ended };
      }
      const { forMs, isKept, waitMs } = question;
      const result = await host.begin(forMs, { isKept, waitMs });
      // A client that left while it waited would never learn of its turn.
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
      void this.run(id, async () => {
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

  /** Sends an answer, however the work ends. */
  private async run(id: number, work: () => Promise<DaemonAnswer>): Promise<void> {
    try {
      const answer = await work();
      this.answer(id, answer);
    } catch (error) {
      // A bug: only this client is disconnected.
      this.leave(`the daemon itself failed: ${nameFault(error)}`);
    } finally {
      this.underWay.delete(id);
    }
  }

  private async watch(
    host: Host,
    { id, request }: Extract<ClientRequest, { readonly t: "watch" }>,
  ): Promise<DaemonAnswer> {
    this.watching += 1;
    const failure = await this.stream(
      id,
      (signal) => host.watch(request, signal),
      (lines) => ({ t: "lines", id, lines }),
    ).finally(() => {
      this.watching -= 1;
    });
    return { of: "watch", ...failure };
  }

  private async observe(host: Host, { id }: Extract<ClientRequest, { readonly t: "observe" }>): Promise<DaemonAnswer> {
    if (this.observing >= maxObserving) return { of: "observe", failure: alreadyObserving };
    this.observing += 1;
    const failure = await this.stream(
      id,
      (signal) => host.observe(signal),
      (activity) => ({ t: "activity", id, activity }),
    ).finally(() => {
      this.observing -= 1;
    });
    return { of: "observe", ...failure };
  }

  private async listen(
    host: Host,
    { id, request }: Extract<ClientRequest, { readonly t: "listen" }>,
  ): Promise<DaemonAnswer> {
    const failure = await this.stream(
      id,
      (signal) => host.listen(request, signal),
      (listened) => ({ t: "listened", id, listened }),
      true,
    );
    return { of: "listen", ...failure };
  }

  private async sendOut(
    host: Host,
    { id, request }: Extract<ClientRequest, { readonly t: "send" }>,
  ): Promise<DaemonAnswer> {
    const failure = await this.stream(
      id,
      (signal) => host.send(request, signal),
      (part) => ({ t: "sent", id, part }),
    );
    return { of: "send", ...failure };
  }

  /** Takes the next value only when there is room for it: the source joins or drops what happens meanwhile. */
  private async stream<T>(
    id: number,
    open: (signal: AbortSignal) => AsyncIterable<Result<T>>,
    toFrame: (value: T) => DaemonFrame,
    /** Whether what still comes after the client's cancellation is sent. */
    isFinished = false,
  ): Promise<{ readonly failure?: Failure }> {
    const { signal } = this.underWay.get(id) ?? new AbortController();
    for await (const one of open(signal)) {
      if (!one.ok) return { failure: one.failure };
      this.send(toFrame(one.value));
      if (this.outbox.unsentBytes > maxUnreadLinesBytes) await this.outbox.drain();
      if (signal.aborted && !isFinished) break;
    }
    return {};
  }

  private cancel(id: number): void {
    const at = this.waiting.findIndex((question) => question.id === id);
    const [never] = at < 0 ? [] : this.waiting.splice(at, 1);
    this.underWay.get(id)?.abort();
    if (never === undefined) return;
    this.underWay.delete(id);
    this.answer(id, refuse(never, makeFailure("CANCELLED", "it was cancelled before it was begun")));
  }

  private answer(id: number, answer: DaemonAnswer): void {
    this.send({ t: "answer", id, answer });
  }

  private send(frame: DaemonFrame): void {
    if (!this.isClosed) this.outbox.write(encodeFrame(frame));
  }
}

function refuse({ t }: Exclude<ClientRequest, { readonly t: "cancel" }>, failure: Failure): DaemonAnswer {
  if (t === "watch" || t === "observe" || t === "listen" || t === "send") return { of: t, failure };
  if (t === "begin" || t === "end" || t === "recall" || t === "ring") return { of: t, result: { ok: false, failure } };
  return { of: "call", reply: replyWithFailure(failure) };
}
