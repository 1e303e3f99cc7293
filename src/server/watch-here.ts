import type { WatchRequest } from "../client/host.ts";
import { type Ground, openGround } from "../ground.ts";
import type { ChangeLine } from "../model/change-line.ts";
import type { Env } from "../model/env.ts";
import { describeIssue, fail, type Result } from "../model/failure.ts";
import { defaultTimeoutMs, openSession } from "../session.ts";

type Batches = AsyncGenerator<Result<readonly ChangeLine[]>>;

/** Watches in this process, on the common ground, with a session of its own. */
export async function* watchHere(env: Env, ground: Ground, request: WatchRequest, signal: AbortSignal): Batches {
  const { watch, openWatch } = await import("../tools/watch.ts");
  const parsed = watch.input.safeParse(request.input);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const { path = [], message = "not accepted" } = issue ?? {};
    yield fail(describeIssue(watch.name, { field: String(path[0] ?? ""), message }));
    return;
  }
  const session = openSession(env, request.timeoutMs ?? defaultTimeoutMs, ground);
  try {
    for await (const batch of openWatch(parsed.data, session, signal)) {
      yield batch.ok ? batch : fail(session.recordRefusal(watch.name, batch.failure));
    }
  } finally {
    session.close();
  }
}

/** The same for a process that does nothing else. */
export async function* watchAlone(env: Env, request: WatchRequest, signal: AbortSignal): Batches {
  const ground = openGround(env, request.timeoutMs ?? defaultTimeoutMs);
  try {
    yield* watchHere(env, ground, request, signal);
  } finally {
    ground.close();
  }
}
