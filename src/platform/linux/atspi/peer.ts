import type { Bus, Shape } from "../dbus/bus.ts";
import { DeadlinePassed } from "../dbus/errors.ts";
import type { Value } from "../dbus/reader.ts";

/** Enough to hide the latency, few enough not to delay the application's own events. */
const maxInFlight = 64;

/**
 * One application on the accessibility bus during one read: at most `maxInFlight` concurrent calls and a common
 * deadline, so that a hung application costs only its own time.
 */
export class Peer {
  private readonly queue: (() => void)[] = [];
  private readonly inFlight = new Set<number>();
  private deadline: DeadlinePassed | undefined;
  /** The number of calls sent. */
  questions = 0;
  private readonly timer: ReturnType<typeof setTimeout>;

  constructor(
    readonly bus: Bus,
    readonly name: string,
    timeoutMs: number,
    /** How much of a long text is searched for secrets, though less is shown. */
    readonly searchedLength = 0,
  ) {
    this.timer = setTimeout(() => this.expire(timeoutMs), timeoutMs);
  }

  get hasExpired(): boolean {
    return this.deadline !== undefined;
  }

  async call<T>(
    path: string,
    interfaceName: string,
    member: string,
    expected: Shape<T>,
    signature = "",
    args: readonly Value[] = [],
  ): Promise<T> {
    if (this.inFlight.size >= maxInFlight) await new Promise<void>((resolve) => this.queue.push(resolve));
    if (this.deadline !== undefined) throw this.deadline;
    const call = { destination: this.name, path, interface: interfaceName, member, signature, args };
    this.questions += 1;
    const { serial, reply } = this.bus.send(call, expected);
    this.inFlight.add(serial);
    try {
      return await reply;
    } finally {
      this.inFlight.delete(serial);
      this.queue.shift()?.();
    }
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private expire(timeoutMs: number): void {
    this.deadline = new DeadlinePassed(`no answer within ${timeoutMs} ms`);
    for (const serial of this.inFlight) this.bus.forget(serial, this.deadline);
    for (const wake of this.queue.splice(0)) wake();
  }
}
