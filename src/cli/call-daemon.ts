import { existsSync } from "node:fs";
import { findDaemonPlace, readDaemonUse } from "../client/connect-place.ts";
import type { CallReply, CallRequest, WatchRequest } from "../host/port.ts";
import type { ChangeLine } from "../model/change-line.ts";
import type { Env } from "../model/env.ts";
import type { Failure, Result } from "../model/failure.ts";
import type { ArgumentTable } from "../tools/arguments.ts";

export interface DaemonOptions extends Pick<ArgumentTable, "isLasting" | "isLocal"> {
  readonly turn: string | undefined;
  /** False with --no-daemon. */
  readonly isAllowed: boolean;
  /** Whether the tool acts: then it may have been done although the answer is lost. */
  readonly acts: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The daemon's answer; undefined if this process must run the tool. The code of the connection is loaded lazily. */
export async function callDaemon(
  env: Env,
  request: CallRequest,
  { turn, isAllowed, acts, isLasting = false, isLocal = false, signal }: DaemonOptions,
): Promise<CallReply | Failure | undefined> {
  if (turn !== undefined) return (await import("./call-served.ts")).callInTurn(env, { ...request, turn }, signal);
  const use = isAllowed ? readDaemonUse(env) : "never";
  if (use === "never" || isLocal) return undefined;
  if (isLasting) return (await import("./call-served.ts")).callLasting(env, request);
  const start = use === "start" || needsMemory(request);
  if (!start && !existsSync(findDaemonPlace(env).socket)) return undefined;
  return (await import("./call-served.ts")).callServed(env, request, { start, acts, signal });
}

/** Only a process that goes on knows what a client has seen before. */
function needsMemory({ input }: CallRequest): boolean {
  return input.token === true || input.since !== undefined;
}

export async function* watchDaemon(
  env: Env,
  request: WatchRequest,
  signal: AbortSignal,
  isAllowed: boolean,
): AsyncIterable<Result<readonly ChangeLine[]>> {
  if (!isAllowed || readDaemonUse(env) === "never") {
    const { watchAlone } = await import("../host/watch-here.ts");
    return yield* watchAlone(env, request, signal);
  }
  yield* (await import("./call-served.ts")).watchServed(env, request, signal);
}
