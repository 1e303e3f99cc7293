import { findPlaces } from "../guard/places.ts";
import { resumeHere, type Stopped, stopHere } from "../guard/stop/stop.ts";
import type { Env } from "../model/env.ts";
import type { Result } from "../model/failure.ts";
import { isInsideSandbox } from "../sandbox/inside.ts";

/** A desktop that was stopped, or could not be: "" is the one of this environment, others are private ones by name. */
export interface StoppedDesktop {
  readonly name: string;
  readonly result: Result<Stopped>;
}

/**
 * Stops the desktop of an environment and, from a person's own, every private one of theirs. From within a private one
 * nothing else is reached: what runs there has no say outside.
 */
export async function stopAll(env: Env, by: string): Promise<StoppedDesktop[]> {
  // Its own first: to look for others may take a moment.
  const here = stopHere(findPlaces(env), by);
  const others = await listOthers(env);
  const stopped = others.map(async ({ name, env: inside }) => ({
    name,
    result: await stopHere(findPlaces(inside), by),
  }));
  return [{ name: "", result: await here }, ...(await Promise.all(stopped))];
}

/** Lets all of them go on again. The names of those that had been stopped. */
export async function resumeAll(env: Env, by: string): Promise<Result<string[]>> {
  const names: string[] = [];
  for (const { name, env: inside } of [{ name: "", env }, ...(await listOthers(env))]) {
    const resumed = resumeHere(findPlaces(inside), by);
    if (!resumed.ok) return resumed;
    if (resumed.value !== undefined) names.push(name);
  }
  return { ok: true, value: names };
}

async function listOthers(env: Env): Promise<{ readonly name: string; readonly env: Env }[]> {
  if (isInsideSandbox(env)) return [];
  const { applyVariables, listSandboxes } = await import("../sandbox/index.ts");
  const records = await listSandboxes();
  return records.map(({ name, variables }) => ({ name, env: applyVariables(variables, { ...env }) }));
}
