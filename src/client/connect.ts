import { lstatSync } from "node:fs";
import type { Env } from "../model/env.ts";
import { type Failure, fail, type Result, succeed } from "../model/failure.ts";
import { traced } from "../model/trace.ts";
import { user } from "../os/index.ts";
import type { Hello } from "./client-frame.ts";
import { findBuild, findDaemonPlace, listClientSettings } from "./connect-place.ts";
import type { Started } from "./connect-start.ts";
import { DaemonConnection, describeUnavailable } from "./connection.ts";
import { defer } from "./connection-outbox.ts";
import { protocolVersion } from "./protocol.ts";

const startTimeoutMs = 10_000;
const helloTimeoutMs = 2000;
const shortestPauseMs = 2;
const longestPauseMs = 25;

export { readDaemonUse } from "./connect-place.ts";

/** A running daemon of this build; undefined if there is none. Starts and ends nothing. */
export async function findHost(env: Env, isShared = false): Promise<DaemonConnection | undefined> {
  const met = await probeDaemon(env, isShared);
  if (met === undefined || met.isSame) return met?.connection;
  await met.connection.close();
  return undefined;
}

export interface ConnectOptions {
  readonly start: boolean;
  /** Overrides the client's name from the environment. */
  readonly client?: string | undefined;
  /** Whether this process serves many clients. */
  readonly isShared?: boolean | undefined;
  /** After how long without clients a daemon that is started here ends. */
  readonly idleMinutes?: number | undefined;
}

export async function connectHost(
  env: Env,
  { start, client, isShared, idleMinutes }: ConnectOptions,
): Promise<Result<DaemonConnection>> {
  const own = client === undefined ? env : { ...env, DESKMAP_CLIENT: client };
  if (!start) {
    const found = await findHost(own, isShared);
    if (found !== undefined) return succeed(found);
    const message = "no daemon of this build runs for this desktop";
    return fail(describeUnavailable(message, "start one: deskmap serve --detach"));
  }
  const deadline = performance.now() + startTimeoutMs;
  let started: Started | undefined;
  for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const met = await probeDaemon(own, isShared);
    if (met?.isSame === true) return succeed(met.connection);
    if (met !== undefined) {
      await met.connection.close();
      return fail(describeUnstarted("a daemon of another build uses its socket"));
    }
    const why = started?.hasEnded();
    if (why !== undefined) return fail(describeUnstarted(why));
    if (performance.now() > deadline) return fail(describeUnstarted("it does not answer"));
    // The one just started gave way to a daemon that was about to end.
    if (started?.hasYielded() === true) started = undefined;
    started ??= await startDaemon(own, idleMinutes);
    await Bun.sleep(pauseMs);
  }
}

/** A running daemon of any build; undefined if none runs. One of another build can only be asked to leave. */
export async function probeDaemon(
  env: Env,
  isShared = false,
): Promise<{ readonly connection: DaemonConnection; readonly isSame: boolean } | undefined> {
  const { socket } = findDaemonPlace(env);
  // A socket of another user is ignored.
  const found = lstatSync(socket, { throwIfNoEntry: false });
  if (found === undefined || !user.owns(found)) return undefined;
  const build = findBuild();
  let connection: DaemonConnection | undefined;
  try {
    const opening = (): Promise<DaemonConnection> =>
      DaemonConnection.open(socket, { ...makeHello(env, build), isShared });
    connection = await traced("daemon", () => ["connect"], opening);
    const hello = await within(connection.hello, helloTimeoutMs);
    if (hello !== undefined) return { connection, isSame: hello.build === build };
  } catch {
    // Nobody listens there any more, or it is just ending.
  }
  // A daemon that does not answer counts as none.
  await connection?.close();
  return undefined;
}

/** Undefined after the timeout. The timer is cleared: it would delay the end of a command. */
async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  const over = defer<undefined>();
  const timer = setTimeout(() => over.resolve(undefined), timeoutMs);
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    clearTimeout(timer);
  }
}

export function makeHello(env: Env, build: string): Omit<Hello, "t"> {
  return {
    protocol: protocolVersion,
    build,
    client: env.DESKMAP_CLIENT || "cli",
    isReadOnly: !["", "0", "no", "false", "off"].includes((env.DESKMAP_READ_ONLY ?? "").toLowerCase()),
    settings: listClientSettings(env),
  };
}

async function startDaemon(env: Env, idleMinutes: number | undefined): Promise<Started> {
  const { startDaemon: start } = await import("./connect-start.ts");
  return start(env, idleMinutes === undefined ? [] : ["--idle-minutes", String(idleMinutes)]);
}

function describeUnstarted(why: string): Failure {
  return describeUnavailable(`the daemon could not be started: ${why}`, "run deskmap serve in a terminal to see why.");
}
