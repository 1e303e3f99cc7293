import type { Ref } from "../../model/ref.ts";
import type { MapFile, Row } from "./database.ts";
import { toContainerRow } from "./rows.ts";

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
