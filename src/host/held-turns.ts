import { refuse } from "../guard/refusals.ts";
import { type Failure, fail, type Result, succeed } from "../model/failure.ts";
import { showLocalTime } from "../model/local-time.ts";
import { describeCancelled } from "../model/unfinished.ts";
import type { Session } from "../tools/session.ts";
import { waitForAbort } from "./await-cancel.ts";
import type { HeldTurn } from "./port.ts";

export const longestLeaseMs = 5 * 60_000;
/** Time for an aborted action to end by itself. */
const endingMs = 3000;

/** A session that can hold a turn; `Held` is the session inside the turn. */
interface Holdable<Held> {
  hold<T>(tool: string, work: (held: Held) => Promise<Result<T>>, untilMs?: number): Promise<Result<T>>;
  readonly interrupted: Promise<unknown>;
  close(): void;
}

interface Lease<Held> extends HeldTurn {
  readonly client: string;
  /** The connection that it ends with, if any. */
  readonly owner: object | undefined;
  readonly session: Held;
  /** When it ends by itself, by the monotonic clock. */
  readonly endsAtMs: number;
  /** Ends the turn once nothing is under way in it. */
  release(): void;
  abort(): void;
  /** Calls in a turn run one after the other. */
  last: Promise<unknown>;
}

/** Who uses a turn: the client's name and its connection. */
export interface TurnUser {
  readonly client: string;
  readonly connection: object;
}

export interface LeaseOptions {
  readonly forMs: number;
  readonly client: string;
  readonly owner: object | undefined;
  abort(): void;
}

/** The turns that clients hold over several calls. Each ends by itself. */
export class HeldTurns<Held = Session> {
  private readonly leases = new Map<string, Lease<Held>>();
  /** Why turns ended that their holders did not end, for late calls. */
  private readonly ended = new Map<string, string>();

  /** Closes `session` when the turn is over. */
  async begin(session: Holdable<Held>, options: LeaseOptions): Promise<Result<HeldTurn>> {
    const { forMs, client, owner } = options;
    const turn = crypto.randomUUID();
    const begun = Promise.withResolvers<Result<HeldTurn>>();
    const over = Promise.withResolvers<void>();
    let timer: Timer | undefined;
    let isBegun = false;
    const stuck = Promise.withResolvers<void>();
    const abort = (): void => {
      options.abort();
      setTimeout(() => stuck.resolve(), endingMs).unref();
    };
    const holding = session.hold(
      "begin",
      async (held) => {
        // The time runs from the moment at which the turn is taken.
        const untilMs = Date.now() + forMs;
        const endsAtMs = performance.now() + forMs;
        const release = (): void => over.resolve();
        const lease = {
          turn,
          untilMs,
          client,
          owner,
          session: held,
          endsAtMs,
          release,
          abort,
          last: Promise.resolve(),
        };
        timer = setTimeout(() => {
          // Also what was still under way when the holder ended the turn.
          abort();
          this.finish(lease, describeExpiry(untilMs));
        }, forMs);
        this.leases.set(turn, lease);
        isBegun = true;
        begun.resolve(succeed({ turn, untilMs }));
        void session.interrupted.then(() => this.finish(lease, "a person has stopped everything"));
        await over.promise;
        await Promise.race([lease.last, stuck.promise]);
        // Without its connections, a stuck action can do nothing more.
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
        // `begin` has been answered already: the error goes to the process's handler.
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

  /** What is under way ends by itself, or when the time is up. */
  end(turn: string, user: TurnUser): Result<void> {
    const lease = this.find(turn, user);
    if (!lease.ok) return lease;
    this.finish(lease.value, undefined);
    return succeed(undefined);
  }

  /** Why this client cannot use a turn: it is over, or another's. */
  findEnd(turn: string, user: TurnUser): Failure | undefined {
    const lease = this.find(turn, user);
    return lease.ok ? undefined : lease.failure;
  }

  /**
   * Runs work within a turn, after what is already under way in it. If `signal` aborts while it runs, the turn ends too:
   * nothing is done for a client that has left. If it aborts before, only this work is skipped.
   */
  async within<T>(
    turn: string,
    user: TurnUser,
    work: (session: Held) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<Result<T>> {
    const lease = this.find(turn, user);
    if (!lease.ok) return lease;
    const { session, last: before, abort } = lease.value;
    const mine = Promise.withResolvers<void>();
    lease.value.last = Promise.all([before, mine.promise]);
    const abandon = (): void => {
      abort();
      this.finish(lease.value, "its client left in the middle of an action");
    };
    try {
      await Promise.race([before, waitForAbort(signal)]);
      if (signal?.aborted === true) return fail(describeCancelled());
      const still = this.find(turn, user);
      if (!still.ok) return still;
      signal?.addEventListener("abort", abandon, { once: true });
      return succeed(await work(session));
    } finally {
      signal?.removeEventListener("abort", abandon);
      mine.resolve();
    }
  }

  endOf(owner: object): void {
    for (const lease of [...this.leases.values()]) if (lease.owner === owner) this.break(lease, "its client left");
  }

  endAll(why: string): void {
    for (const lease of [...this.leases.values()]) this.break(lease, why);
  }

  list(): readonly { readonly client: string; readonly untilMs: number }[] {
    return [...this.leases.values()].map(({ client, untilMs }) => ({ client, untilMs }));
  }

  /** A turn belongs to its client: of a lease that ends with a connection, to that connection alone. */
  private find(turn: string, { client, connection }: TurnUser): Result<Lease<Held>> {
    const lease = this.leases.get(turn);
    const isOwn = lease?.client === client && (lease.owner === undefined || lease.owner === connection);
    if (lease !== undefined && !isOwn) {
      return fail(refuse("turn", "this turn is another client's", "begin one of your own: deskmap begin"));
    }
    // After a suspended process resumes, requests may arrive before its timers fire.
    if (lease !== undefined && performance.now() >= lease.endsAtMs) this.break(lease, describeExpiry(lease.untilMs));
    else if (lease !== undefined) return succeed(lease);
    return fail(this.describeUnknown(turn));
  }

  private break(lease: Lease<Held>, why: string): void {
    lease.abort();
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
    const message =
      why === undefined ? "there is no such turn: it was ended, or never begun" : `this turn is over: ${why}`;
    return refuse("turn", message, "begin another: deskmap begin");
  }
}

const rememberedEnds = 100;

function describeExpiry(untilMs: number): string {
  return `its time was up at ${showLocalTime(untilMs)}`;
}
