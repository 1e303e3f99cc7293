import { resolve } from "node:path";
import { connectHost, findHost } from "../client/connect.ts";
import { type DaemonConnection, DaemonLost, describeLoss } from "../client/connection.ts";
import type { CallReply, CallRequest, WatchRequest } from "../host/port.ts";
import type { ChangeLine } from "../model/change-line.ts";
import type { Env } from "../model/env.ts";
import { type Failure, nothingDone, type Result } from "../model/failure.ts";

/** The daemon's answer; undefined where this process can run the tool as well. */
export async function callServed(
  env: Env,
  request: CallRequest,
  { start, acts }: { readonly start: boolean; readonly acts: boolean },
): Promise<CallReply | Failure | undefined> {
  const host = await open(env, start);
  if (host === undefined) return undefined;
  try {
    return await host.call(request);
  } catch (error) {
    if (!(error instanceof DaemonLost)) throw error;
    // Reading again is harmless; acting again might do it twice.
    return acts ? describeBreak(env, error) : undefined;
  } finally {
    await host.close();
  }
}

/** A stop ends a daemon that does not end its action in time: then the stop is the reason. */
async function describeBreak(env: Env, { message }: DaemonLost): Promise<Failure> {
  const [{ FileRecords }, { findPlaces }, { forbidWhenStopped }] = await Promise.all([
    import("../guard/audit/file-records.ts"),
    import("../guard/places.ts"),
    import("../guard/rules.ts"),
  ]);
  const stopped = forbidWhenStopped({ records: new FileRecords(findPlaces(env)) });
  return { ...(stopped ?? describeLoss(message)), done: "a part of it may have been done." };
}

/** What lasts longer than a command is done by the daemon, and by nobody else. */
export async function callLasting(env: Env, request: CallRequest): Promise<CallReply | Failure> {
  const host = await connectHost(env, { start: true });
  if (!host.ok) return host.failure;
  try {
    return await host.value.call(request);
  } catch (error) {
    if (!(error instanceof DaemonLost)) throw error;
    return { ...describeLoss(error.message), done: "what was drawn is gone with it." };
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
export async function callInTurn(env: Env, request: CallRequest): Promise<CallReply | Failure> {
  const host = await findHost(env);
  if (host === undefined) return describeNoTurn();
  try {
    return await host.call({ ...request, input: nameFromHere(request.input) });
  } catch (error) {
    if (!(error instanceof DaemonLost)) throw error;
    return describeBreak(env, error);
  } finally {
    await host.close();
  }
}

/** A turn goes on from where it was begun, a path from where the command is called. */
function nameFromHere({ what, ...input }: CallRequest["input"]): CallRequest["input"] {
  if (what === undefined) return input;
  const isPath = typeof what === "string" && what.includes("/") && !/^[a-z][\w+.-]*:/i.test(what);
  return { ...input, what: isPath ? resolve(what) : what };
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

/** What changes, from the daemon, which is started for it. */
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
