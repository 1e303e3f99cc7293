import type { MapFile } from "./database.ts";

/** The evidence by which a control is found again. */
export interface Clues {
  /** How many appearance hashes lead to it. */
  readonly looks: number;
  /** How many objects it was, over runs of its application. */
  readonly objects: number;
  /** True if it was observed and changes only when acted on; undefined if it was not observed. */
  readonly isCalm: boolean | undefined;
  /** Other numbers that mean this control. */
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
