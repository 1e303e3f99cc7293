import { readMapId, readTargets } from "../store/exchange.ts";
import type { SqliteStore } from "../store/sqlite.ts";
import { type Head, lineVersion, writeLine } from "./lines.ts";

export interface ExportWish {
  /** Only these, by the names that their refs bear. */
  readonly apps: ReadonlySet<string> | undefined;
  readonly nowMs: number;
}

/** A map as lines, some at a time. Runtime ids are not stored, and neither are values: none can be in it. */
export function* exportMap(store: SqliteStore, { apps, nowMs }: ExportWish): Generator<readonly string[]> {
  const names = [...store.listNames()].filter(([app]) => apps?.has(app) ?? true);
  const head: Head = {
    deskmap: "map",
    version: lineVersion,
    map: readMapId(store.file),
    lastMark: store.countMarks(),
    exportedAt: new Date(nowMs).toISOString(),
    names: Object.fromEntries(names.map(([app, own]) => [app, [...own]])),
  };
  yield [JSON.stringify(head)];
  for (const batch of readTargets(store.file)) {
    yield batch.filter(({ ref }) => apps?.has(ref.app) ?? true).map(writeLine);
  }
}
