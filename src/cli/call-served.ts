import { resolve } from "node:path";
import { connectHost, findHost } from "../client/connect.ts";
import { type DaemonConnection, DaemonLost, describeLoss } from "../client/connection.ts";
import type { CallReply, CallRequest, WatchRequest } from "../host/port.ts";
import type { ChangeLine } from "../model/change-line.ts";
import type { Env } from "../model/env.ts";
import { type Failure, makeFailure, type Result } from "../model/failure.ts";

/** The daemon's answer; undefined if this process can run the tool instead. */
export async function callServed(
  env: Env,
  request: CallRequest,
  {
    start,
    acts,
    signal,
  }: { readonly start: boolean; readonly acts: boolean; readonly signal: AbortSignal | undefined },
): Promise<CallReply | Failure | undefined> {
  const host = await open(env, start);
  if (host === undefined) return undefined;
  // Reading again is harmless; acting again might do it twice.
  return callAndClose(host, request, (lost) => (acts ? describeBreak(env, lost) : undefined), signal);
}

/** Calls a tool whose result outlasts the command: only the daemon can run it. */
export async function callLasting(env: Env, request: CallRequest): Promise<CallReply | Failure> {
  const host = await connectHost(env, { start: true });
  if (!host.ok) return host.failure;
  const done = "what was drawn is gone with it.";
  return callAndClose(host.value, request, ({ message }) => ({ ...describeLoss(message), done }));
}

/** Calls a tool within a turn, which only the daemon that holds it can do. */
export async function callInTurn(
  env: Env,
  request: CallRequest,
  signal: AbortSignal | undefined,
): Promise<CallReply | Failure> {
  const host = await findHost(env);
  if (host === undefined) return describeNoTurn("begin one: deskmap begin");
  const own = { ...request, input: resolvePath(request.input) };
  return callAndClose(host, own, (lost) => describeBreak(env, lost), signal);
}

async function open(env: Env, start: boolean): Promise<DaemonConnection | undefined> {
  if (!start) return findHost(env);
  const host = await connectHost(env, { start });
  return host.ok ? host.value : undefined;
}

async function callAndClose<T>(
  host: DaemonConnection,
  request: CallRequest,
  onLost: (lost: DaemonLost) => T | Promise<T>,
  signal?: AbortSignal,
): Promise<CallReply | T> {
  try {
    return await host.call(request, { signal });
  } catch (error) {
    if (!(error instanceof DaemonLost)) throw error;
    return await onLost(error);
  } finally {
    await host.close();
  }
}

/** A stop ends a daemon that does not end its action in time: then the stop is the reason. */
async function describeBreak(env: Env, { message }: DaemonLost): Promise<Failure> {
  const { findStop } = await import("../server/stop-all.ts");
  return { ...(findStop(env) ?? describeLoss(message)), done: "a part of it may have been done." };
}

/** A turn keeps the folder in which it was begun; a path is relative to the folder of this command. */
function resolvePath({ what, ...input }: CallRequest["input"]): CallRequest["input"] {
  if (what === undefined) return input;
  const isPath = typeof what === "string" && what.includes("/") && !/^[a-z][\w+.-]*:/i.test(what);
  return { ...input, what: isPath ? resolve(what) : what };
}

export function describeNoTurn(suggestion: string): Failure {
  const message = "there is no such turn: no daemon runs that could hold it";
  return { ...makeFailure("REFUSED", message, suggestion), reason: "turn" };
}

export async function* watchServed(
  env: Env,
  request: WatchRequest,
  signal: AbortSignal,
): AsyncIterable<Result<readonly ChangeLine[]>> {
  const host = await connectHost(env, { start: true });
  if (!host.ok) return yield host;
  try {
    yield* host.value.watch(request, signal);
  } finally {
    await host.value.close();
  }
}
