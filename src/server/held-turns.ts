import type { HeldTurn } from "../client/host.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import { showLocalTime } from "../model/local-time.ts";
import type { Session } from "../session.ts";

export const longestLeaseMs = 5 * 60_000;

interface Lease extends HeldTurn {
  readonly client: string;
  /** Whose it is besides its token: a connection that ends takes it along. */
  readonly owner: object | undefined;
  readonly session: Session;
  /** Lets go of the desktop. */
  release(): void;
  /** Ends what is under way in it, in the middle. */
  cut(): void;
  /** What is done within it is done one after the other. */
  last: Promise<unknown>;
}

export interface LeaseWish {
  readonly forMs: number;
  readonly client: string;
  readonly owner: object | undefined;
  /** Ends what the session has under way. */
  cut(): void;
}

/** The turns that clients hold over several calls. Each ends by itself. */
export class HeldTurns {
  private readonly leases = new Map<string, Lease>();
  /** Why turns are over that were not ended by their holder, for who comes too late. */
  private readonly ended = new Map<string, string>();

  /** `session` is closed when the turn is over. */
  async begin(session: Session, { forMs, client, owner, cut }: LeaseWish): Promise<Result<HeldTurn>> {
    const untilMs = Date.now() + forMs;
    const turn = crypto.randomUUID();
    const begun = Promise.withResolvers<Result<HeldTurn>>();
    const over = Promise.withResolvers<void>();
    const holding = session.hold(
      "begin",
      async (held) => {
        // The time runs from the moment on at which the desktop is held.
        const timer = setTimeout(() => this.finish(turn, describeExpiry(untilMs)), forMs);
        const release = (): void => {
          clearTimeout(timer);
          over.resolve();
        };
        const lease = { turn, untilMs, client, owner, session: held, release, cut, last: Promise.resolve() };
        this.leases.set(turn, lease);
        begun.resolve(succeed({ turn, untilMs }));
        void session.interrupted.then(() => this.finish(turn, "a person has stopped everything"));
        await over.promise;
        // What is under way is not cut in the middle: it ends by itself.
        await lease.last;
        return succeed(undefined);
      },
      untilMs,
    );
    void holding
      .then((ended) => {
        if (!ended.ok) begun.resolve(ended);
      })
      .catch((error: unknown) => begun.reject(error))
      .finally(() => {
        this.leases.delete(turn);
        session.close();
      });
    return begun.promise;
  }

  end(turn: string): Result<void> {
    const lease = this.leases.get(turn);
    if (lease === undefined) return fail(this.describeUnknown(turn));
    this.finish(turn, undefined);
    return succeed(undefined);
  }

  /**
   * Runs something within a turn, after what is already under way in it. Whoever leaves in the middle of it ends the turn as
   * well: nothing goes on being done for somebody who is not there any more.
   */
  async within<T>(turn: string, work: (session: Session) => Promise<T>, signal?: AbortSignal): Promise<Result<T>> {
    const lease = this.leases.get(turn);
    if (lease === undefined || signal?.aborted === true) return fail(this.describeUnknown(turn));
    const abandon = (): void => {
      lease.cut();
      this.finish(turn, "whoever did something in it left in the middle");
    };
    signal?.addEventListener("abort", abandon, { once: true });
    const before = lease.last;
    const mine = Promise.withResolvers<void>();
    lease.last = mine.promise;
    try {
      await before;
      if (!this.leases.has(turn)) return fail(this.describeUnknown(turn));
      return succeed(await work(lease.session));
    } finally {
      signal?.removeEventListener("abort", abandon);
      mine.resolve();
    }
  }

  /** Ends what belongs to a connection that is gone. */
  endOf(owner: object): void {
    for (const lease of [...this.leases.values()])
      if (lease.owner === owner) this.finish(lease.turn, "its client left");
  }

  endAll(why: string): void {
    for (const { turn } of [...this.leases.values()]) this.finish(turn, why);
  }

  list(): readonly { readonly client: string; readonly untilMs: number }[] {
    return [...this.leases.values()].map(({ client, untilMs }) => ({ client, untilMs }));
  }

  private finish(turn: string, why: string | undefined): void {
    const lease = this.leases.get(turn);
    if (lease === undefined) return;
    this.leases.delete(turn);
    if (why !== undefined) this.remember(turn, why);
    lease.release();
  }

  private remember(turn: string, why: string): void {
    this.ended.set(turn, why);
    const [oldest] = this.ended.keys();
    if (this.ended.size > rememberedEnds && oldest !== undefined) this.ended.delete(oldest);
  }

  private describeUnknown(turn: string): Failure {
    const why = this.ended.get(turn);
    return {
      code: "REFUSED",
      reason: "turn",
      message: why === undefined ? "there is no such turn: it was ended, or never begun" : `this turn is over: ${why}`,
      suggestion: "begin another: deskmap begin",
      done: nothingDone,
    };
  }
}

const rememberedEnds = 100;

function describeExpiry(untilMs: number): string {
  return `its time was up at ${showLocalTime(untilMs)}`;
}
