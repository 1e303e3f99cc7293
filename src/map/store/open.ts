import type { Result } from "../../model/failure.ts";
import { type Environment, mapPath } from "./places.ts";
import type { MapStore } from "./port.ts";
import { isShared } from "./shared/address.ts";
import { SqliteStore } from "./sqlite.ts";

/** The map that the environment names. */
export async function openMapStore(env: Environment): Promise<Result<MapStore>> {
  if (isShared(env)) return (await import("./shared/store.ts")).SharedStore.join(env);
  return SqliteStore.open(mapPath(env));
}
