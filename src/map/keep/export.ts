import { readMapId, readTargets } from "../store/exchange.ts";
import type { SqliteStore } from "../store/sqlite.ts";
import { type Head, lineVersion, writeLine } from "./lines.ts";

export interface ExportOptions {
  /** Limits the export to these applications, named as in refs. */
  readonly apps: ReadonlySet<string> | undefined;
  readonly nowMs: number;
}

/** Yields a map as lines, in batches. The store holds neither runtime ids nor values, so an export contains none. */
export function* exportMap(store: SqliteStore, { apps, nowMs }: ExportOptions): Generator<readonly string[]> {
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
