import { existsSync } from "node:fs";
import { findDaemonPlace, readDaemonWish } from "../client/connect-place.ts";
import type { DaemonConnection } from "../client/connection.ts";
import type { Begun, ShowBefore, Spot, Witness } from "../model/activity.ts";
import type { Effect } from "../model/effect.ts";
import type { Env } from "../model/env.ts";
import type { Result } from "../model/failure.ts";

/** What acts in a process of its own waits no longer for those who look on at the daemon. */
const longestWaitMs = 400;

/** Tells those who look on, at the daemon, what this process does. Where nobody does, it asks for one file, and no more. */
export class DistantWitness implements Witness {
  private connection: DaemonConnection | undefined;
  private ending: Promise<void> = Promise.resolve();

  constructor(private readonly env: Env) {}

  async look(where: Spot | undefined): Promise<ShowBefore | undefined> {
    if (readDaemonWish(this.env) === "never" || !existsSync(findDaemonPlace(this.env).observed)) return undefined;
    await Promise.race([this.tell(where).catch(() => undefined), Bun.sleep(longestWaitMs)]);
    // The daemon shows it, when it is told what has begun.
    return () => undefined;
  }

  begin(begun: Begun, where: Spot | undefined): void {
    this.connection?.testify({ of: "begun", begun, where }).catch(() => undefined);
  }

  end(n: number, outcome: Result<Effect>): void {
    const { connection } = this;
    if (connection === undefined) return;
    const opened = outcome.ok ? outcome.value.changes.openedWindows[0]?.bounds : undefined;
    this.ending = import("../show/activity.ts")
      .then(({ describeEnded }) => connection.testify({ of: "ended", ended: describeEnded(n, outcome), where: opened }))
      .catch(() => undefined);
  }

  async close(): Promise<void> {
    await Promise.race([this.ending, Bun.sleep(this.connection === undefined ? 0 : longestWaitMs)]);
    await this.connection?.close();
  }

  private async tell(where: Spot | undefined): Promise<void> {
    const { findHost } = await import("../client/connect.ts");
    this.connection ??= await findHost(this.env);
    if (where !== undefined) await this.connection?.testify({ of: "before", where });
  }
}
