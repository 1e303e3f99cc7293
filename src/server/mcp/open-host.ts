import { connectHost, readDaemonUse } from "../../client/connect.ts";
import { clientOf } from "../../guard/gate.ts";
import { unknownStart } from "../../guard/identity.ts";
import { findPlaces } from "../../guard/places.ts";
import { findReadOnly } from "../../guard/policy/live.ts";
import { LocalHost, type Shared, share } from "../../host/local-host.ts";
import type { Host } from "../../host/port.ts";
import { openRuntime, type Runtime } from "../../host/runtime.ts";
import type { CallerProcess } from "../../model/call-context.ts";
import { defaultTimeoutMs } from "../../model/default-timeout.ts";
import type { Env } from "../../model/env.ts";
import { type Result, succeed } from "../../model/failure.ts";
import { openDemoStore } from "../demo-store.ts";
import type { McpContext } from "./client-calls.ts";
import { chooseTools } from "./tools.ts";

/** Opens hosts for clients: connections to the daemon of this desktop, or hosts in this process if there can be none. */
export class HostOpener {
  private runtime: Runtime | undefined;
  private shared: Shared | undefined;

  constructor(
    private readonly env: Env,
    /** Whether many clients reach this process, which the kernel does not tell apart. */
    private readonly isShared = false,
  ) {}

  async open(client: string): Promise<Host> {
    const { env, isShared } = this;
    const daemon =
      readDaemonUse(env) === "never" ? undefined : await connectHost(env, { start: true, client, isShared });
    return daemon?.ok === true ? daemon.value : this.openHere(client);
  }

  private openHere(client: string): Host {
    this.runtime ??= openRuntime(this.env, defaultTimeoutMs);
    this.shared ??= { ...share(this.runtime), caller: this.caller };
    return new LocalHost({ ...this.env, DESKMAP_CLIENT: client }, this.shared);
  }

  get caller(): CallerProcess | undefined {
    return this.isShared ? { pid: process.pid, startTicks: unknownStart } : undefined;
  }

  close(): void {
    this.runtime?.close();
  }
}

interface McpQuery extends Pick<McpContext, "version" | "isStructured" | "hasOutputs"> {
  readonly env: Env;
  readonly tools?: string | undefined;
  readonly isReadOnly: boolean;
  readonly isShared: boolean;
}

export interface OpenContext extends McpContext {
  close(): void;
}

/** The desktop itself is opened when the first connection needs it. */
export async function openContext({
  env,
  tools,
  isReadOnly,
  isShared,
  ...options
}: McpQuery): Promise<Result<OpenContext>> {
  const chosen = await chooseTools(tools, openDemoStore(env));
  if (!chosen.ok) return chosen;
  const own = isReadOnly ? { ...env, DESKMAP_READ_ONLY: "1" } : env;
  const places = findPlaces(own);
  const hosts = new HostOpener(own, isShared);
  return succeed({
    ...options,
    tools: chosen.value,
    openHost: (client) => hosts.open(client),
    findReadOnly: (client) => findReadOnly(own, places, clientOf({ DESKMAP_CLIENT: client }, hosts.caller)),
    close: () => hosts.close(),
  });
}
