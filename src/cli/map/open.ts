import { existsSync, statSync } from "node:fs";
import { nearest } from "../../find/nearest.ts";
import type { Keeper } from "../../map/keep/keeper.ts";
import { describeUsage, type Failure, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { cleanLine } from "../../model/plain-text.ts";
import { keepMap } from "../../server/keeping.ts";

/** Works on the map; `work` gets undefined if there is none yet. Remarks go to standard error. */
export function withKeeper<T>(
  work: (keeper: Keeper | undefined) => Promise<Result<T>> | Result<T>,
): Promise<Result<T>> {
  const warn = (remark: string): void => {
    process.stderr.write(`warning: ${cleanLine(remark)}\n`);
  };
  return keepMap(process.env, warn, async (keeper) => work(keeper));
}

/** The applications with this name, by the names in their refs. */
export function findApps(keeper: Keeper | undefined, name: string): Result<readonly string[]> {
  const apps = keeper?.listApps() ?? new Map<string, readonly string[]>();
  const sought = name.trim().toLowerCase();
  const meant = [...apps].filter(([, names]) => names.includes(sought)).map(([app]) => app);
  if (meant.length > 0) return succeed(meant);
  const message = `no application is remembered that is called ${JSON.stringify(name)}`;
  const failure = makeFailure("NOT_FOUND", message, "deskmap map stats lists them.");
  return fail({ ...failure, nearest: nearest(name, [...apps.values()].flat()) });
}

/** The applications with any of these names; each name must be known. */
export function findAllApps(keeper: Keeper | undefined, names: readonly string[]): Result<readonly string[]> {
  const found: string[] = [];
  for (const name of names) {
    const apps = findApps(keeper, name);
    if (!apps.ok) return apps;
    found.push(...apps.value);
  }
  return succeed(found);
}

/** Why a file cannot be read; undefined if it can, or if it is standard input. */
export function refuseFile(file: string, suggestion: string): Failure | undefined {
  if (file === "-" || (existsSync(file) && !statSync(file).isDirectory())) return undefined;
  const message = existsSync(file) ? `${file} is a folder` : `there is no file ${file}`;
  return makeFailure("NOT_FOUND", message, suggestion);
}

export function readNumber(option: string, given: string, most = 1e9): Result<number> {
  const value = Number(given);
  if (/^\d+$/.test(given.trim()) && value >= 1 && value <= most) return succeed(value);
  return fail(describeUsage(`${option} ${JSON.stringify(given)} is no number from 1`, `${option} 20`));
}
