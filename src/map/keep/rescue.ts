import type { Result } from "../../model/failure.ts";
import { type Environment, mapPath } from "../store/places.ts";
import { type Rescue, rescue } from "../store/rescue.ts";

/** A new map of what can be read of this user's. */
export function rescueMap(env: Environment, nowMs: number): Result<Rescue> {
  return rescue(mapPath(env), nowMs);
}
