import { type Result, succeed } from "../../model/failure.ts";
import { type Environment, mapPath } from "./places.ts";
import type { MapStore } from "./port.ts";
import { makeResilient, openResilient } from "./resilient.ts";
import { isShared } from "./shared/address.ts";

/** The map that the environment names. `onTrouble` is told why it cannot be written, now or later: then marks do not last. */
export async function openMapStore(env: Environment, onTrouble: (why: string) => void): Promise<Result<MapStore>> {
  if (!isShared(env)) return openResilient(mapPath(env), onTrouble);
  const joined = await (await import("./shared/store.ts")).SharedStore.join(env);
  return joined.ok ? succeed(makeResilient(joined.value, onTrouble)) : joined;
}
