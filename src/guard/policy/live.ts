import { statSync } from "node:fs";
import type { Env } from "../../model/env.ts";
import { type Result, succeed } from "../../model/failure.ts";
import type { Client } from "../gate.ts";
import type { Places } from "../places.ts";
import { loadPolicy, policyFor } from "./file.ts";
import type { Policy } from "./policy.ts";
import { isReadOnlyAsked } from "./read-only.ts";

/** One client's policy, as long as it has the desktop open: it follows the file, which a person may change meanwhile. */
export class LivePolicy {
  private current: Policy | undefined;
  private stamp: string | undefined;

  constructor(
    private readonly env: Env,
    private readonly places: Places,
    private readonly client: Client,
    private readonly isPrivate: boolean,
  ) {}

  /** Always the same object, with what holds now. */
  async refresh(): Promise<Result<Policy>> {
    const { policy: file, seal } = this.places;
    const stamp = [file, ...(this.isPrivate ? [] : [seal])].map(readStamp).join();
    if (this.current === undefined || stamp !== this.stamp) {
      const loaded = await loadPolicy(this.places, this.isPrivate);
      if (!loaded.ok) return loaded;
      const policy = policyFor(loaded.value, this.client.name);
      const isReadOnly = policy.isReadOnly || isReadOnlyAsked(this.env);
      this.current = Object.assign(this.current ?? { ...policy }, policy, { isReadOnly });
      this.stamp = stamp;
    }
    return succeed(this.current);
  }
}

function readStamp(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? "" : [stat.dev, stat.ino, stat.size, stat.mode, stat.mtimeNs, stat.ctimeNs].join(" ");
}
