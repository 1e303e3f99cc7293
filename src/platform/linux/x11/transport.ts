import type { Env } from "../../../model/env.ts";
import { ignore } from "../ignore.ts";
import { type ByteSocket, connectUnix, notifyListeners } from "../socket.ts";
import { findCookie, parseSetup, type XSetup } from "./setup.ts";
import { TracedBatch } from "./trace-batch.ts";
import { encodeRequest, encodeWithBytes, pad4 } from "./wire.ts";

/** An error reply; most often the window is gone. */
export class XError extends Error {
  override readonly name = "XError";
  constructor(
    readonly code: number,
    readonly opcode: number,
  ) {
    super(`X error ${code} for request ${opcode}`);
  }

  /** The object no longer exists or is not shown: Window, Pixmap, Match, Drawable. */
  get isGone(): boolean {
    return [3, 4, 8, 9].includes(this.code);
  }
}

export class XUnavailable extends Error {
  override readonly name: string = "XUnavailable";
}

/** It hangs, or was given too little time. */
export class XSilent extends XUnavailable {
  override readonly name = "XSilent";

  constructor(readonly waitedMs: number) {
    super("the X server does not answer");
  }
}

interface Waiting {
  resolve(reply: Buffer): void;
  reject(error: Error): void;
}

const getInputFocus = 43;
const queryExtension = 98;

export interface XExtension {
  readonly opcode: number;
  readonly firstEvent: number;
}

/**
 * Sends requests to an X server and matches replies and errors to them. The `x11` package takes 60 ms to load and
 * connect; this takes 2 (docs/decisions.md).
 */
export class XTransport {
  private readonly waiting = new Map<number, Waiting>();
  private readonly streams = new Map<number, (reply: Buffer) => void>();
  private sequence = 0;
  private readonly extensions = new Map<string, Promise<XExtension | undefined>>();
  private readonly listeners = new Set<(event: Buffer) => void>();
  private readonly endings: (() => void)[] = [];
  private received: Buffer[] = [];
  private receivedBytes = 0;
  /** How many bytes are needed before the next message can be read. */
  private neededBytes = 8;
  private nextId = 0;
  private setup: Waiting | undefined;
  private socket: ByteSocket | undefined;
  private outgoing: Buffer[] = [];
  private batch: TracedBatch | undefined;
  private failure: Error | undefined;
  private parsed: XSetup | undefined;

  protected constructor(readonly env: Env) {}

  get server(): XSetup {
    if (this.parsed === undefined) throw new XUnavailable("the connection is not open yet");
    return this.parsed;
  }

  get root(): number {
    return this.server.root;
  }

  get rootWidth(): number {
    return this.server.width;
  }

  get rootHeight(): number {
    return this.server.height;
  }

  protected async connect(timeoutMs: number): Promise<void> {
    const display = parseDisplay(this.env.DISPLAY ?? "");
    try {
      await this.within(timeoutMs, () => this.open(display, this.env));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  get isOpen(): boolean {
    return this.failure === undefined;
  }

  /** Sends a request, filling in its length, and returns the reply; `isAnswered` is for the trace. */
  request(bytes: Buffer, isAnswered = true): Promise<Buffer> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    bytes.writeUInt16LE(bytes.length / 4, 2);
    this.sequence += 1;
    const reply = new Promise<Buffer>((resolve, reject) => {
      this.waiting.set(this.sequence & 0xffff, { resolve, reject });
    });
    if (this.outgoing.length === 0) {
      queueMicrotask(() => this.flush());
      this.batch = TracedBatch.begin();
    }
    this.outgoing.push(bytes);
    this.batch?.add(bytes, isAnswered ? reply : undefined);
    return reply;
  }

  /** Sends a request that is answered again and again; rejects if the server refuses it. */
  stream(bytes: Buffer, onReply: (reply: Buffer) => void): Promise<Buffer> {
    const first = this.request(bytes);
    this.streams.set(this.sequence & 0xffff, onReply);
    return first;
  }

  /** Sends a request without reply; rejects if the server refuses it. */
  send(bytes: Buffer): Promise<void> {
    return this.sendAll([bytes]);
  }

  /**
   * Sends several without a reply in between. A server that cannot deliver a reply, because the client was killed,
   * drops the client's remaining requests.
   */
  async sendAll(requests: readonly Buffer[]): Promise<void> {
    if (requests.length === 0) return;
    const sequences: number[] = [];
    const refusals = requests.map((bytes) => {
      const refusal = this.request(bytes, false);
      sequences.push(this.sequence & 0xffff);
      return refusal;
    });
    try {
      // Requests are answered in order: an answer to the next one means that these are done.
      await Promise.race([...refusals, this.request(encodeRequest(getInputFocus, 0))]);
    } finally {
      for (const sequence of sequences) this.waiting.delete(sequence);
    }
  }

  /** Fails the connection if the work takes too long. */
  async within<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.fail(new XSilent(timeoutMs)), timeoutMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  }

  allotId(): number {
    const { idBase, idMask } = this.server;
    const step = idMask & -idMask;
    this.nextId += step;
    return (idBase | (this.nextId & idMask)) >>> 0;
  }

  /** The X client that a resource belongs to: the common prefix of its resource ids. */
  clientOf(id: number): number {
    return (id & ~this.server.idMask) >>> 0;
  }

  /** An extension's first opcode and event; undefined if the server lacks it. */
  findExtension(name: string): Promise<XExtension | undefined> {
    const found = this.extensions.get(name) ?? this.queryExtension(name);
    this.extensions.set(name, found);
    return found;
  }

  /** Calls back for every event until the returned function is called. */
  listen(onEvent: (event: Buffer) => void): () => void {
    this.listeners.add(onEvent);
    return () => this.listeners.delete(onEvent);
  }

  /** Calls back when the connection has ended for any reason. */
  onEnd(call: () => void): void {
    if (this.failure === undefined) this.endings.push(call);
    else call();
  }

  fail(error: Error): void {
    if (this.failure !== undefined) return;
    this.failure = error;
    for (const call of this.endings) call();
    this.setup?.reject(error);
    for (const one of this.waiting.values()) one.reject(error);
    this.waiting.clear();
  }

  close(): void {
    this.fail(new XUnavailable("the connection was closed"));
    this.socket?.close();
  }

  private async open(display: string, env: Env): Promise<void> {
    const greeting = new Promise<Buffer>((resolve, reject) => {
      this.setup = { resolve, reject };
    });
    // A rejection while the socket is still opening must not count as unhandled.
    greeting.catch(() => undefined);
    try {
      this.socket = await connectUnix(`/tmp/.X11-unix/X${display}`, {
        onData: (bytes) => this.receive(bytes),
        onClose: (reason) => this.fail(new XUnavailable(reason)),
      });
    } catch (error) {
      throw new XUnavailable(
        `display ":${display}" does not exist (${error instanceof Error ? error.message : String(error)})`,
      );
    }
    // Closed while it was being opened: an open socket would keep the process running.
    if (this.failure !== undefined) this.socket.close();
    const cookie = findCookie(env, display);
    this.socket.write(encodeSetup(cookie?.name ?? "", cookie?.data ?? Buffer.alloc(0)));
    const reply = await greeting;
    if (reply[0] !== 1) {
      throw new XUnavailable(reply.toString("latin1", 8, 8 + (reply[1] ?? 0)).trim() || "access refused");
    }
    this.parsed = parseSetup(reply);
  }

  private async queryExtension(name: string): Promise<XExtension | undefined> {
    const reply = await this.request(encodeWithBytes(queryExtension, 0, [name.length], Buffer.from(name, "latin1")));
    return reply[8] === 1 ? { opcode: reply[9] ?? 0, firstEvent: reply[10] ?? 0 } : undefined;
  }

  private flush(): void {
    const batch = Buffer.concat(this.outgoing);
    this.outgoing = [];
    if (this.failure === undefined) this.socket?.write(batch);
  }

  private receive(bytes: Uint8Array): void {
    this.received.push(Buffer.from(bytes));
    this.receivedBytes += bytes.length;
    // A picture arrives in hundreds of chunks: they are joined once, when complete.
    while (this.receivedBytes >= this.neededBytes) {
      const whole = this.received.length === 1 ? this.received[0] : Buffer.concat(this.received);
      if (whole === undefined) return;
      this.received = [whole];
      const length = this.setup === undefined ? lengthOfMessage(whole) : 8 + whole.readUInt16LE(6) * 4;
      if (whole.length < length) {
        this.neededBytes = length;
        return;
      }
      this.received = [whole.subarray(length)];
      this.receivedBytes -= length;
      this.neededBytes = 32;
      this.deliver(whole.subarray(0, length));
    }
  }

  private deliver(message: Buffer): void {
    if (this.setup !== undefined) {
      const { resolve } = this.setup;
      this.setup = undefined;
      return resolve(message);
    }
    const kind = message[0];
    if (kind !== 0 && kind !== 1) {
      notifyListeners(this.listeners, message);
      return;
    }
    const sequence = message.readUInt16LE(2);
    const one = this.waiting.get(sequence);
    this.waiting.delete(sequence);
    if (kind === 1) this.streams.get(sequence)?.(message);
    if (kind === 1) one?.resolve(message);
    else one?.reject(new XError(message[1] ?? 0, message[10] ?? 0));
  }
}

/** For work in the background: a lost display, or a window that is gone, is noticed elsewhere. */
export const ignoreLoss = ignore(XUnavailable, XError);

/** Replies and generic events (35) contain their extra length; errors and other events have 32 bytes. */
function lengthOfMessage(message: Buffer): number {
  const kind = (message[0] ?? 0) & 0x7f;
  return kind === 1 || kind === 35 ? 32 + message.readUInt32LE(4) * 4 : 32;
}

/** ":1", ":1.0" and "unix:1" are local displays; anything else would use the network. */
function parseDisplay(display: string): string {
  const match = /^(?:unix)?:(\d+)(?:\.\d+)?$/.exec(display);
  if (match?.[1] !== undefined) return match[1];
  throw new XUnavailable(display === "" ? "DISPLAY is not set" : `DISPLAY "${display}" is not a local display`);
}

function encodeSetup(name: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + pad4(name.length) + pad4(data.length));
  bytes[0] = 0x6c;
  bytes.writeUInt16LE(11, 2);
  bytes.writeUInt16LE(name.length, 6);
  bytes.writeUInt16LE(data.length, 8);
  bytes.write(name, 12, "latin1");
  data.copy(bytes, 12 + pad4(name.length));
  return bytes;
}
