import { nearest } from "../find/nearest.ts";
import { findPlaces } from "../guard/places.ts";
import { loadPolicy } from "../guard/policy/file.ts";
import { findStanding } from "../guard/policy/policy.ts";
import { Keeper, MapUnavailable } from "../map/keep/keeper.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import { cleanLine } from "../model/plain-text.ts";
import { isInsideSandbox } from "../sandbox/inside.ts";
import type { Forms } from "./report.ts";
import { usage } from "./usage.ts";

export interface FormatFlags {
  readonly format?: string;
  readonly pretty?: boolean;
}

type Answer = { readonly forms: Forms; readonly exitCode?: number } | Failure;

/** Works on the map that is there; without one there is nothing to show, and `work` gets none. */
export async function withKeeper(work: (keeper: Keeper | undefined) => Promise<Answer> | Answer): Promise<Answer> {
  const isBlind = await readBlindness();
  if (!isBlind.ok) return isBlind.failure;
  // What others who share the map have forgotten is not shown, and what they use is not pruned.
  const apart = await meetOthers();
  if (apart !== undefined) return apart;
  const opened = Keeper.open(process.env);
  if (!opened.ok) return opened.failure;
  const keeper = opened.value;
  const version = keeper?.store.readVersion();
  try {
    // What is never looked at is not remembered either, whenever the policy came to say so.
    const blind = [...(keeper?.listApps() ?? [])].filter(([, names]) => isBlind.value(names)).map(([app]) => app);
    const clean = blind.length === 0 ? succeed(0) : (keeper?.forget({ by: "apps", apps: blind }, "here") ?? succeed(0));
    return clean.ok ? await work(keeper) : clean.failure;
  } catch (error) {
    if (error instanceof MapUnavailable) return error.failure;
    throw error;
  } finally {
    const isChanged = keeper?.store.readVersion() !== version;
    keeper?.close();
    if (isChanged) await meetOthers();
  }
}

/** Only where a map is shared; a server that is away is told of, and hears it later. */
async function meetOthers(): Promise<Failure | undefined> {
  if ((process.env.DESKMAP_MAP ?? "") === "") return undefined;
  const met = await (await import("../map/keep/meet.ts")).meetOthers(process.env);
  if (!met.ok) return met.failure;
  if (met.value !== undefined) process.stderr.write(`warning: ${cleanLine(met.value)}\n`);
  return undefined;
}

/** Whether an application of these names must not be looked at. */
export async function readBlindness(): Promise<Result<(names: readonly string[]) => boolean>> {
  const policy = await loadPolicy(findPlaces(process.env), isInsideSandbox(process.env));
  if (!policy.ok) return policy;
  return succeed((names) => findStanding(policy.value.common, [...names]) === "blind");
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
  return fail(usage(`${option} ${JSON.stringify(given)} is no number from 1`, `${option} 20`));
}
