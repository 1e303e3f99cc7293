import { FileRecords } from "../guard/audit/file-records.ts";
import { findPlaces } from "../guard/places.ts";
import { forbidWhenStopped } from "../guard/rules.ts";
import { resumeHere, type Stopped, stopHere } from "../guard/stop/stop.ts";
import type { Env } from "../model/env.ts";
import { type Failure, type Result, succeed } from "../model/failure.ts";
import { isInsideSandbox } from "../sandbox/inside.ts";

/** The refusal of everything during a stop; undefined when nothing is stopped. */
export function findStop(env: Env): Failure | undefined {
  return forbidWhenStopped({ records: new FileRecords(findPlaces(env)) });
}

/** A desktop that was stopped, or could not be: "" is the one of this environment, others are sandboxes by name. */
export interface StoppedDesktop {
  readonly name: string;
  readonly result: Result<Stopped>;
}

/** Stops the desktop of an environment and every sandbox of the user; from within a sandbox, only that sandbox. */
export async function stopAll(env: Env, by: string): Promise<StoppedDesktop[]> {
  // Its own first: finding the others may take a moment.
  const here = stopHere(findPlaces(env), by);
  const others = await listOthers(env);
  const stopped = others.map(async ({ name, env: inside }) => ({
    name,
    result: await stopHere(findPlaces(inside), by),
  }));
  return [{ name: "", result: await here }, ...(await Promise.all(stopped))];
}

/** Resumes all of them, and returns the names of those that had been stopped. */
export async function resumeAll(env: Env, by: string): Promise<Result<string[]>> {
  const names: string[] = [];
  for (const { name, env: inside } of [{ name: "", env }, ...(await listOthers(env))]) {
    const resumed = resumeHere(findPlaces(inside), by);
    if (!resumed.ok) return resumed;
    if (resumed.value !== undefined) names.push(name);
  }
  return succeed(names);
}

async function listOthers(env: Env): Promise<{ readonly name: string; readonly env: Env }[]> {
  if (isInsideSandbox(env)) return [];
  const { applyVariables, listSandboxes } = await import("../sandbox/index.ts");
  const records = await listSandboxes();
  return records.map(({ name, variables }) => ({ name, env: applyVariables(variables, { ...env }) }));
}
