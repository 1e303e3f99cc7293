import { existsSync } from "node:fs";
import { findDaemonPlace, readDaemonWish } from "../client/connect-place.ts";
import type { CallReply, CallRequest, WatchRequest } from "../client/host.ts";
import type { ChangeLine } from "../model/change-line.ts";
import type { Env } from "../model/env.ts";
import type { Failure, Result } from "../model/failure.ts";

/** What only looks, and gives the same answer from wherever it is looked. */
const served: ReadonlySet<string> = new Set([
  "list",
  "read",
  "find",
  "at",
  "element",
  "text",
  "wait",
  "expect",
  "get_screen_targets",
  "get_screen_context",
]);
/** What lasts longer than a command. */
const lasting: ReadonlySet<string> = new Set(["overlay", "annotate"]);

export interface DaemonWish {
  /** What acts goes to the daemon within a turn alone: else a person may be asked at this command's own terminal. */
  readonly turn: string | undefined;
  readonly isAllowed: boolean;
}

/** The answer of the daemon; undefined where this process is to find it itself. Who needs none loads nothing for it. */
export async function callDaemon(
  env: Env,
  request: CallRequest,
  { turn, isAllowed }: DaemonWish,
): Promise<CallReply | Failure | undefined> {
  if (turn !== undefined) return (await import("./call-served.ts")).callInTurn(env, { ...request, turn });
  const wish = isAllowed ? readDaemonWish(env) : "never";
  if (wish === "never") return undefined;
  if (lasting.has(request.tool)) return (await import("./call-served.ts")).callLasting(env, request);
  if (!served.has(request.tool)) return undefined;
  const start = wish === "start" || needsMemory(request);
  if (!start && !existsSync(findDaemonPlace(env).socket)) return undefined;
  return (await import("./call-served.ts")).callServed(env, request, start);
}

/** What was seen before is known to a process that goes on, and to no other. */
function needsMemory({ input }: CallRequest): boolean {
  return input.token === true || input.since !== undefined;
}

/** What changes, from the daemon; where none is wanted, from this process. */
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
  yield* (await import("./call-served.ts")).watchServed(env, request, signal);
}
