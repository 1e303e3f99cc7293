import { user } from "../../../os/index.ts";
import { ignore } from "../ignore.ts";
import { type ByteSocket, connectUnix, notifyListeners } from "../socket.ts";
import {
  type Call,
  decodeMessage,
  decodeSignal,
  encodeCall,
  encodeSignal,
  type Message,
  measureMessage,
  messageType,
  type Signal,
} from "./message.ts";
import type { Value } from "./reader.ts";
import { MalformedMessage } from "./signature.ts";
import { traceCall } from "./trace-call.ts";

/** An error reply: the other side is alive and refuses. */
export class ErrorReply extends Error {
  override readonly name = "ErrorReply";
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
}

/** The time allowed for one application ran out. */
export class DeadlinePassed extends Error {
  override readonly name = "DeadlinePassed";
}

/** Undefined for an error reply: the object is gone or does not offer the call. */
export function unlessRefused<T>(reply: Promise<T>): Promise<T | undefined> {
  return reply.catch(ignore(ErrorReply));
}

/** The expected type of a reply: a D-Bus signature and the TypeScript type it decodes to. */
export interface Shape<T> {
  readonly signature: string;
  readonly type?: T;
}

export function shape<T>(signature: string): Shape<T> {
  return { signature };
}

interface Pending {
  readonly signature: string;
  resolve(value: Value | undefined): void;
  reject(error: Error): void;
}

/** A connection to one message bus: calls are sent in batches and matched to replies by serial number. */
export class Bus {
  private nextSerial = 1;
  private readonly pending = new Map<number, Pending>();
  private readonly listeners = new Set<(signal: Signal) => void>();
  private outgoing: Uint8Array[] = [];
  private chunks: Uint8Array[] = [];
  private chunkBytes = 0;
  private neededBytes = 1;
  private failure: ConnectionLost | undefined;
  private socket: ByteSocket | undefined;
  private handshake: { resolve(line: string): void; reject(error: Error): void } | undefined;
  /** Identifies this run of the bus: unique names (":1.7") are only valid within it. */
  guid = "";
  /** The processes behind unique names, as far as they were asked for. */
  readonly pids = new Map<string, number>();
  /** Our unique name on this bus. */
  name = "";

  private constructor() {}

  /** Connects to a bus or, if `isDirect`, to one application without a bus. */
  static async connect(address: string, timeoutMs: number, isDirect = false): Promise<Bus> {
    let lastError = new ConnectionLost(`"${address}" names no Unix socket`);
    for (const path of parseUnixPaths(address)) {
      const bus = new Bus();
      try {
        await withTimeout(
          bus.open(path, isDirect),
          timeoutMs,
          () => new ConnectionLost("the bus did not answer in time"),
        );
        return bus;
      } catch (error) {
        bus.close();
        lastError = new ConnectionLost(error instanceof Error ? error.message : String(error));
      }
    }
    throw lastError;
  }

  get isOpen(): boolean {
    return this.failure === undefined;
  }

  /**
   * Sends a call. The reply is decoded only if it has the expected signature; an error reply rejects with ErrorReply.
   */
  send<T>(call: Call, expected: Shape<T>): { serial: number; reply: Promise<T> } {
    const serial = this.nextSerial;
    this.nextSerial += 1;
    if (this.failure !== undefined) return { serial, reply: Promise.reject(this.failure) };
    const reply = new Promise<T>((resolve, reject) => {
      // The only cast of the codec: the signature was compared, so the value has the declared type.
      const settle = (value: Value | undefined): void => resolve(value as T);
      this.pending.set(serial, { signature: expected.signature, resolve: settle, reject });
    });
    this.enqueue(encodeCall(call, serial));
    const end = traceCall(call, this.pids);
    if (end !== undefined)
      reply.then(
        () => end(false),
        () => end(true),
      );
    return { serial, reply };
  }

  /** Sends a signal to one receiver. Later messages to the same receiver arrive after it. */
  signal(signal: Call): void {
    this.enqueue(encodeSignal(signal, this.nextSerial));
    this.nextSerial += 1;
  }

  /** Calls back for every incoming signal until the returned function is called; AddMatch selects them. */
  listen(onSignal: (signal: Signal) => void): () => void {
    this.listeners.add(onSignal);
    return () => this.listeners.delete(onSignal);
  }

  call<T>(call: Call, expected: Shape<T>): Promise<T> {
    return this.send(call, expected).reply;
  }

  /** Rejects with DeadlinePassed if the reply is late. */
  async callWithin<T>(call: Call, expected: Shape<T>, timeoutMs: number): Promise<T> {
    const { serial, reply } = this.send(call, expected);
    const late = new DeadlinePassed(`no answer within ${timeoutMs} ms`);
    const timer = setTimeout(() => this.forget(serial, late), timeoutMs);
    return reply.finally(() => clearTimeout(timer));
  }

  addMatch(rule: string): Promise<undefined> {
    return this.call(busCall("AddMatch", "s", [rule]), shape<undefined>(""));
  }

  /** Nobody waits for it: a bus that is gone has no rules. */
  removeMatch(rule: string): void {
    const removed = this.call(busCall("RemoveMatch", "s", [rule]), shape<undefined>(""));
    removed.catch(ignore(ConnectionLost, ErrorReply));
  }

  /** Stops waiting for a reply; it is dropped when it arrives. */
  forget(serial: number, error: Error): void {
    const waiting = this.pending.get(serial);
    this.pending.delete(serial);
    waiting?.reject(error);
  }

  close(reason = "the connection was closed"): void {
    this.fail(reason);
    this.socket?.close();
  }

  /** Leaves the connection to a process that holds it open, unused, as long as another one runs. */
  leaveOpen(pid: number): void {
    this.fail("the connection was left");
    this.socket?.leaveOpen(pid);
  }

  private async open(path: string, isDirect: boolean): Promise<void> {
    const greeting = new Promise<string>((resolve, reject) => {
      this.handshake = { resolve, reject };
    });
    // A rejection while the socket is still opening must not count as unhandled.
    greeting.catch(() => undefined);
    this.socket = await connectUnix(path, {
      onData: (bytes) => this.receive(bytes),
      onClose: (reason) => this.fail(reason),
    });
    // Closed while it was being opened: an open socket would keep the process running.
    if (this.failure !== undefined) this.socket.close();
    const uid = Buffer.from(String(user.id() ?? 0)).toString("hex");
    this.socket.write(Buffer.from(`\0AUTH EXTERNAL ${uid}\r\n`));
    const line = await greeting;
    if (!line.startsWith("OK ")) throw new ConnectionLost(`the bus refused this user: ${line}`);
    this.guid = line.slice(3).trim();
    this.socket.write(Buffer.from("BEGIN\r\n"));
    if (!isDirect) this.name = await this.call(busCall("Hello"), shape<string>("s"));
  }

  private enqueue(bytes: Uint8Array): void {
    if (this.outgoing.length === 0) queueMicrotask(() => this.flush());
    this.outgoing.push(bytes);
  }

  private flush(): void {
    const batch = this.outgoing;
    this.outgoing = [];
    if (this.failure === undefined)
      this.socket?.write(batch.length === 1 && batch[0] ? batch[0] : Buffer.concat(batch));
  }

  /** Chunks are joined only when a message is complete: a large reply arrives in hundreds of them. */
  private receive(bytes: Uint8Array): void {
    this.chunks.push(bytes.slice());
    this.chunkBytes += bytes.length;
    if (this.chunkBytes < this.neededBytes) return;
    const received = this.chunks.length === 1 && this.chunks[0] ? this.chunks[0] : Buffer.concat(this.chunks);
    try {
      const rest = this.handshake === undefined ? received : this.receiveLine(received);
      this.keep(this.handshake === undefined ? this.receiveMessages(rest) : rest);
    } catch (error) {
      this.fail(error instanceof Error ? error.message : String(error));
      this.socket?.close();
    }
  }

  private keep(rest: Uint8Array): void {
    this.chunks = rest.length === 0 ? [] : [rest];
    this.chunkBytes = rest.length;
  }

  private receiveLine(received: Uint8Array): Uint8Array {
    const end = received.indexOf(0x0a);
    if (end < 0) {
      if (received.length > 4096) throw new MalformedMessage("the bus's greeting does not end");
      return received;
    }
    this.handshake?.resolve(Buffer.from(received.subarray(0, end)).toString("latin1"));
    this.handshake = undefined;
    return received.subarray(end + 1);
  }

  private receiveMessages(received: Uint8Array): Uint8Array {
    let rest = received;
    for (;;) {
      const length = measureMessage(rest);
      this.neededBytes = length ?? rest.length + 1;
      if (length === undefined || length > rest.length) return rest;
      this.deliver(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  }

  private deliver(bytes: Uint8Array): void {
    const message = decodeMessage(bytes);
    if (message.type !== messageType.signal) return this.settle(message);
    if (this.listeners.size === 0) return;
    notifyListeners(this.listeners, decodeSignal(bytes));
  }

  private settle(message: Message): void {
    if (message.type !== messageType.reply && message.type !== messageType.error) return;
    const waiting = this.pending.get(message.replySerial);
    if (waiting === undefined) return;
    // Decoded while the call is still pending: if the content is malformed, it fails with the connection.
    const isExpected = message.type === messageType.reply && message.signature === waiting.signature;
    const values = isExpected || message.signature.startsWith("s") ? message.readBody() : [];
    const [content] = values;
    this.pending.delete(message.replySerial);
    if (message.type === messageType.error) {
      waiting.reject(new ErrorReply(message.errorName, typeof content === "string" ? content : message.errorName));
    } else if (isExpected) {
      // A reply of several values is returned as a list.
      waiting.resolve(values.length > 1 ? values : content);
    } else {
      const why = `expected "${waiting.signature}", got "${message.signature}"`;
      waiting.reject(new ErrorReply("deskmap.UnexpectedReply", why));
    }
  }

  private fail(reason: string): void {
    if (this.failure !== undefined) return;
    this.failure = new ConnectionLost(reason);
    this.handshake?.reject(this.failure);
    for (const waiting of this.pending.values()) waiting.reject(this.failure);
    this.pending.clear();
  }
}

export function busCall(member: string, signature?: string, args?: readonly Value[]): Call {
  const base = {
    destination: "org.freedesktop.DBus",
    path: "/org/freedesktop/DBus",
    interface: "org.freedesktop.DBus",
    member,
  };
  return signature === undefined ? base : { ...base, signature, args: args ?? [] };
}

export async function withTimeout<T>(work: Promise<T>, timeoutMs: number, makeError: () => Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(makeError()), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** The Unix socket paths of a D-Bus server address, in order of preference. */
export function parseUnixPaths(address: string): string[] {
  const paths: string[] = [];
  for (const entry of address.split(";")) {
    const [transport, rest] = splitOnce(entry, ":");
    if (transport !== "unix") continue;
    const options = new Map(rest.split(",").map((option) => splitOnce(option, "=")));
    const path = options.get("path");
    const abstract = options.get("abstract");
    if (path !== undefined) paths.push(unescapeValue(path));
    if (abstract !== undefined) paths.push(`\0${unescapeValue(abstract)}`);
  }
  return paths;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}

function unescapeValue(value: string): string {
  return value.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString());
}
