import { existsSync } from "node:fs";
import { mapPath } from "../map/store/places.ts";
import type { MapStore } from "../map/store/port.ts";
import { broken, type Check, note, ok } from "../model/check.ts";
import type { Env } from "../model/env.ts";
import { type Result, succeed } from "../model/failure.ts";

/** What the map knows about applications, for a person to see and delete. */
export interface Memory {
  readonly apps: readonly { readonly app: string; readonly names: readonly string[]; readonly markCount: number }[];
  /** Forgets them for everyone who shares the map, or only in this copy. Returns the number of deleted marks. */
  forget(apps: readonly string[], scope: "everywhere" | "here"): Result<number>;
}

export async function openMemory(env: Env): Promise<Result<Memory>> {
  const path = mapPath(env);
  if (!existsSync(path)) return succeed({ apps: [], forget: () => succeed(0) });
  const [{ SqliteStore: Store }, { forgetApplications }] = await Promise.all([
    import("../map/store/sqlite.ts"),
    import("../map/store/forget.ts"),
  ]);
  const store = Store.open(path);
  if (!store.ok) return store;
  const [names, counts] = [store.value.listNames(), store.value.countByApplication()];
  store.value.close();
  const apps = [...new Set([...names.keys(), ...counts.keys()])].map((app) => {
    return { app, names: [...new Set([app, ...(names.get(app) ?? [])])], markCount: counts.get(app) ?? 0 };
  });
  return succeed({ apps, forget: (wanted, scope) => forgetApplications(path, wanted, scope) });
}

/** Forgets applications by their names, only in this copy. Returns the number of deleted marks. */
export async function forgetWhere(
  env: Env,
  map: Pick<MapStore, "listNames">,
  isSuch: (names: readonly string[]) => boolean,
): Promise<Result<number>> {
  const apps = [...map.listNames()].filter(([, names]) => isSuch([...names])).map(([app]) => app);
  if (apps.length === 0) return succeed(0);
  const { forgetApplications } = await import("../map/store/forget.ts");
  return forgetApplications(mapPath(env), apps, "here");
}

export async function examineMap(env: Env): Promise<Check> {
  const { openMapStore } = await import("../map/store/open.ts");
  const troubles: string[] = [];
  const store = await openMapStore(env, (why) => troubles.push(why));
  if (!store.ok) return broken("map", store.failure.message, store.failure.suggestion ?? "");
  const [count, remark] = [store.value.countMarks(), await store.value.settle()];
  const mend = store.value.findMend?.();
  store.value.close();
  const [trouble] = troubles;
  if (trouble !== undefined) return broken("map", trouble, "make its folder writable, and free space on the disk.");
  if (remark !== undefined) return (mend?.isNote === true ? note : broken)("map", remark, mend?.words ?? "");
  const path = mapPath(env);
  return ok("map", `${path}, ${count} ${count === 1 ? "mark" : "marks"}`);
}
