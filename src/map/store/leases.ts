import { type Failure, makeFailure } from "../../model/failure.ts";
import type { MapFile } from "./database.ts";
import { readCounter } from "./exchange.ts";

// The server of a shared map leases numbers in blocks that are never given to anyone else.

const blockSize = 1000;

/** Whether the file is a copy of a shared map. */
export function isLeasing(file: MapFile): boolean {
  return file.get("SELECT 1 FROM sqlite_master WHERE name = 'shared_numbers'") !== undefined;
}

/** Takes numbers from the leased blocks; undefined if there are too few. Only within a transaction. */
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

/** How many numbers to lease so that a full block remains for offline work after `wanted` are taken. */
export function countLacking(file: MapFile, wanted: number): number {
  const free = Number(file.get("SELECT coalesce(sum(last - next + 1), 0) AS amount FROM shared_numbers")?.amount);
  const needed = wanted + blockSize;
  return free >= needed ? 0 : Math.ceil((needed + blockSize - free) / blockSize) * blockSize;
}

export function findHighest(file: MapFile): number {
  const leased = file.get("SELECT max(last) AS last FROM shared_numbers");
  return Math.max(readCounter(file), Number(leased?.last ?? 0));
}

/** Numbers are never invented: another desktop may have given one to another control. */
export function describeNoNumbers(count: number): Failure {
  return makeFailure(
    "UNAVAILABLE",
    `${count} new controls need numbers, and fewer are leased from the shared map`,
    "try again: more are leased when its server is reachable; or ask for fewer elements with --max.",
  );
}
