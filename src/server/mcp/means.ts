import { DaemonLost, describeLoss } from "../../client/connection.ts";
import type { CallOptions, CallReply, CallRequest, Host } from "../../client/host.ts";
import { toolEntries } from "../../tools/index.ts";
import type { Offered } from "./offer.ts";

/** What a connection needs of whatever runs tools. */
export interface McpHost extends Pick<Host, "call" | "watch" | "close"> {
  /** Calls back when it can run nothing any more. */
  onLost?(callback: () => void): void;
}

/** What all connections of one server share. */
export interface Means {
  readonly offers: readonly Offered[];
  readonly version: string;
  /** Whether answers come as data besides as text. */
  readonly isStructured: boolean;
  /** A client's own hold on the desktop, under its own name. */
  openHost(client: string): Promise<McpHost>;
  /** Why this client may do nothing, in words; undefined where it may. */
  findReadOnly(client: string): Promise<string | undefined>;
}

const endingMs = 2000;

/** The tools of one client, of which each is as the guard knows it by name. */
export class Desk {
  private readonly hosts = new Map<string, Promise<McpHost>>();
  private readonly calls = new Set<Promise<CallReply>>();

  constructor(private readonly means: Means) {}

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
    const host = await this.host(client);
    return host.call(request, options);
  }

  host(client: string): Promise<McpHost> {
    const known = this.hosts.get(client);
    if (known !== undefined) return known;
    const opening = this.means.openHost(client);
    this.hosts.set(client, opening);
    const forget = (): void => {
      if (this.hosts.get(client) === opening) this.hosts.delete(client);
    };
    opening.then((host) => host.onLost?.(forget), forget);
    return opening;
  }

  /** What is under way is given a moment to let go of everything. */
  async close(): Promise<void> {
    await Promise.race([Promise.allSettled([...this.calls]), Bun.sleep(endingMs)]);
    const open = [...this.hosts.values()];
    this.hosts.clear();
    await Promise.allSettled(open.map(async (host) => (await host).close()));
  }
}

/** A batch may act, whatever it is. */
function isRepeatable(name: string): boolean {
  return name !== "do" && toolEntries.some((one) => one.name === name && !one.acts);
}
