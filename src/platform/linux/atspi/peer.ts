import { Bus, type Shape } from "../dbus/bus.ts";
import { ConnectionLost, DeadlinePassed, ErrorReply } from "../dbus/errors.ts";
import type { Call } from "../dbus/message.ts";
import type { Value } from "../dbus/reader.ts";

/** Enough to hide the way over the bus, few enough that an application's own events are not held up behind them. */
const maxInFlight = 64;
const maxDirectWaitMs = 300;
const goneCode = "org.freedesktop.DBus.Error.NoReply";

/**
 * One application on the accessibility bus, for one read: at most `maxInFlight` calls at a time, and one deadline for
 * all of them, so that an application that hangs costs its own time only.
 */
export class Peer {
  private readonly queue: (() => void)[] = [];
  private readonly inFlight = new Set<{ readonly line: Bus; readonly serial: number }>();
  private deadline: DeadlinePassed | undefined;
  private readonly timer: ReturnType<typeof setTimeout>;
  private direct: Bus | undefined;

  constructor(
    readonly bus: Bus,
    readonly name: string,
    timeoutMs: number,
  ) {
    this.timer = setTimeout(() => this.expire(timeoutMs), timeoutMs);
  }

  get hasExpired(): boolean {
    return this.deadline !== undefined;
  }

  /**
   * Talks to the application itself from now on: half the time of a call is the way over the bus. What it does not offer,
   * or does not answer at once, goes over the bus as before.
   */
  async goDirect(address: string): Promise<void> {
    try {
      this.direct = await Bus.connect(address, maxDirectWaitMs, true);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
    }
  }

  call<T>(
    path: string,
    interfaceName: string,
    member: string,
    expected: Shape<T>,
    signature = "",
    args: readonly Value[] = [],
  ): Promise<T> {
    const call = { destination: this.name, path, interface: interfaceName, member, signature, args };
    return this.send(this.direct ?? this.bus, call, expected);
  }

  /** For what must arrive after a signal: the two ways are not in step. */
  callOverBus<T>(path: string, interfaceName: string, member: string, expected: Shape<T>): Promise<T> {
    return this.send(this.bus, { destination: this.name, path, interface: interfaceName, member }, expected);
  }

  close(): void {
    clearTimeout(this.timer);
    this.direct?.close();
  }

  private async send<T>(line: Bus, call: Call, expected: Shape<T>): Promise<T> {
    if (this.inFlight.size >= maxInFlight) await new Promise<void>((resolve) => this.queue.push(resolve));
    if (this.deadline !== undefined) throw this.deadline;
    const { serial, reply } = line.send(call, expected);
    const flight = { line, serial };
    this.inFlight.add(flight);
    try {
      return await reply;
    } catch (error) {
      // The bus would have said that the application has gone.
      if (line !== this.bus && error instanceof ConnectionLost) throw new ErrorReply(goneCode, error.message);
      throw error;
    } finally {
      this.inFlight.delete(flight);
      this.queue.shift()?.();
    }
  }

  private expire(timeoutMs: number): void {
    this.deadline = new DeadlinePassed(`no answer within ${timeoutMs} ms`);
    for (const { line, serial } of this.inFlight) line.forget(serial, this.deadline);
    for (const wake of this.queue.splice(0)) wake();
  }
}
