import { FileRecords } from "../guard/audit/file-records.ts";
import { findPlaces } from "../guard/places.ts";
import { loadPolicy } from "../guard/policy/file.ts";
import { findStand } from "../guard/policy/policy.ts";
import { type Forgetting, Keeper, MapUnavailable } from "../map/keep/keeper.ts";
import type { Env } from "../model/env.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { isInsideSandbox } from "../sandbox/inside.ts";

type OnRemark = (remark: string) => void;

const synchronisedAtMs = new Map<string, number>();

/**
 * Works on the map, for the person whose map it is; `work` gets undefined if there is none yet. A shared map is synchronised
 * first, unless it was within the last `restMs`, and again after a change.
 */
export async function keepMap<T>(
  env: Env,
  onRemark: OnRemark,
  work: (keeper: Keeper | undefined) => Promise<Result<T>> | Result<T>,
  restMs = 0,
): Promise<Result<T>> {
  const isBlind = await readBlindness(env);
  if (!isBlind.ok) return isBlind;
  // Otherwise what others have forgotten would be shown, and what they use would be pruned.
  const isRecent =
    performance.now() - (synchronisedAtMs.get(env.DESKMAP_MAP ?? "") ?? Number.NEGATIVE_INFINITY) < restMs;
  const failure = isRecent ? undefined : await synchronise(env, onRemark);
  if (failure !== undefined) return fail(failure);
  const opened = Keeper.open(env);
  if (!opened.ok) return opened;
  const keeper = opened.value;
  const version = keeper?.store.readVersion();
  try {
    // The map keeps nothing of blind applications, also of those that became blind later.
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

/** Does nothing if the map is not shared. A server that does not answer is a remark: it is synchronised later. */
async function synchronise(env: Env, onRemark: OnRemark): Promise<Failure | undefined> {
  if ((env.DESKMAP_MAP ?? "") === "") return undefined;
  const met = await (await import("../map/keep/keeper.ts")).synchronise(env);
  if (!met.ok) return met.failure;
  synchronisedAtMs.set(env.DESKMAP_MAP ?? "", performance.now());
  if (met.value !== undefined) onRemark(met.value);
  return undefined;
}

/** Reads the policy; the result says whether an application with these names is blind. */
export async function readBlindness(env: Env): Promise<Result<(names: readonly string[]) => boolean>> {
  const policy = await loadPolicy(findPlaces(env), isInsideSandbox(env));
  if (!policy.ok) return policy;
  return succeed((names) => findStand(policy.value.common, [...names]).standing === "blind");
}

/** Forgets what a person has named, after logging it. Returns how many marks it had. */
export function forgetNamed(env: Env, keeper: Keeper | undefined, what: Forgetting, client?: string): Result<number> {
  const missing = findMissing(what, keeper);
  if (missing !== undefined) return fail(missing);
  const written = recordKeeping(env, what.by === "apps" ? what.apps : [], "forgotten", { client });
  if (!written.ok) return written;
  return keeper?.forget(what) ?? succeed(0);
}

export function recordKeeping(
  env: Env,
  apps: readonly string[],
  effect: string,
  { client = "person", ...more }: { readonly client?: string | undefined; readonly words?: string } = {},
): Result<unknown> {
  return new FileRecords(findPlaces(env)).write({ what: "policy", client, tool: "map", apps, effect, ...more });
}

function findMissing(what: Forgetting, keeper: Keeper | undefined): Failure | undefined {
  if (what.by === "mark" && keeper?.find(what.mark) === undefined) {
    const message = `nothing is remembered under mark ${what.mark}`;
    return makeFailure("NOT_FOUND", message, "deskmap map list shows what is remembered.");
  }
  if (what.by === "taught" && !hasTaught(keeper, what.name)) {
    const message = `no control was taught by the name ${JSON.stringify(what.name)}`;
    return makeFailure("NOT_FOUND", message, "deskmap map list shows the names.");
  }
  return undefined;
}

function hasTaught(keeper: Keeper | undefined, name: string): boolean {
  const sought = name.toLowerCase();
  return (keeper?.list({ isTaught: true }) ?? []).some(({ learned }) => learned.taught.toLowerCase() === sought);
}
