import type { Env } from "../../model/env.ts";
import { type Result, succeed } from "../../model/failure.ts";
import { mapPath } from "./places.ts";
import { type MapStore, MapUnavailable } from "./port.ts";
import { makeResilient, noteOver, openResilient } from "./resilient.ts";
import { isShared } from "./shared/address.ts";

/** The map that the environment names. `onTrouble` is told why it cannot be written, now or later: then marks do not last. */
export async function openMapStore(env: Env, onTrouble: (why: string) => void): Promise<Result<MapStore>> {
  if (!isShared(env)) return openResilient(mapPath(env), onTrouble);
  try {
    const joined = await (await import("./shared/store.ts")).SharedStore.join(env);
    return joined.ok ? succeed(makeResilient(joined.value, onTrouble)) : joined;
  } catch (error) {
    if (error instanceof MapUnavailable && error.isUnwritable) return succeed(noteOver(mapPath(env), error, onTrouble));
    throw error;
  }
}
