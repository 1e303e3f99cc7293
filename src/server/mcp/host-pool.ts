import type { Host } from "../../host/port.ts";

/** What a connection needs of a host. */
export interface McpHost extends Pick<Host, "call" | "watch" | "begin" | "end" | "close"> {
  /** Calls back when it can run nothing any more. */
  onLost?(callback: () => void): void;
}

/** A client's host, in use until `leave` is called. */
export interface PooledHost {
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
  /** Calls, watches and turns under way. */
  uses: number;
}

/** The hosts of one server by client name. An idle one is closed to make room, and opened again when it is needed. */
export class HostPool {
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
