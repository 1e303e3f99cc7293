import { FileRecords } from "../guard/audit/file-records.ts";
import { findPlaces } from "../guard/places.ts";
import { loadPolicy } from "../guard/policy/file.ts";
import { findStanding } from "../guard/policy/policy.ts";
import { type Forgetting, Keeper, MapUnavailable } from "../map/keep/keeper.ts";
import type { Env } from "../model/env.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import { isInsideSandbox } from "../sandbox/inside.ts";

/** What a person should hear besides. */
type OnRemark = (remark: string) => void;

/** When the others of a shared map were met last, by the name of the map. */
const metAtMs = new Map<string, number>();

/**
 * Works on the map that is there, for the person whose memory it is; without one there is nothing to show, and `work` gets none.
 * Others who share it are met first, unless they were within the last `restMs`; what is changed is told to them at once.
 */
export async function keepMap<T>(
  env: Env,
  onRemark: OnRemark,
  work: (keeper: Keeper | undefined) => Promise<Result<T>> | Result<T>,
  restMs = 0,
): Promise<Result<T>> {
  const isBlind = await readBlindness(env);
  if (!isBlind.ok) return isBlind;
  // What others who share the map have forgotten is not shown, and what they use is not pruned.
  const isMet = performance.now() - (metAtMs.get(env.DESKMAP_MAP ?? "") ?? Number.NEGATIVE_INFINITY) < restMs;
  const apart = isMet ? undefined : await synchronise(env, onRemark);
  if (apart !== undefined) return fail(apart);
  const opened = Keeper.open(env);
  if (!opened.ok) return opened;
  const keeper = opened.value;
  const version = keeper?.store.readVersion();
  try {
    // What is never looked at is not remembered either, whenever the policy came to say so.
    const blind = [...(keeper?.listApps() ?? [])].filter(([, names]) => isBlind.value(names)).map(([app]) => app);
    const clean = blind.length === 0 ? succeed(0) : (keeper?.forget({ by: "apps", apps: blind }, "here") ?? succeed(0));
    return clean.ok ? await work(keeper) : clean;
  } catch (error) {
    if (error instanceof MapUnavailable) return fail(error.failure);
    throw error;
  } finally {
    const isChanged = keeper?.store.readVersion() !== version;
    keeper?.close();
    if (isChanged) await synchronise(env, onRemark);
  }
}

/** Only where a map is shared; a server that is away is told of, and hears it later. */
async function synchronise(env: Env, onRemark: OnRemark): Promise<Failure | undefined> {
  if ((env.DESKMAP_MAP ?? "") === "") return undefined;
  const met = await (await import("../map/keep/keeper.ts")).synchronise(env);
  if (!met.ok) return met.failure;
  metAtMs.set(env.DESKMAP_MAP ?? "", performance.now());
  if (met.value !== undefined) onRemark(met.value);
  return undefined;
}

/** Whether an application of these names must not be looked at. */
export async function readBlindness(env: Env): Promise<Result<(names: readonly string[]) => boolean>> {
  const policy = await loadPolicy(findPlaces(env), isInsideSandbox(env));
  if (!policy.ok) return policy;
  return succeed((names) => findStanding(policy.value.common, [...names]) === "blind");
}

/** Forgets what a person has named, and writes that down first. Returns how many marks there were. */
export function forgetNamed(env: Env, keeper: Keeper | undefined, what: Forgetting, client?: string): Result<number> {
  const missing = findMissing(what, keeper);
  if (missing !== undefined) return fail(missing);
  const written = recordKeeping(env, what.by === "apps" ? what.apps : [], "forgotten", client);
  if (!written.ok) return written;
  return keeper?.forget(what) ?? succeed(0);
}

export function recordKeeping(env: Env, apps: readonly string[], effect: string, client = "person"): Result<unknown> {
  return new FileRecords(findPlaces(env)).write({ what: "policy", client, tool: "map", apps, effect });
}

function findMissing(what: Forgetting, keeper: Keeper | undefined): Failure | undefined {
  const wrong = (message: string, suggestion: string): Failure => {
    return { code: "NOT_FOUND", message, suggestion, done: nothingDone };
  };
  if (what.by === "mark" && keeper?.find(what.mark) === undefined) {
    return wrong(`nothing is remembered under mark ${what.mark}`, "deskmap map list shows what is remembered.");
  }
  if (what.by === "taught" && !hasTaught(keeper, what.name)) {
    return wrong(`no control was taught by the name ${JSON.stringify(what.name)}`, "deskmap map list shows the names.");
  }
  return undefined;
}

function hasTaught(keeper: Keeper | undefined, name: string): boolean {
  const sought = name.toLowerCase();
  return (keeper?.list({ isTaught: true }) ?? []).some(({ learned }) => learned.taught.toLowerCase() === sought);
}
