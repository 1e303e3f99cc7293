import { existsSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Env } from "../../model/env.ts";
import { fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { pickPassingBlock } from "../../model/passing-mark.ts";
import { describeFailure, isUnwritable, MapFile } from "./database.ts";
import { raiseCounter } from "./exchange.ts";
import { LayeredStore } from "./layered.ts";
import { mapPath } from "./places.ts";
import { type MapStore, MapUnavailable } from "./port.ts";
import { isShared } from "./shared/address.ts";
import { SqliteStore } from "./sqlite.ts";

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

/** A map that is read and never written: new marks, and what is learned, end with this process. */
export async function openUnwritten(env: Env): Promise<Result<MapStore>> {
  const why = makeFailure("REFUSED", "the map is not written with --no-memory", "leave it out to remember this.");
  return succeed(layInMemory(openReadable(mapPath(env)), new MapUnavailable(why, true)));
}

/** Opens the map, or continues in memory and tells `onTrouble` why. A damaged map is refused. */
function openResilient(path: string, onTrouble: (why: string) => void): Result<MapStore> {
  try {
    return succeed(makeResilient(SqliteStore.over(MapFile.open(path)), onTrouble));
  } catch (error) {
    const failure = describeFailure(path, error);
    if (!isUnwritable(error)) return fail(failure);
    return succeed(fallBackToMemory(path, new MapUnavailable(failure, true), onTrouble));
  }
}

function fallBackToMemory(path: string, why: MapUnavailable, onTrouble: (why: string) => void): MapStore {
  onTrouble(describeTrouble(why.failure.message));
  return layInMemory(openReadable(path), why);
}

const writing: ReadonlySet<PropertyKey> = new Set<keyof MapStore>([
  "allotMarks",
  "setEvidence",
  "setObjects",
  "dropEvidence",
  "updateRefs",
  "nameApplications",
  "setTempers",
  "noteInput",
  "touchContainers",
  "recordSeen",
  "countAct",
  "setFeedback",
  "teach",
  "dropUnusedPlaces",
  "setPlace",
  "inTransaction",
]);

/** After the first failed write everything goes to memory; the failed work is repeated. */
export function makeResilient(store: MapStore, onTrouble: (why: string) => void): MapStore {
  let current = store;
  let isInside = false;
  const attempt = (work: () => unknown): unknown => {
    // A transaction fails and is repeated as a whole.
    if (isInside) return work();
    try {
      return work();
    } catch (error) {
      if (!(error instanceof MapUnavailable && error.isUnwritable) || current !== store) throw error;
      onTrouble(describeTrouble(error.failure.message));
      current = layInMemory(store, error);
      return work();
    }
  };
  return new Proxy(store, {
    get(_, name) {
      if (typeof Reflect.get(current, name) !== "function") return undefined;
      const call = (...values: unknown[]): unknown => Reflect.apply(Reflect.get(current, name), current, values);
      const transact = (...values: unknown[]): unknown => {
        const wasInside = isInside;
        isInside = true;
        try {
          return call(...values);
        } finally {
          isInside = wasInside;
        }
      };
      const work = name === "inTransaction" ? transact : call;
      return writing.has(name) ? (...values: unknown[]) => attempt(() => work(...values)) : work;
    },
  });
}

function layInMemory(map: MapStore | undefined, why: MapUnavailable): MapStore {
  const memory = MapFile.openInMemory();
  raiseCounter(memory, pickPassingBlock());
  return new LayeredStore(memory, map, why);
}

/** Opens an unwritable map for reading: in its present state, or as it was when last closed. */
function openReadable(path: string): MapStore | undefined {
  if (!existsSync(path)) return undefined;
  const journal = statSync(`${path}-wal`, { throwIfNoEntry: false });
  // Without its journal a map may be inconsistent, unless the journal is empty.
  const alone = (journal?.size ?? 0) === 0 ? [`${pathToFileURL(path).href}?immutable=1`] : [];
  for (const address of [path, ...alone]) {
    try {
      return SqliteStore.over(MapFile.openReadOnly(address));
    } catch {
      // Try the next address.
    }
  }
  return undefined;
}

function describeTrouble(reason: string): string {
  return `${reason}: new marks, numbered from 1000000000000, are valid only in this process`;
}
