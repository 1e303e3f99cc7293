import { FileRecords } from "../guard/audit/file-records.ts";
import { findPlaces } from "../guard/places.ts";
import { forbidWhenStopped } from "../guard/rules.ts";
import { resumeHere, type Stopped, stopHere } from "../guard/stop/stop.ts";
import type { Env } from "../model/env.ts";
import { type Failure, fail, type Result, succeed } from "../model/failure.ts";
import { programs } from "../os/index.ts";
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
  const stopped = others.map(async (other) => {
    // A bounded sandbox has a second state inside, which no program outside writes: links in it would lead out.
    const [outside, failure] = await Promise.all([stopHere(findPlaces(other.env), by), other.stopInside()]);
    const result: Result<Stopped> = failure === undefined ? outside : fail(failure);
    return { name: other.name, result };
  });
  return [{ name: "", result: await here }, ...(await Promise.all(stopped))];
}

/** Resumes all of them, and returns the names of those that had been stopped. */
export async function resumeAll(env: Env, by: string): Promise<Result<string[]>> {
  const names: string[] = [];
  const here = { name: "", env, resumeInside: async () => succeed(false) };
  for (const { name, env: outside, resumeInside } of [here, ...(await listOthers(env))]) {
    const resumed = resumeHere(findPlaces(outside), by);
    if (!resumed.ok) return resumed;
    const inside = await resumeInside();
    if (!inside.ok) return inside;
    if (resumed.value !== undefined || inside.value) names.push(name);
  }
  return succeed(names);
}

interface Other {
  readonly name: string;
  readonly env: Env;
  /** Nothing is done in a sandbox without a boundary, whose state is the same inside and outside. */
  stopInside(): Promise<Failure | undefined>;
  /** Whether it was stopped there. */
  resumeInside(): Promise<Result<boolean>>;
}

async function listOthers(env: Env): Promise<Other[]> {
  if (isInsideSandbox(env)) return [];
  const { applyInside, applyVariables, listSandboxes, runWithin } = await import("../sandbox/index.ts");
  const records = await listSandboxes();
  return records.map((record) => {
    const isBounded = record.boundary.kind === "bounded";
    const { stopped } = findPlaces(applyInside(record, { ...env }));
    const resumeInside = async (): Promise<Result<boolean>> => {
      const wasStopped = isBounded && (await runWithin(record, ["/usr/bin/test", "-e", stopped])) === undefined;
      const failure = wasStopped ? await runWithin(record, ["/bin/rm", "--", stopped]) : undefined;
      return failure === undefined ? succeed(wasStopped) : fail(failure);
    };
    return {
      name: record.name,
      env: applyVariables(record.variables, { ...env }),
      stopInside: async () => (isBounded ? runWithin(record, programs.commandOfSelf("stop")) : undefined),
      resumeInside,
    };
  });
}
