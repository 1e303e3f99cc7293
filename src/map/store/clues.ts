import type { MapFile } from "./database.ts";

/** By what a control is found again. */
export interface Clues {
  /** How it may look. */
  readonly looks: number;
  /** The objects that it was, in runs of its application. */
  readonly objects: number;
  /** Whether it was watched, and changes only when something is done to it; undefined where it was not. */
  readonly isCalm: boolean | undefined;
  /** Other numbers that mean it. */
  readonly aliases: readonly number[];
}

/** For one control at a time: nothing else asks which hashes lead to a mark, and an index would be a tenth of the file. */
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
