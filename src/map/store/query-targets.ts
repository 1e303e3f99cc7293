import { sources } from "../../model/target.ts";
import type { MapFile, Row } from "./database.ts";
import type { StoredTarget, TargetQuery } from "./port.ts";
import { readTarget, targetColumns } from "./rows.ts";

type Condition = readonly [isAsked: boolean, sql: string, value: string | number];

/** Remembered targets, most used first. */
export function listTargets(file: MapFile, query: TargetQuery): readonly StoredTarget[] {
  const { from, values } = choose(query);
  // Sorting needs three columns of every row, the result all columns of a few.
  const find = `SELECT ${targetColumns} FROM
      (SELECT mark AS chosen FROM ${from} ORDER BY hits DESC, targets.last_seen DESC, mark LIMIT ?)
      CROSS JOIN targets ON mark = chosen CROSS JOIN places USING (place)
    ORDER BY hits DESC, targets.last_seen DESC, mark`;
  return file.all(find, ...values, query.limit ?? -1).map(readTarget);
}

export function countTargets(file: MapFile, query: TargetQuery): number {
  const { from, values } = choose(query);
  const row: Row | undefined = file.get(`SELECT count(*) AS amount FROM ${from}`, ...values);
  return Number(row?.amount ?? 0);
}

/** Uses containers, which are few and indexed, to select an application. */
function choose({ marks, apps, roles, isTaught, minHits, sources: from }: TargetQuery) {
  const conditions: readonly Condition[] = [
    [marks !== undefined, "mark IN (SELECT value FROM json_each(?))", JSON.stringify(marks ?? [])],
    [
      apps !== undefined,
      "targets.place IN (SELECT place FROM places WHERE app IN (SELECT value FROM json_each(?)))",
      JSON.stringify(apps ?? []),
    ],
    [roles !== undefined, "role IN (SELECT value FROM json_each(?))", JSON.stringify([...(roles ?? [])])],
    [isTaught === true, "taught IS NOT NULL AND ?", 1],
    // A literal, since only then SQLite uses the partial index of pixel targets.
    [from !== undefined, `source IN (${from?.map((one) => sources.indexOf(one)).join(", ")}) AND ?`, 1],
    [minHits !== undefined, "hits >= ? AND hits > 0", minHits ?? 0],
  ];
  const asked = conditions.filter(([isAsked]) => isAsked);
  const where = asked.length === 0 ? "" : `WHERE ${asked.map(([, sql]) => sql).join(" AND ")}`;
  return { from: `targets ${where}`, values: asked.map(([, , value]) => value) };
}
