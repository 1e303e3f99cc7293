import { connectHost, readDaemonWish } from "../../client/connect.ts";
import type { Host } from "../../client/host.ts";
import { type Ground, openGround } from "../../ground.ts";
import { defaultTimeoutMs } from "../../model/default-timeout.ts";
import type { Env } from "../../model/env.ts";
import { LocalHost, type Shared, share } from "../local-host.ts";

/** Opens what runs tools for clients: the daemon of this desktop; where there can be none, this process itself. */
export class HostOpener {
  private ground: Ground | undefined;
  private shared: Shared | undefined;

  constructor(private readonly env: Env) {}

  async open(client: string): Promise<Host> {
    const daemon =
      readDaemonWish(this.env) === "never" ? undefined : await connectHost(this.env, { start: true, client });
    return daemon?.ok === true ? daemon.value : this.openHere(client);
  }

  private openHere(client: string): Host {
    this.ground ??= openGround(this.env, defaultTimeoutMs);
    this.shared ??= share(this.ground);
    return new LocalHost({ ...this.env, DESKMAP_CLIENT: client }, this.shared);
  }

  close(): void {
    this.ground?.close();
  }
}
