import type { Bus, Shape } from "../dbus/bus.ts";
import { DeadlinePassed } from "../dbus/errors.ts";
import type { Value } from "../dbus/reader.ts";

/** Enough to hide the way over the bus, few enough that an application's own events are not held up behind them. */
const maxInFlight = 64;

/**
 * One application on the accessibility bus, for one read: at most `maxInFlight` calls at a time, and one deadline for
 * all of them, so that an application that hangs costs its own time only.
 */
export class Peer {
  private readonly queue: (() => void)[] = [];
  private readonly inFlight = new Set<number>();
  private deadline: DeadlinePassed | undefined;
  /** How many calls were sent. */
  questions = 0;
  private readonly timer: ReturnType<typeof setTimeout>;

  constructor(
    readonly bus: Bus,
    readonly name: string,
    timeoutMs: number,
    /** How much of a long text is searched for secrets, though less of it is shown. */
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
