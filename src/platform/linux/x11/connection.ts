import { type ByteSocket, connectUnix } from "../socket.ts";
import { findCookie } from "./authority.ts";

/** The server answered a request with an error; most often the window is gone. */
export class XError extends Error {
  override readonly name = "XError";
  constructor(
    readonly code: number,
    readonly opcode: number,
  ) {
    super(`X error ${code} for request ${opcode}`);
  }
}

export class XUnavailable extends Error {
  override readonly name = "XUnavailable";
}

interface Waiting {
  resolve(reply: Buffer): void;
  reject(error: Error): void;
}

/**
 * A read-only X11 client of the few requests that listing windows needs. The `x11` package does far more and takes 60 ms
 * to load and connect; this takes 2 (docs/decisions.md).
 */
export class XConnection {
  private readonly waiting = new Map<number, Waiting>();
  private sequence = 0;
  private received: Buffer = Buffer.alloc(0);
  private setup: Waiting | undefined;
  private socket: ByteSocket | undefined;
  private outgoing: Buffer[] = [];
  private failure: Error | undefined;
  root = 0;
  rootWidth = 0;
  rootHeight = 0;

  private constructor() {}

  static async connect(env: Readonly<Record<string, string | undefined>>, timeoutMs: number): Promise<XConnection> {
    const display = parseDisplay(env.DISPLAY ?? "");
    const connection = new XConnection();
    const timer = setTimeout(() => connection.fail(new XUnavailable("the X server does not answer")), timeoutMs);
    try {
      await connection.open(display, env);
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  get isOpen(): boolean {
    return this.failure === undefined;
  }

  /** Sends a request whose bytes lack only the length field, and returns the whole reply. */
  request(bytes: Buffer): Promise<Buffer> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    bytes.writeUInt16LE(bytes.length / 4, 2);
    this.sequence += 1;
    const reply = new Promise<Buffer>((resolve, reject) => {
      this.waiting.set(this.sequence & 0xffff, { resolve, reject });
    });
    if (this.outgoing.length === 0) queueMicrotask(() => this.flush());
    this.outgoing.push(bytes);
    return reply;
  }

  fail(error: Error): void {
    if (this.failure !== undefined) return;
    this.failure = error;
    this.setup?.reject(error);
    for (const one of this.waiting.values()) one.reject(error);
    this.waiting.clear();
  }

  close(): void {
    this.fail(new XUnavailable("the connection was closed"));
    this.socket?.close();
  }

  private async open(display: string, env: Readonly<Record<string, string | undefined>>): Promise<void> {
    const greeting = new Promise<Buffer>((resolve, reject) => {
      this.setup = { resolve, reject };
    });
    // A rejection while the socket is still being opened must not count as unhandled.
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
    const cookie = findCookie(env, display);
    this.socket.write(encodeSetup(cookie?.name ?? "", cookie?.data ?? Buffer.alloc(0)));
    this.readSetup(await greeting);
  }

  private readSetup(reply: Buffer): void {
    if (reply[0] !== 1)
      throw new XUnavailable(reply.toString("latin1", 8, 8 + (reply[1] ?? 0)).trim() || "access refused");
    const vendorBytes = pad4(reply.readUInt16LE(24));
    const formats = reply.readUInt8(29);
    const screenAt = 40 + vendorBytes + formats * 8;
    this.root = reply.readUInt32LE(screenAt);
    this.rootWidth = reply.readUInt16LE(screenAt + 20);
    this.rootHeight = reply.readUInt16LE(screenAt + 22);
  }

  private flush(): void {
    const batch = Buffer.concat(this.outgoing);
    this.outgoing = [];
    if (this.failure === undefined) this.socket?.write(batch);
  }

  private receive(bytes: Uint8Array): void {
    this.received = Buffer.concat([this.received, bytes]);
    if (this.setup !== undefined) {
      if (this.received.length < 8) return;
      const length = 8 + this.received.readUInt16LE(6) * 4;
      if (this.received.length < length) return;
      const { resolve } = this.setup;
      this.setup = undefined;
      resolve(this.received.subarray(0, length));
      this.received = this.received.subarray(length);
    }
    this.receiveReplies();
  }

  private receiveReplies(): void {
    while (this.received.length >= 32) {
      const kind = this.received[0];
      const length = kind === 1 ? 32 + this.received.readUInt32LE(4) * 4 : 32;
      if (this.received.length < length) return;
      const message = this.received.subarray(0, length);
      this.received = this.received.subarray(length);
      if (kind !== 0 && kind !== 1) continue;
      const sequence = message.readUInt16LE(2);
      const one = this.waiting.get(sequence);
      this.waiting.delete(sequence);
      if (kind === 1) one?.resolve(message);
      else one?.reject(new XError(message[1] ?? 0, message[10] ?? 0));
    }
  }
}

/** ":1", ":1.0" and "unix:1" name a local display; anything else would be a network connection. */
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

export function pad4(length: number): number {
  return Math.ceil(length / 4) * 4;
}
