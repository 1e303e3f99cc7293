import { connectHost, findHost, readDaemonWish } from "../client/connect.ts";
import { type DaemonConnection, DaemonLost, describeLoss } from "../client/connection.ts";
import type { CallReply, CallRequest, WatchRequest } from "../client/host.ts";
import type { ChangeLine } from "../model/change-line.ts";
import { type Failure, nothingDone, type Result } from "../model/failure.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What only looks, and gives the same answer from wherever it is looked. */
const served: ReadonlySet<string> = new Set([
  "list",
  "read",
  "find",
  "at",
  "text",
  "wait",
  "expect",
  "get_screen_targets",
  "get_screen_context",
]);

export interface DaemonWish {
  /** What acts goes to the daemon within a turn alone: else a person may be asked at this command's own terminal. */
  readonly turn: string | undefined;
  readonly isAllowed: boolean;
}

/** The answer of the daemon; undefined where this process is to find it itself. */
export async function callDaemon(
  env: Env,
  request: CallRequest,
  { turn, isAllowed }: DaemonWish,
): Promise<CallReply | Failure | undefined> {
  const wish = isAllowed ? readDaemonWish(env) : "never";
  if (turn !== undefined) return callInTurn(env, { ...request, turn });
  if (wish === "never" || !served.has(request.tool)) return undefined;
  const host = await open(env, wish === "start" || needsMemory(request));
  if (host === undefined) return undefined;
  try {
    return await host.call(request);
  } catch (error) {
    // It was killed meanwhile: nothing but a look is lost.
    if (error instanceof DaemonLost) return undefined;
    throw error;
  } finally {
    await host.close();
  }
}

/** What was seen before is known to a process that goes on, and to no other. */
function needsMemory({ input }: CallRequest): boolean {
  return input.token === true || input.since !== undefined;
}

/** What changes, from the daemon, which is started for it; where none is wanted, from this process. */
export async function* watchDaemon(
  env: Env,
  request: WatchRequest,
  signal: AbortSignal,
  isAllowed: boolean,
): AsyncIterable<Result<readonly ChangeLine[]>> {
  if (!isAllowed || readDaemonWish(env) === "never") {
    const { watchAlone } = await import("../server/watch-here.ts");
    return yield* watchAlone(env, request, signal);
  }
  const host = await connectHost(env, { start: true });
  if (!host.ok) return yield host;
  try {
    yield* host.value.watch(request, signal);
  } finally {
    await host.value.close();
  }
}

async function open(env: Env, start: boolean): Promise<DaemonConnection | undefined> {
  if (!start) return findHost(env);
  const host = await connectHost(env, { start });
  return host.ok ? host.value : undefined;
}

/** What was begun there can be done nowhere else. */
async function callInTurn(env: Env, request: CallRequest): Promise<CallReply | Failure> {
  const host = await findHost(env);
  if (host === undefined) return describeNoTurn();
  try {
    return await host.call(request);
  } catch (error) {
    if (!(error instanceof DaemonLost)) throw error;
    return { ...describeLoss(error.message), done: "a part of it may have been done." };
  } finally {
    await host.close();
  }
}

function describeNoTurn(): Failure {
  return {
    code: "REFUSED",
    reason: "turn",
    message: "there is no such turn: no daemon runs that could hold it",
    suggestion: "begin one: deskmap begin",
    done: nothingDone,
  };
}
