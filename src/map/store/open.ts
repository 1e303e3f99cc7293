import type { Env } from "../../model/env.ts";
import { type Result, succeed } from "../../model/failure.ts";
import { mapPath } from "./places.ts";
import { type MapStore, MapUnavailable } from "./port.ts";
import { fallBackToMemory, makeResilient, openResilient } from "./resilient.ts";
import { isShared } from "./shared/address.ts";

/**
 * Opens the map selected by the environment. `onTrouble` receives the reason if the map cannot be written, now or
 * later; marks are then temporary.
 */
export async function openMapStore(env: Env, onTrouble: (why: string) => void): Promise<Result<MapStore>> {
  if (!isShared(env)) return openResilient(mapPath(env), onTrouble);
  try {
    const joined = await (await import("./shared/store.ts")).SharedStore.join(env);
    return joined.ok ? succeed(makeResilient(joined.value, onTrouble)) : joined;
  } catch (error) {
    if (error instanceof MapUnavailable && error.isUnwritable)
      return succeed(fallBackToMemory(mapPath(env), error, onTrouble));
    throw error;
  }
}
