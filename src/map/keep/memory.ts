import { existsSync } from "node:fs";
import { type Result, succeed } from "../../model/failure.ts";
import { mapPath } from "../store/places.ts";

/** What the map remembers of applications, for the person to see and to take away. */
export interface Memory {
  readonly apps: readonly { readonly app: string; readonly names: readonly string[]; readonly markCount: number }[];
  /** Forgets them wholly, for all who share the map or in this copy alone; returns how many marks there were. */
  forget(apps: readonly string[], scope: "everywhere" | "here"): Result<number>;
}

export async function openMemory(env: Readonly<Record<string, string | undefined>>): Promise<Result<Memory>> {
  const path = mapPath(env);
  if (!existsSync(path)) return succeed({ apps: [], forget: () => succeed(0) });
  const [{ SqliteStore: Store }, { forgetApplications }] = await Promise.all([
    import("../store/sqlite.ts"),
    import("../store/forget.ts"),
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
