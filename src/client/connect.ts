import { lstatSync } from "node:fs";
import type { Env } from "../model/env.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import { traced } from "../model/trace.ts";
import { user } from "../os/index.ts";
import { findBuild, findDaemonPlace, listClientSettings } from "./connect-place.ts";
import type { Started } from "./connect-start.ts";
import { DaemonConnection } from "./connection.ts";
import { defer } from "./defer.ts";
import { type Hello, protocolVersion } from "./protocol.ts";

const startTimeoutMs = 10_000;
const helloTimeoutMs = 2000;
const shortestPauseMs = 2;
const longestPauseMs = 25;

export { readDaemonUse } from "./connect-place.ts";

/** A running daemon of this very build; undefined where there is none. It is not started, and none is ended. */
export async function findHost(env: Env): Promise<DaemonConnection | undefined> {
  const met = await meetDaemon(env);
  if (met === undefined || met.isSame) return met?.connection;
  await met.connection.close();
  return undefined;
}

export interface ConnectOptions {
  /** Starts it where none runs. */
  readonly start: boolean;
  /** Who asks, where it is not whom the environment names. */
  readonly client?: string | undefined;
  /** When one that is started leaves, if nobody needs it. */
  readonly idleMinutes?: number | undefined;
}

/** The daemon of this desktop. */
export async function connectHost(
  env: Env,
  { start, client, idleMinutes }: ConnectOptions,
): Promise<Result<DaemonConnection>> {
  const own = client === undefined ? env : { ...env, DESKMAP_CLIENT: client };
  if (!start) {
    const found = await findHost(own);
    return found === undefined ? fail(describeNone()) : succeed(found);
  }
  const deadline = performance.now() + startTimeoutMs;
  let started: Started | undefined;
  for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const met = await meetDaemon(own);
    if (met?.isSame === true) return succeed(met.connection);
    if (met !== undefined) {
      await met.connection.close();
      return fail(describeUnstarted("one that says to be of another build is in its place"));
    }
    const why = started?.hasEnded();
    if (why !== undefined) return fail(describeUnstarted(why));
    if (performance.now() > deadline) return fail(describeUnstarted("it does not answer"));
    // One that had only not left yet was in its way.
    if (started?.hasYielded() === true) started = undefined;
    started ??= await startDaemon(own, idleMinutes);
    await Bun.sleep(pauseMs);
  }
}

export interface Met {
  readonly connection: DaemonConnection;
  /** Whether it is of the build of this program; one of another can only be asked to leave. */
  readonly isSame: boolean;
}

/** The daemon that runs, of whatever build; undefined where none does. */
export async function meetDaemon(env: Env): Promise<Met | undefined> {
  const { socket } = findDaemonPlace(env);
  // What another user put there is no daemon of this one.
  const found = lstatSync(socket, { throwIfNoEntry: false });
  if (found === undefined || !user.owns(found)) return undefined;
  const build = findBuild();
  let connection: DaemonConnection | undefined;
  try {
    const opening = (): Promise<DaemonConnection> => DaemonConnection.open(socket, introduce(env, build));
    connection = await traced("daemon", () => ["connect"], opening);
    const hello = await within(connection.hello, helloTimeoutMs);
    if (hello !== undefined) return { connection, isSame: hello.build === build };
  } catch {
    // Nobody listens there any more, or it is just leaving.
  }
  // One that stands still is as good as none.
  await connection?.close();
  return undefined;
}

/** Undefined when it takes longer. The timer does not outlast it: a command would end later for it. */
async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  const over = defer<undefined>();
  const timer = setTimeout(() => over.resolve(undefined), timeoutMs);
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** What a client says first. */
export function introduce(env: Env, build: string): Omit<Hello, "t"> {
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

function describeNone(): Failure {
  return {
    code: "UNAVAILABLE",
    message: "no daemon of this build runs for this desktop",
    suggestion: "start one: deskmap serve --detach",
    done: nothingDone,
  };
}

function describeUnstarted(why: string): Failure {
  return {
    code: "UNAVAILABLE",
    message: `the daemon could not be started: ${why}`,
    suggestion: "deskmap serve, in a terminal, says more.",
    done: nothingDone,
  };
}
