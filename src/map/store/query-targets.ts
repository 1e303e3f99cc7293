import type { Ref } from "../../model/ref.ts";
import { sources } from "../../model/source.ts";
import type { MapFile, Row } from "./database.ts";
import type { StoredTarget, TargetQuery } from "./port.ts";
import { readTarget, targetColumns, toContainerRow } from "./rows.ts";

type Condition = readonly [isAsked: boolean, sql: string, value: string | number];

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

/**
 * Returns the marks whose stored ref differs in container, name or position among others. Compares column by column,
 * since nearly all are equal: loading full refs took a fifth of the first read after a restart.
 */
export function findChangedRefs(file: MapFile, refs: ReadonlyMap<number, Ref>): number[] {
  if (refs.size === 0) return [];
  const find = `SELECT mark, name, platform_id, position, alike, owner, sister_before, sister_after, twins, has_twin,
      CAST(key AS TEXT) AS key FROM targets CROSS JOIN places USING (place) WHERE mark IN (SELECT value FROM json_each(?))`;
  return file.all(find, `[${[...refs.keys()].join(",")}]`).flatMap((row) => {
    const ref = refs.get(Number(row.mark));
    return ref === undefined || isUnchanged(ref, row) ? [] : [Number(row.mark)];
  });
}

function isUnchanged(ref: Ref, row: Row): boolean {
  return (
    row.name === ref.name &&
    row.key === toContainerRow(ref).key &&
    row.position === ref.index &&
    row.alike === ref.count &&
    row.platform_id === ref.platformId &&
    row.owner === ref.owner &&
    row.sister_before === ref.sisters[0] &&
    row.sister_after === ref.sisters[1] &&
    row.twins === ref.twins &&
    row.has_twin === Number(ref.hasTwin)
  );
}

/** The evidence by which a control is found again. */
export interface Clues {
  /** How many appearance hashes lead to it. */
  readonly looks: number;
  /** How many objects it was, over runs of its application. */
  readonly objects: number;
  /** True if it was observed and changes only when acted on; undefined if it was not observed. */
  readonly isCalm: boolean | undefined;
  readonly aliases: readonly number[];
}

/** Used for one control at a time: an index by mark would be a tenth of the file for nothing else. */
export function findClues(file: MapFile, mark: number): Clues {
  const count = (table: string): number =>
    Number(file.get(`SELECT count(*) AS amount FROM ${table} WHERE mark = ?`, mark)?.amount ?? 0);
  const temper = file.get("SELECT is_calm FROM tempers WHERE mark = ?", mark)?.is_calm;
  return {
    looks: count("evidence"),
    objects: count("objects"),
    isCalm: temper === undefined ? undefined : temper === 1,
    aliases: file
      .all("SELECT alias FROM aliases WHERE mark = ? ORDER BY alias", mark)
      .map(({ alias }) => Number(alias)),
  };
}
