import { type Failure, nothingDone } from "../../model/failure.ts";
import type { MapFile } from "./database.ts";

// Of a map that is shared the server leases numbers, in blocks that nobody else is given ever again.

const blockSize = 1000;

/** Whether a file is a copy of a shared map. */
export function isLeasing(file: MapFile): boolean {
  return file.get("SELECT 1 FROM sqlite_master WHERE name = 'shared_numbers'") !== undefined;
}

/** Takes numbers out of the blocks that were leased; undefined where there are not so many. Only within a transaction. */
export function takeLeased(file: MapFile, count: number): number[] | undefined {
  const taken: number[] = [];
  for (const { last, next } of file.all("SELECT last, next FROM shared_numbers WHERE next <= last ORDER BY last")) {
    const amount = Math.min(count - taken.length, Number(last) - Number(next) + 1);
    for (let index = 0; index < amount; index += 1) taken.push(Number(next) + index);
    file.run("UPDATE shared_numbers SET next = next + ? WHERE last = ?", amount, Number(last));
    if (taken.length === count) break;
  }
  file.run("DELETE FROM shared_numbers WHERE next > last");
  return taken.length === count ? taken : undefined;
}

/** How many to lease so that a whole block is left for work without the server once `wanted` were given; then one more. */
export function countLacking(file: MapFile, wanted: number): number {
  const free = Number(file.get("SELECT coalesce(sum(last - next + 1), 0) AS amount FROM shared_numbers")?.amount);
  const needed = wanted + blockSize;
  return free >= needed ? 0 : Math.ceil((needed + blockSize - free) / blockSize) * blockSize;
}

export function findHighest(file: MapFile): number {
  const given = file.get("SELECT seq FROM sqlite_sequence WHERE name = 'targets'");
  const leased = file.get("SELECT max(last) AS last FROM shared_numbers");
  return Math.max(Number(given?.seq ?? 0), Number(leased?.last ?? 0));
}

/** No number is made up: another desktop may have given it to another control. */
export function describeNoNumbers(count: number): Failure {
  return {
    code: "UNAVAILABLE",
    message: `${count} new controls were met, and the shared map has leased fewer numbers than that`,
    suggestion: "try again: more are leased as soon as its server is reached; or ask for fewer elements with --max.",
    done: nothingDone,
  };
}
