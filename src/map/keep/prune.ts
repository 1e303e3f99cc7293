import { statSync } from "node:fs";
import type { Env } from "../../model/env.ts";
import { type Result, succeed } from "../../model/failure.ts";
import { mapPath } from "../store/places.ts";
import { type Pruned, type PruneWish, prune } from "../store/prune.ts";

export interface PruneReport {
  readonly pruned: Pruned;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/** Never by itself: what is old is not in the way, and only a person knows what is still wanted. */
export function prunePath(env: Env, wish: PruneWish): Result<PruneReport> {
  const path = mapPath(env);
  const sizeOf = (): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const bytesBefore = sizeOf();
  const pruned = prune(path, wish);
  return pruned.ok ? succeed({ pruned: pruned.value, bytesBefore, bytesAfter: sizeOf() }) : pruned;
}
