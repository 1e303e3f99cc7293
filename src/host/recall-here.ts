import { clientOf } from "../guard/gate.ts";
import { findPlaces } from "../guard/places.ts";
import { LivePolicy } from "../guard/policy/live.ts";
import { findStand } from "../guard/policy/policy.ts";
import { defaultTimeoutMs } from "../model/default-timeout.ts";
import type { RecordedAction } from "../model/demo.ts";
import type { Env } from "../model/env.ts";
import { fail, type Result, succeed } from "../model/failure.ts";
import { isInsideSandbox } from "../sandbox/inside.ts";
import type { RecallRequest } from "./port.ts";
import type { Runtime } from "./runtime.ts";
import { openSession } from "./session.ts";

const tool = "recall";

/** What was done tells what was on the screen, so it is a look: refused during a stop, and logged. */
export async function recallHere(
  env: Env,
  runtime: Runtime,
  request: RecallRequest = {},
): Promise<Result<readonly RecordedAction[]>> {
  const session = openSession(env, defaultTimeoutMs, runtime);
  try {
    const opened = await session.openPlatform();
    if (!opened.ok) return fail(session.recordRefusal(tool, opened.failure));
    const policy = await new LivePolicy(env, findPlaces(env), clientOf(env), isInsideSandbox(env)).refresh();
    if (!policy.ok) return policy;
    const allowed = runtime.journal
      .recall(request)
      .filter(({ names }) => findStand(policy.value, names).standing !== "blind");
    const actions = allowed.map(({ action }) => action);
    const apps = [...new Set(actions.flatMap(({ app }) => app ?? []))];
    const logged = session.recordLasting(tool, apps, `${actions.length} of the last actions`);
    return logged.ok ? succeed(actions) : logged;
  } finally {
    session.close();
  }
}
