import { statSync } from "node:fs";
import type { MapFile } from "./database.ts";
import { readAside } from "./shared/set-aside.ts";
import { describeLasting } from "./shared/trouble.ts";

export interface Figures {
  readonly apps: readonly AppFigures[];
  readonly targetCount: number;
  readonly placeCount: number;
  readonly lastMark: number;
  readonly bytes: number;
  /** Outcomes of actions by the confidence before them, in bins of a tenth. */
  readonly reliability: readonly { readonly bin: number; readonly hits: number; readonly misses: number }[];
  /** Rows that the shared map's server rejects permanently, by kind and reason. */
  readonly aside: readonly { readonly kind: string; readonly why: string; readonly count: number }[];
}

interface AppFigures {
  readonly app: string;
  readonly targets: number;
  readonly taught: number;
  readonly hits: number;
  readonly misses: number;
  readonly lastSeenMs: number;
}

export function readFigures(file: MapFile): Figures {
  const apps = readApps(file);
  const count = (sql: string): number => Number(file.get(sql)?.amount ?? 0);
  return {
    apps,
    targetCount: apps.reduce((sum, { targets }) => sum + targets, 0),
    placeCount: count("SELECT count(*) AS amount FROM places"),
    lastMark: count("SELECT seq AS amount FROM sqlite_sequence WHERE name = 'targets'"),
    bytes: [file.path, `${file.path}-wal`].reduce(
      (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
      0,
    ),
    reliability: file
      .all("SELECT bin, hits, misses FROM reliability ORDER BY bin")
      .map(({ bin, hits, misses }) => ({ bin: Number(bin), hits: Number(hits), misses: Number(misses) })),
    aside: readAside(file).map(({ code, ...aside }) => ({ ...aside, why: describeLasting(code) })),
  };
}

/** Aggregates by container first: an application has hundreds, and each is looked up once. */
function readApps(file: MapFile): AppFigures[] {
  const find = `SELECT app, sum(targets) AS targets, sum(taught) AS taught, sum(hits) AS hits, sum(misses) AS misses,
      max(seen) AS last_seen
    FROM (SELECT place, count(*) AS targets, count(taught) AS taught, sum(hits) AS hits, sum(misses) AS misses,
        max(last_seen) AS seen FROM targets GROUP BY place) JOIN places USING (place)
    GROUP BY app ORDER BY 2 DESC, app`;
  return file.all(find).map(({ app, targets, taught, hits, misses, last_seen }) => ({
    app: String(app),
    targets: Number(targets),
    taught: Number(taught),
    hits: Number(hits),
    misses: Number(misses),
    lastSeenMs: Number(last_seen) * 1000,
  }));
}
