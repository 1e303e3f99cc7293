import { DaemonLost, describeLoss } from "../../client/connection.ts";
import {
  type CallOptions,
  type CallReply,
  type CallRequest,
  type HeldTurn,
  type Host,
  replyWithFailure,
  type WatchRequest,
} from "../../host/port.ts";
import type { ChangeLine } from "../../model/change-line.ts";
import { fail, makeFailure, type Result } from "../../model/failure.ts";
import { describeCancelled } from "../../model/unfinished.ts";
import { toolEntries } from "../../tools/index.ts";
import type { OfferedTool } from "./own-tools.ts";

export interface McpContext {
  readonly tools: readonly OfferedTool[];
  readonly version: string;
  readonly isStructured: boolean;
  readonly hasOutputs?: boolean;
  openHost(client: string): Promise<McpHost>;
  /** Why this client may only read; undefined if it may act. */
  findReadOnly(client: string): Promise<string | undefined>;
}

const closingMs = 2000;
const crowded = makeFailure(
  "UNAVAILABLE",
  "too many other clients of this server are busy",
  "try again when one of them has left.",
);

/** Runs calls, watches and turns, each under the name of the client that asks, so that the guard knows it. */
export class ClientCalls {
  private readonly hosts: HostPool;
  private readonly calls = new Set<Promise<CallReply>>();
  /** Turns that are held. A client that holds one is not idle: its host stays open until the turn is over. */
  private readonly turns = new Map<string, () => void>();

  constructor(context: McpContext, limits?: HostLimits) {
    this.hosts = new HostPool((client) => context.openHost(client), limits);
  }

  async call(client: string, request: CallRequest, options?: CallOptions): Promise<CallReply> {
    const call = this.callOnce(client, request, options);
    this.calls.add(call);
    try {
      return await call;
    } catch (error) {
      if (!(error instanceof DaemonLost)) throw error;
      // The daemon is started again; an action is not repeated, since it may have been done.
      if (isRepeatable(request.tool)) return await this.callOnce(client, request, options);
      return replyWithFailure({ ...describeLoss(error.message), done: "a part of it may have been done." });
    } finally {
      this.calls.delete(call);
    }
  }

  private async callOnce(client: string, request: CallRequest, options?: CallOptions): Promise<CallReply> {
    const pooled = await this.hosts.enter(client);
    if (pooled === undefined) return replyWithFailure(crowded);
    try {
      return await pooled.host.call(request, options);
    } finally {
      pooled.leave();
    }
  }

  async *watch(
    client: string,
    request: WatchRequest,
    signal: AbortSignal,
  ): AsyncGenerator<Result<readonly ChangeLine[]>> {
    const pooled = await this.hosts.enter(client);
    if (pooled === undefined) return yield fail(crowded);
    try {
      yield* pooled.host.watch(request, signal);
    } finally {
      pooled.leave();
    }
  }

  /** The turn ends after `forMs`, with `endTurn`, or when this is closed. */
  beginTurn(client: string, forMs: number, waitMs: number, signal: AbortSignal): Promise<Result<HeldTurn>> {
    return this.enterForTurn(client, async ({ host, leave }) => {
      let begun: Result<HeldTurn> | undefined;
      try {
        begun = await host.begin(forMs, { waitMs });
        if (!begun.ok || !signal.aborted) return begun;
        // A client that left while it waited would never learn of its turn.
        await host.end(begun.value.turn);
        begun = undefined;
        return fail(describeCancelled());
      } finally {
        if (begun?.ok === true) this.keepTurn(begun.value.turn, forMs, leave);
        else leave();
      }
    });
  }

  endTurn(client: string, turn: string): Promise<Result<void>> {
    return this.enterForTurn(client, async ({ host, leave }) => {
      try {
        return await host.end(turn);
      } finally {
        this.turns.get(turn)?.();
        leave();
      }
    });
  }

  private keepTurn(turn: string, forMs: number, leave: () => void): void {
    const forget = (): void => {
      clearTimeout(timer);
      if (this.turns.delete(turn)) leave();
    };
    const timer = setTimeout(forget, forMs);
    timer.unref();
    this.turns.set(turn, forget);
  }

  private async enterForTurn<T>(client: string, work: (pooled: PooledHost) => Promise<Result<T>>): Promise<Result<T>> {
    try {
      const pooled = await this.hosts.enter(client);
      return pooled === undefined ? fail(crowded) : await work(pooled);
    } catch (error) {
      if (!(error instanceof DaemonLost)) throw error;
      return fail(describeLoss(error.message));
    }
  }

  /** Gives calls under way a moment to end. */
  async close(): Promise<void> {
    await Promise.race([Promise.allSettled([...this.calls]), Bun.sleep(closingMs)]);
    await this.hosts.close();
  }
}

/** A batch may act, so it is not repeated. */
function isRepeatable(name: string): boolean {
  return name !== "do" && toolEntries.some((one) => one.name === name && !one.acts);
}

export interface McpHost extends Pick<Host, "call" | "watch" | "begin" | "end" | "close"> {
  /** Calls back when it can run nothing any more. */
  onLost?(callback: () => void): void;
}

/** A client's host, in use until `leave` is called. */
interface PooledHost {
  readonly host: McpHost;
  leave(): void;
}

export interface HostLimits {
  readonly maxHosts: number;
  readonly idleMs: number;
}

/** A client may give another name with every request, and the daemon takes at most 200 connections. */
const hostLimits: HostLimits = { maxHosts: 32, idleMs: 300_000 };

interface OpenHost {
  readonly opening: Promise<McpHost>;
  lastUsedMs: number;
  uses: number;
}

/** The hosts of one server by client name. An idle one is closed to make room, and opened again when it is needed. */
class HostPool {
  private readonly hosts = new Map<string, OpenHost>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly openHost: (client: string) => Promise<McpHost>,
    private readonly limits: HostLimits = hostLimits,
  ) {}

  /** Undefined if the hosts of other clients are all in use. */
  async enter(client: string): Promise<PooledHost | undefined> {
    const one = this.hosts.get(client) ?? this.open(client);
    if (one === undefined) return undefined;
    one.uses += 1;
    one.lastUsedMs = performance.now();
    const leave = (): void => {
      one.uses -= 1;
      one.lastUsedMs = performance.now();
    };
    try {
      return { host: await one.opening, leave };
    } catch (error) {
      leave();
      throw error;
    }
  }

  private open(client: string): OpenHost | undefined {
    if (this.hosts.size >= this.limits.maxHosts) {
      const [oldest] = this.listIdle();
      if (oldest === undefined) return undefined;
      this.end(oldest);
    }
    const opening = this.openHost(client);
    const one: OpenHost = { opening, lastUsedMs: performance.now(), uses: 0 };
    this.hosts.set(client, one);
    const forget = (): void => {
      if (this.hosts.get(client) === one) this.hosts.delete(client);
    };
    opening.then((host) => host.onLost?.(forget), forget);
    this.timer ??= setInterval(() => this.endIdle(), this.limits.idleMs / 4).unref();
    return one;
  }

  /** The longest unused first. */
  private listIdle(): readonly string[] {
    const idle = [...this.hosts].filter(([, { uses }]) => uses === 0);
    return idle.toSorted(([, a], [, b]) => a.lastUsedMs - b.lastUsedMs).map(([client]) => client);
  }

  /** A single host stays open: the only client of a server finds its daemon as it left it. */
  private endIdle(): void {
    const oldestMs = performance.now() - this.limits.idleMs;
    for (const client of this.listIdle()) {
      if (this.hosts.size <= 1 || (this.hosts.get(client)?.lastUsedMs ?? 0) > oldestMs) return;
      this.end(client);
    }
  }

  private end(client: string): void {
    const one = this.hosts.get(client);
    this.hosts.delete(client);
    one?.opening.then((host) => host.close()).catch(() => undefined);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    const open = [...this.hosts.values()];
    this.hosts.clear();
    await Promise.allSettled(open.map(async ({ opening }) => (await opening).close()));
  }
}
