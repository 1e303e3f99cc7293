import { nearest } from "../../find/nearest.ts";
import type { Keeper } from "../../map/keep/keeper.ts";
import { describeUsage, fail, nothingDone, type Result, succeed } from "../../model/failure.ts";
import { cleanLine } from "../../model/plain-text.ts";
import { keepMap } from "../../server/keeping.ts";

/** Works on the map that is there; without one there is nothing to show, and `work` gets none. */
export function withKeeper<T>(
  work: (keeper: Keeper | undefined) => Promise<Result<T>> | Result<T>,
): Promise<Result<T>> {
  const tell = (remark: string): void => {
    process.stderr.write(`warning: ${cleanLine(remark)}\n`);
  };
  return keepMap(process.env, tell, async (keeper) => work(keeper));
}

/** The applications that a name means, as their refs bear it. */
export function findApps(keeper: Keeper | undefined, name: string): Result<readonly string[]> {
  const apps = keeper?.listApps() ?? new Map<string, readonly string[]>();
  const sought = name.trim().toLowerCase();
  const meant = [...apps].filter(([, names]) => names.includes(sought)).map(([app]) => app);
  if (meant.length > 0) return succeed(meant);
  return fail({
    code: "NOT_FOUND",
    message: `no application is remembered that is called ${JSON.stringify(name)}`,
    nearest: nearest(name, [...apps.values()].flat()),
    suggestion: "deskmap map stats lists them.",
    done: nothingDone,
  });
}

/** A whole number from 1, or why it is none. */
export function readNumber(option: string, given: string, most = 1e9): Result<number> {
  const value = Number(given);
  if (/^\d+$/.test(given.trim()) && value >= 1 && value <= most) return succeed(value);
  return fail(describeUsage(`${option} ${JSON.stringify(given)} is no number from 1`, `${option} 20`));
}
