import { type Failure, fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import { showLocalTime } from "../model/local-time.ts";
import { describeCancelled } from "../model/unfinished.ts";
import type { Session } from "../tools/session.ts";
import type { HeldTurn } from "./port.ts";

export const longestLeaseMs = 5 * 60_000;
/** What is cut has so long to end by itself. */
const endingMs = 3000;

/** What a turn is held through: a session, whose parts inside of the turn are `Held`. */
interface Holdable<Held> {
  hold<T>(tool: string, work: (held: Held) => Promise<Result<T>>, untilMs?: number): Promise<Result<T>>;
  readonly interrupted: Promise<unknown>;
  close(): void;
}

interface Lease<Held> extends HeldTurn {
  readonly client: string;
  /** Whose it is besides its token: a connection that ends takes it along. */
  readonly owner: object | undefined;
  readonly session: Held;
  /** When it ends by itself, by a clock that nobody sets. */
  readonly endsAtMs: number;
  /** Lets go of the desktop when nothing is under way in it any more. */
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
export class HeldTurns<Held = Session> {
  private readonly leases = new Map<string, Lease<Held>>();
  /** Why turns are over that were not ended by their holder, for who comes too late. */
  private readonly ended = new Map<string, string>();

  /** `session` is closed when the turn is over. */
  async begin(session: Holdable<Held>, query: LeaseWish): Promise<Result<HeldTurn>> {
    const { forMs, client, owner } = query;
    const turn = crypto.randomUUID();
    const begun = Promise.withResolvers<Result<HeldTurn>>();
    const over = Promise.withResolvers<void>();
    let timer: Timer | undefined;
    let isBegun = false;
    const stuck = Promise.withResolvers<void>();
    const cut = (): void => {
      query.cut();
      setTimeout(() => stuck.resolve(), endingMs).unref();
    };
    const holding = session.hold(
      "begin",
      async (held) => {
        // The time runs from the moment on at which the desktop is held.
        const untilMs = Date.now() + forMs;
        const endsAtMs = performance.now() + forMs;
        const release = (): void => over.resolve();
        const lease = { turn, untilMs, client, owner, session: held, endsAtMs, release, cut, last: Promise.resolve() };
        timer = setTimeout(() => {
          // Also what was left to end by itself when the turn was ended.
          cut();
          this.finish(lease, describeExpiry(untilMs));
        }, forMs);
        this.leases.set(turn, lease);
        isBegun = true;
        begun.resolve(succeed({ turn, untilMs }));
        void session.interrupted.then(() => this.finish(lease, "a person has stopped everything"));
        await over.promise;
        await Promise.race([lease.last, stuck.promise]);
        // Without its hands and its connections nothing acts any more, whatever it waits for.
        session.close();
        return succeed(undefined);
      },
      Date.now() + forMs,
    );
    void holding
      .then((ended) => {
        if (!ended.ok) begun.resolve(ended);
      })
      .catch((error: unknown) => {
        // Whoever began it has its answer: it is met where the process meets its faults.
        if (isBegun) throw error;
        begun.reject(error);
      })
      .finally(() => {
        clearTimeout(timer);
        this.leases.delete(turn);
        session.close();
      });
    return begun.promise;
  }

  /** What its holder has under way in it ends by itself, or when its time is up. */
  end(turn: string): Result<void> {
    const lease = this.find(turn);
    if (!lease.ok) return lease;
    this.finish(lease.value, undefined);
    return succeed(undefined);
  }

  /** Why nothing can be done within a turn; undefined where something can. */
  findEnd(turn: string): Failure | undefined {
    const lease = this.find(turn);
    return lease.ok ? undefined : lease.failure;
  }

  /**
   * Runs what may act within a turn, after what is already under way in it. Whoever leaves in the middle of it ends the turn
   * as well: nothing goes on being done for somebody who is not there any more. Whoever leaves before only does not come.
   */
  async within<T>(turn: string, work: (session: Held) => Promise<T>, signal?: AbortSignal): Promise<Result<T>> {
    const lease = this.find(turn);
    if (!lease.ok) return lease;
    const { session, last: before, cut } = lease.value;
    const mine = Promise.withResolvers<void>();
    lease.value.last = Promise.all([before, mine.promise]);
    const abandon = (): void => {
      cut();
      this.finish(lease.value, "whoever did something in it left in the middle");
    };
    try {
      await raceAbort(before, signal);
      if (signal?.aborted === true) return fail(describeCancelled());
      const still = this.find(turn);
      if (!still.ok) return still;
      signal?.addEventListener("abort", abandon, { once: true });
      return succeed(await work(session));
    } finally {
      signal?.removeEventListener("abort", abandon);
      mine.resolve();
    }
  }

  /** Ends what belongs to a connection that is gone. */
  endOf(owner: object): void {
    for (const lease of [...this.leases.values()]) if (lease.owner === owner) this.break(lease, "its client left");
  }

  endAll(why: string): void {
    for (const lease of [...this.leases.values()]) this.break(lease, why);
  }

  list(): readonly { readonly client: string; readonly untilMs: number }[] {
    return [...this.leases.values()].map(({ client, untilMs }) => ({ client, untilMs }));
  }

  private find(turn: string): Result<Lease<Held>> {
    const lease = this.leases.get(turn);
    // A process that was stopped for a while hears requests before its timers.
    if (lease !== undefined && performance.now() >= lease.endsAtMs) this.break(lease, describeExpiry(lease.untilMs));
    else if (lease !== undefined) return succeed(lease);
    return fail(this.describeUnknown(turn));
  }

  private break(lease: Lease<Held>, why: string): void {
    lease.cut();
    this.finish(lease, why);
  }

  private finish({ turn, release }: Lease<Held>, why: string | undefined): void {
    if (!this.leases.delete(turn)) return;
    if (why !== undefined) this.remember(turn, why);
    release();
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

/** Ends with the one that is first. */
async function raceAbort(work: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  const aborted = Promise.withResolvers<void>();
  const abort = (): void => aborted.resolve();
  if (signal?.aborted === true) abort();
  signal?.addEventListener("abort", abort, { once: true });
  await Promise.race([work, aborted.promise]);
  signal?.removeEventListener("abort", abort);
}

function describeExpiry(untilMs: number): string {
  return `its time was up at ${showLocalTime(untilMs)}`;
}
