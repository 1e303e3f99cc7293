import { connectHost, meetDaemon } from "../../client/connect.ts";
import { listDaemonVariables, ownVariables } from "../../client/connect-place.ts";
import type { DaemonConnection } from "../../client/connection.ts";
import { describeUsage, type Failure, fail, nothingDone, type Result, succeed } from "../../model/failure.ts";
import { processes } from "../../os/index.ts";
import { defineAnswer } from "../define.ts";
import { reportFailure } from "../report.ts";
import { type ServeValue, serveForms, serveOutput } from "./status.ts";

const defaultIdleMinutes = 5;
const longestIdleMinutes = 7 * 24 * 60;
const leavingMs = 5000;
const lookAgainMs = 5;

const notes = `One daemon serves one desktop of one user, over a socket that nobody else can reach. It keeps what it has read and
follows it, so that reading again costs next to nothing. Commands that need it start it; the others use one that runs.
It leaves when nobody has needed it for a while, and when its display is gone.`;

interface Options {
  readonly detach?: boolean;
  readonly idleMinutes?: string;
  readonly quiet?: boolean;
}

/** Runs the daemon, asks it how it is, or ends it. */
export const serve = defineAnswer({
  name: "serve",
  summary: "Keep this desktop in mind for every client: run the daemon, ask it how it is, or end it.",
  words: [["[what]", "status or stop; without it the daemon runs here"]],
  options: [
    ["--detach", "start it in the background, and return when it is there"],
    ["--idle-minutes <n>", `leave when nobody has needed it for so long (${defaultIdleMinutes})`],
    ["--quiet", "say nothing"],
  ],
  notes,
  examples: ["deskmap serve", "deskmap serve --detach", "deskmap serve status", "deskmap serve stop"],
  output: serveOutput,
  forms: serveForms,
  async run(options: Options, [what]): Promise<Result<ServeValue | undefined>> {
    if (what === "status") return readStatus();
    if (what === "stop") return stopDaemon();
    if (what === undefined && options.detach === true) return detach(options);
    if (what === undefined) await serveHere(options);
    else reportFailure(describeUsage(`serve has no "${what}"`, "deskmap serve status"), false);
    return succeed(undefined);
  },
});

async function serveHere({ idleMinutes, quiet = false }: Options): Promise<void> {
  const idleMs = readIdle(idleMinutes);
  if (idleMs === undefined) return reportFailure(badIdle(idleMinutes ?? ""), false);
  // What goes with each client is no setting of the daemon's.
  for (const name of ownVariables) delete process.env[name];
  const [{ Daemon }, { UnsafePlace }] = await Promise.all([
    import("../../server/daemon/daemon.ts"),
    import("../../guard/places.ts"),
  ]);
  const say = (line: string): void => {
    if (!quiet) process.stderr.write(`deskmap: ${line}\n`);
  };
  try {
    const daemon = Daemon.start({ env: listDaemonVariables(process.env), idleMs, onLine: say });
    // Two that were started at once become one: the other is as good.
    if (daemon === undefined) return quiet ? undefined : reportFailure(describeThere(), false);
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => daemon.onTerminate());
    for (const fault of ["unhandledRejection", "uncaughtException"] as const) {
      process.on(fault, (error: unknown) => daemon.onFault(error));
    }
    await daemon.left;
    process.exit(0);
  } catch (error) {
    if (!(error instanceof UnsafePlace) && !(error instanceof Error && "code" in error)) throw error;
    reportFailure(describeDeaf(error.message), false);
  }
}

async function detach({ idleMinutes }: Options): Promise<Result<ServeValue>> {
  const idleMs = readIdle(idleMinutes);
  if (idleMs === undefined) return fail(badIdle(idleMinutes ?? ""));
  const daemon = await connectHost(process.env, { start: true, idleMinutes: idleMs / 60_000 });
  return daemon.ok ? succeed(await askStatus(daemon.value)) : daemon;
}

async function readStatus(): Promise<Result<ServeValue>> {
  const met = await meetDaemon(process.env);
  if (met === undefined) return fail(describeNone());
  if (met.isSame) return succeed(await askStatus(met.connection));
  const { pid, build } = await met.connection.hello;
  await met.connection.close();
  return fail(describeOther(pid, build));
}

async function askStatus(daemon: DaemonConnection): Promise<ServeValue> {
  const status = await daemon.status();
  await daemon.close();
  return status;
}

async function stopDaemon(): Promise<Result<ServeValue>> {
  const met = await meetDaemon(process.env);
  if (met === undefined) return fail(describeNone());
  const { pid } = await met.connection.hello;
  await met.connection.dismiss();
  return (await isGone(pid)) ? succeed({ stopped: pid }) : fail(describeStaying(pid));
}

/** What it was asked for is true only when it has gone. */
async function isGone(pid: number): Promise<boolean> {
  const deadline = performance.now() + leavingMs;
  while (performance.now() < deadline) {
    if (processes.read(pid) === undefined) return true;
    await Bun.sleep(lookAgainMs);
  }
  return false;
}

function readIdle(given: string | undefined): number | undefined {
  const minutes = given === undefined ? defaultIdleMinutes : Number(given);
  return minutes > 0 && minutes <= longestIdleMinutes ? minutes * 60_000 : undefined;
}

function badIdle(given: string): Failure {
  return describeUsage(`--idle-minutes "${given}" is not a time`, "a number of minutes, such as --idle-minutes 5");
}

function describeThere(): Failure {
  return {
    code: "FAILED",
    message: "a daemon serves this desktop already",
    suggestion: "deskmap serve status tells of it, deskmap serve stop ends it.",
    done: nothingDone,
  };
}

function describeNone(): Failure {
  return {
    code: "NOT_FOUND",
    message: "no daemon serves this desktop",
    suggestion: "start one: deskmap serve --detach",
    done: nothingDone,
  };
}

function describeOther(pid: number, build: string): Failure {
  return {
    code: "FAILED",
    message: `the daemon that runs (process ${pid}) is of another build: ${build}`,
    suggestion: "deskmap serve stop ends it; the next command that needs one starts its own.",
    done: nothingDone,
  };
}

function describeStaying(pid: number): Failure {
  return { code: "FAILED", message: `the daemon (process ${pid}) does not end`, done: "it was asked to leave." };
}

function describeDeaf(why: string): Failure {
  return {
    code: "UNAVAILABLE",
    message: `the daemon cannot listen: ${why}`,
    suggestion: "the folder of its socket must be yours alone, and its path short.",
    done: nothingDone,
  };
}
