import type { ChangeLine } from "../model/change-line.ts";
import { defaultTimeoutMs } from "../model/default-timeout.ts";
import type { Env } from "../model/env.ts";
import { describeIssue, fail, type Result } from "../model/failure.ts";
import type { Place } from "./listen-here.ts";
import type { WatchRequest } from "./port.ts";
import { openRuntime } from "./runtime.ts";
import { openSession } from "./session.ts";

type Batches = AsyncGenerator<Result<readonly ChangeLine[]>>;

/** Watches in this process, on the shared runtime, with a session of its own. */
export async function* watchHere(
  env: Env,
  { runtime, caller }: Place,
  request: WatchRequest,
  signal: AbortSignal,
): Batches {
  const { watch, openWatch } = await import("../tools/watch.ts");
  const parsed = watch.input.safeParse(request.input);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const { path = [], message = "not accepted" } = issue ?? {};
    yield fail(describeIssue(watch.name, { field: String(path[0] ?? ""), message }));
    return;
  }
  const session = openSession(env, request.timeoutMs ?? defaultTimeoutMs, runtime, { caller });
  try {
    for await (const batch of openWatch(parsed.data, session, signal)) {
      yield batch.ok ? batch : fail(session.recordRefusal(watch.name, batch.failure));
    }
  } finally {
    session.close();
  }
}

export async function* watchAlone(env: Env, request: WatchRequest, signal: AbortSignal): Batches {
  const runtime = openRuntime(env, request.timeoutMs ?? defaultTimeoutMs);
  try {
    yield* watchHere(env, { runtime }, request, signal);
  } finally {
    runtime.close();
  }
}
