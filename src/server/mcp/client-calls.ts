import { DaemonLost, describeLoss } from "../../client/connection.ts";
import {
  type CallOptions,
  type CallReply,
  type CallRequest,
  type HeldTurn,
  replyWithFailure,
  type WatchRequest,
} from "../../host/port.ts";
import type { ChangeLine } from "../../model/change-line.ts";
import { fail, makeFailure, type Result } from "../../model/failure.ts";
import { describeCancelled } from "../../model/unfinished.ts";
import { toolEntries } from "../../tools/index.ts";
import { type HostLimits, HostPool, type McpHost, type PooledHost } from "./host-pool.ts";
import type { OfferedTool } from "./own-tools.ts";

/** What all connections of one server share. */
export interface McpContext {
  readonly tools: readonly OfferedTool[];
  readonly version: string;
  /** Whether answers have structured content besides the text. */
  readonly isStructured: boolean;
  /** Whether the list of tools has output schemas. */
  readonly hasOutputs?: boolean;
  /** Opens a host under the client's own name. */
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
