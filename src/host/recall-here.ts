import { clientOf } from "../guard/gate.ts";
import { askPersonToListen } from "../guard/permit-listening.ts";
import { findPlaces } from "../guard/places.ts";
import { LivePolicy } from "../guard/policy/live.ts";
import { findStand } from "../guard/policy/policy.ts";
import { defaultTimeoutMs } from "../model/default-timeout.ts";
import type { RecordedAction } from "../model/demo.ts";
import type { Env } from "../model/env.ts";
import { fail, type Result, succeed } from "../model/failure.ts";
import { isInsideSandbox } from "../sandbox/inside.ts";
import type { Place } from "./listen-here.ts";
import type { RecallRequest } from "./port.ts";
import { findRing } from "./ring-here.ts";
import { openSession } from "./session.ts";

const tool = "recall";

/** What was done tells what was on the screen, so it is a look: refused during a stop, and logged. */
export async function recallHere(
  env: Env,
  { runtime, caller }: Place,
  request: RecallRequest = {},
): Promise<Result<readonly RecordedAction[]>> {
  const session = openSession(env, defaultTimeoutMs, runtime, { caller });
  try {
    const opened = await session.openPlatform();
    if (!opened.ok) return fail(session.recordRefusal(tool, opened.failure));
    const policy = await new LivePolicy(env, findPlaces(env), clientOf(env, caller), isInsideSandbox(env)).refresh();
    if (!policy.ok) return policy;
    const isSeen = (names: readonly string[]): boolean => findStand(policy.value, names).standing !== "blind";
    const agents = runtime.journal.recall(request).filter(({ names }) => isSeen(names));
    const own = request.withPerson === true ? await recallPerson(env, { runtime, caller }, request) : succeed([]);
    if (!own.ok) return fail(session.recordRefusal(tool, own.failure));
    const person = own.value.filter(({ app }) => app === undefined || isSeen([app]));
    const actions = [...agents.map(({ action }) => action), ...person].toSorted((a, b) => a.atMs - b.atMs);
    const apps = [...new Set(actions.flatMap(({ app }) => app ?? []))];
    const logged = session.recordLasting(tool, apps, `${actions.length} of the last actions`);
    return logged.ok ? succeed(actions) : logged;
  } finally {
    session.close();
  }
}

/** What a person did is told to nobody but a person: whoever begins to listen is asked the same. */
async function recallPerson(
  env: Env,
  { runtime, caller }: Place,
  { sinceMs, isTyped }: RecallRequest,
): Promise<Result<readonly RecordedAction[]>> {
  const ring = findRing(runtime);
  if (ring?.state.isOn !== true) return succeed([]);
  const typedIn = isTyped === true ? (caller ?? "own") : undefined;
  const refused = await askPersonToListen(findPlaces(env), typedIn, "Deskmap is to save what you did. ");
  return refused === undefined ? succeed(ring.list(sinceMs)) : fail(refused);
}
