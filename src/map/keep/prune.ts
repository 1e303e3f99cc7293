import { statSync } from "node:fs";
import type { Env } from "../../model/env.ts";
import { type Result, succeed } from "../../model/failure.ts";
import { mapPath } from "../store/places.ts";
import { type Pruned, type PruneOptions, prune } from "../store/prune.ts";

export interface PruneReport {
  readonly pruned: Pruned;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/** Pruning is never automatic: old entries do no harm, and only a person knows what is still needed. */
export function pruneMap(env: Env, options: PruneOptions): Result<PruneReport> {
  const path = mapPath(env);
  const sizeOf = (): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const bytesBefore = sizeOf();
  const pruned = prune(path, options);
  return pruned.ok ? succeed({ pruned: pruned.value, bytesBefore, bytesAfter: sizeOf() }) : pruned;
}
