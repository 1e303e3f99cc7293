import { DaemonLost, describeLoss } from "../../client/connection.ts";
import type { CallOptions, CallReply, CallRequest, HeldTurn, WatchRequest } from "../../host/port.ts";
import type { ChangeLine } from "../../model/change-line.ts";
import { type Failure, fail, nothingDone, type Result } from "../../model/failure.ts";
import { toolEntries } from "../../tools/index.ts";
import { DeskTurns } from "./desk-turns.ts";
import type { Offered } from "./offered.ts";
import { type EnteredHost, type HostLimits, type McpHost, OpenHosts } from "./open-hosts.ts";

/** What all connections of one server share. */
export interface Means {
  readonly offers: readonly Offered[];
  readonly version: string;
  /** Whether answers come as data besides as text. */
  readonly isStructured: boolean;
  /** Whether the list of tools says what the answers look like. */
  readonly hasOutputs?: boolean;
  /** A client's own hold on the desktop, under its own name. */
  openHost(client: string): Promise<McpHost>;
  /** Why this client may do nothing, in words; undefined where it may. */
  findReadOnly(client: string): Promise<string | undefined>;
}

const endingMs = 2000;
const crowded: Failure = {
  code: "UNAVAILABLE",
  message: "too many other clients of this server are busy",
  suggestion: "try again when one of them has left.",
  done: nothingDone,
};

/** The tools of one client, of which each is as the guard knows it by name. */
export class Desk {
  private readonly hosts: OpenHosts;
  private readonly calls = new Set<Promise<CallReply>>();
  private readonly turns = new DeskTurns();

  constructor(means: Means, limits?: HostLimits) {
    this.hosts = new OpenHosts((client) => means.openHost(client), limits);
  }

  async call(client: string, request: CallRequest, options?: CallOptions): Promise<CallReply> {
    const call = this.callOnce(client, request, options);
    this.calls.add(call);
    try {
      return await call;
    } catch (error) {
      if (!(error instanceof DaemonLost)) throw error;
      // It has left, and is started again; what acts is not done twice.
      if (isRepeatable(request.tool)) return await this.callOnce(client, request, options);
      const failure = { ...describeLoss(error.message), done: "a part of it may have been done." };
      return { outputs: {}, failure, exitCode: 1, warnings: [] };
    } finally {
      this.calls.delete(call);
    }
  }

  private async callOnce(client: string, request: CallRequest, options?: CallOptions): Promise<CallReply> {
    const entered = await this.hosts.enter(client);
    if (entered === undefined) return { outputs: {}, failure: crowded, exitCode: 1, warnings: [] };
    try {
      return await entered.host.call(request, options);
    } finally {
      entered.leave();
    }
  }

  async *watch(
    client: string,
    request: WatchRequest,
    signal: AbortSignal,
  ): AsyncGenerator<Result<readonly ChangeLine[]>> {
    const entered = await this.hosts.enter(client);
    if (entered === undefined) return yield fail(crowded);
    try {
      yield* entered.host.watch(request, signal);
    } finally {
      entered.leave();
    }
  }

  /** Ends by itself, with this desk, and with `endTurn`. */
  beginTurn(client: string, forMs: number, waitMs: number, signal: AbortSignal): Promise<Result<HeldTurn>> {
    return this.useForTurn(client, (entered) => this.turns.begin(entered, forMs, waitMs, signal));
  }

  endTurn(client: string, turn: string): Promise<Result<void>> {
    return this.useForTurn(client, (entered) => this.turns.end(entered, turn));
  }

  private async useForTurn<T>(client: string, work: (entered: EnteredHost) => Promise<Result<T>>): Promise<Result<T>> {
    try {
      const entered = await this.hosts.enter(client);
      return entered === undefined ? fail(crowded) : await work(entered);
    } catch (error) {
      if (!(error instanceof DaemonLost)) throw error;
      return fail(describeLoss(error.message));
    }
  }

  /** What is under way is given a moment to let go of everything. */
  async close(): Promise<void> {
    await Promise.race([Promise.allSettled([...this.calls]), Bun.sleep(endingMs)]);
    await this.hosts.close();
  }
}

/** A batch may act, whatever it is. */
function isRepeatable(name: string): boolean {
  return name !== "do" && toolEntries.some((one) => one.name === name && !one.acts);
}
