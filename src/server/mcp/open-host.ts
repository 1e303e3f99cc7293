import { connectHost, readDaemonUse } from "../../client/connect.ts";
import { LocalHost, type Shared, share } from "../../host/local-host.ts";
import type { Host } from "../../host/port.ts";
import { openRuntime, type Runtime } from "../../host/runtime.ts";
import { defaultTimeoutMs } from "../../model/default-timeout.ts";
import type { Env } from "../../model/env.ts";

/** Opens what runs tools for clients: the daemon of this desktop; where there can be none, this process itself. */
export class HostOpener {
  private runtime: Runtime | undefined;
  private shared: Shared | undefined;

  constructor(private readonly env: Env) {}

  async open(client: string): Promise<Host> {
    const daemon =
      readDaemonUse(this.env) === "never" ? undefined : await connectHost(this.env, { start: true, client });
    return daemon?.ok === true ? daemon.value : this.openHere(client);
  }

  private openHere(client: string): Host {
    this.runtime ??= openRuntime(this.env, defaultTimeoutMs);
    this.shared ??= share(this.runtime);
    return new LocalHost({ ...this.env, DESKMAP_CLIENT: client }, this.shared);
  }

  close(): void {
    this.runtime?.close();
  }
}
