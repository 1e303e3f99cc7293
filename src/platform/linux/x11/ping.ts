import { setTimeout as pause } from "node:timers/promises";
import type { Env } from "../../../model/env.ts";
import { findClientPid } from "./client-pid.ts";
import { XConnection } from "./connection.ts";
import { waitUntilIdle } from "./idle.ts";
import { getParent, getProperty, internAtoms, readUint32s } from "./requests.ts";

const opcode = { changeAttributes: 2, sendEvent: 25, getInputFocus: 43 };
const eventMaskAttribute = 1 << 11;
/** StructureNotify and SubstructureNotify: Qt answers to one, all others to the other. */
const answersMask = (1 << 17) | (1 << 19);
const clientMessage = 33;
const maxLevels = 24;
/** An idle xterm handles a line in less than 5 ms. */
const settleMs = 100;

/**
 * Asks an application whether it has processed everything sent to it: it answers EWMH's `_NET_WM_PING` in event order.
 * Uses a separate connection, since the answers go to the root window.
 */
export class Pinger {
  private serial = Math.floor(Math.random() * 0x3fff_ffff);

  private constructor(
    private readonly x: XConnection,
    private readonly atoms: { readonly WM_PROTOCOLS: number; readonly _NET_WM_PING: number },
  ) {}

  static async open(env: Env, timeoutMs: number): Promise<Pinger> {
    const x = await XConnection.connect(env, timeoutMs);
    const bytes = Buffer.alloc(16);
    bytes[0] = opcode.changeAttributes;
    bytes.writeUInt32LE(x.root, 4);
    bytes.writeUInt32LE(eventMaskAttribute, 8);
    bytes.writeUInt32LE(answersMask, 12);
    await x.order(bytes);
    return new Pinger(x, await internAtoms(x, ["WM_PROTOCOLS", "_NET_WM_PING"]));
  }

  close(): void {
    this.x.close();
  }

  /**
   * Whether the focused application has processed everything in time. One that does not answer pings (xterm) has when
   * its process is idle; a remote one is given a while.
   */
  async waitForFocused(timeoutMs: number): Promise<boolean> {
    const bytes = Buffer.alloc(4);
    bytes[0] = opcode.getInputFocus;
    const focus = (await this.x.request(bytes)).readUInt32LE(8);
    const window = await this.findAround(focus);
    if (window !== undefined) return this.ping(window, timeoutMs);
    // The root window and the like belong to no application.
    const pid = focus > 1 && focus !== this.x.root ? await findClientPid(this.x, focus) : undefined;
    if (pid !== undefined) return waitUntilIdle(pid, timeoutMs, () => this.x.request(bytes));
    await pause(settleMs);
    return true;
  }

  async findAround(window: number): Promise<number | undefined> {
    let current: number | undefined = window;
    // 0 and 1 mean "none" and "pointer root".
    for (let level = 0; current !== undefined && current > 1 && level < maxLevels; level += 1) {
      const protocols = await getProperty(this.x, current, this.atoms.WM_PROTOCOLS);
      const isAnswering = protocols !== undefined && readUint32s(protocols.bytes).includes(this.atoms._NET_WM_PING);
      if (isAnswering) return current;
      if (current === this.x.root) return undefined;
      current = await getParent(this.x, current);
    }
    return undefined;
  }

  /** Whether the application answered in time. */
  async ping(window: number, timeoutMs: number): Promise<boolean> {
    this.serial += 1;
    const serial = this.serial;
    const answer = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => answer.resolve(false), timeoutMs);
    const stop = this.x.listen((event) => {
      const isAnswer =
        ((event[0] ?? 0) & 0x7f) === clientMessage &&
        event.readUInt32LE(12) === this.atoms._NET_WM_PING &&
        event.readUInt32LE(16) === serial;
      if (isAnswer) answer.resolve(true);
    });
    try {
      await this.x.order(this.encodePing(window, serial));
      return await answer.promise;
    } finally {
      clearTimeout(timer);
      stop();
    }
  }

  private encodePing(window: number, serial: number): Buffer {
    const bytes = Buffer.alloc(44);
    bytes[0] = opcode.sendEvent;
    bytes.writeUInt32LE(window, 4);
    bytes[12] = clientMessage;
    bytes[13] = 32;
    bytes.writeUInt32LE(window, 16);
    bytes.writeUInt32LE(this.atoms.WM_PROTOCOLS, 20);
    bytes.writeUInt32LE(this.atoms._NET_WM_PING, 24);
    bytes.writeUInt32LE(serial, 28);
    bytes.writeUInt32LE(window, 32);
    return bytes;
  }
}
