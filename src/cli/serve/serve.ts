import * as z from "zod/mini";
import { type DaemonStatus, daemonStatus } from "../../client/client-frame.ts";
import { connectHost, probeDaemon } from "../../client/connect.ts";
import { listDaemonVariables, ownVariables } from "../../client/connect-place.ts";
import type { DaemonConnection } from "../../client/connection.ts";
import { describeUsage, type Failure, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { showLocalTime } from "../../model/local-time.ts";
import { quoteName } from "../../model/plain-text.ts";
import { processes } from "../../os/index.ts";
import { joinRows } from "../../show/csv.ts";
import type { DataOf, Forms } from "../../show/output.ts";
import { defineAnswer, reportFailure } from "../define.ts";

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

type ServeValue = DaemonStatus | { readonly stopped: number };

const serveOutput = () => z.union([daemonStatus(), z.strictObject({ stopped: z.number() })]);

const serveForms: Forms<ServeValue, DataOf<typeof serveOutput>> = {
  data: (value) => value,
  text(value) {
    if ("stopped" in value) return `the daemon (process ${value.stopped}) has left`;
    return listLines(value)
      .map(([name, words]) => `${name.padEnd(12)}${words}`)
      .join("\n");
  },
  csv(value) {
    if ("stopped" in value) return joinRows("stopped", [[String(value.stopped)]]);
    return joinRows("what,value", listLines(value));
  },
};

function listLines(status: DaemonStatus): readonly (readonly [string, string])[] {
  const { desktop, leavesAtMs, remark } = status;
  const clients = status.clients.map(({ name, pid }) => `${quoteName(name)} (claimed; process ${pid})`).join(", ");
  const turns = status.turns.map(({ client, untilMs }) => `${quoteName(client)} until ${showLocalTime(untilMs)}`);
  const mirror = Object.entries(status.mirror).filter(([, value]) => typeof value === "number");
  return [
    ["daemon", `process ${status.pid}, since ${showLocalTime(status.sinceMs)}`],
    ["socket", status.socket],
    ["desktop", [status.display, desktop.state, desktop.reason].filter((part) => part !== undefined).join(", ")],
    ["clients", clients],
    ["watches", String(status.watches)],
    ["turns", turns.length === 0 ? "none" : turns.join(", ")],
    ["requests", `${status.requests}, refused connections ${status.refusals}`],
    ["mirror", mirror.map(([name, value]) => `${name} ${value}`).join(", ") || "nobody has looked yet"],
    ["memory", `${Math.round(status.memoryBytes / (1 << 20))} MiB`],
    ["leaves", leavesAtMs === undefined ? "not while somebody is there" : showLocalTime(leavesAtMs)],
    ...(remark === undefined ? [] : [["map", remark] as const]),
  ];
}

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
  // These are settings of each client, not of the daemon.
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
    // Of two daemons that are started at once, one ends: that is not a failure.
    if (daemon === undefined) {
      const suggestion = "deskmap serve status tells of it, deskmap serve stop ends it.";
      const failure = makeFailure("FAILED", "a daemon serves this desktop already", suggestion);
      return quiet ? undefined : reportFailure(failure, false);
    }
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => daemon.onTerminate());
    for (const fault of ["unhandledRejection", "uncaughtException"] as const) {
      process.on(fault, (error: unknown) => daemon.onFault(error));
    }
    await daemon.left;
    process.exit(0);
  } catch (error) {
    if (!(error instanceof UnsafePlace) && !(error instanceof Error && "code" in error)) throw error;
    const suggestion = "the folder of its socket must be yours alone, and its path short.";
    reportFailure(makeFailure("UNAVAILABLE", `the daemon cannot listen: ${error.message}`, suggestion), false);
  }
}

async function detach({ idleMinutes }: Options): Promise<Result<ServeValue>> {
  const idleMs = readIdle(idleMinutes);
  if (idleMs === undefined) return fail(badIdle(idleMinutes ?? ""));
  const daemon = await connectHost(process.env, { start: true, idleMinutes: idleMs / 60_000 });
  return daemon.ok ? succeed(await askStatus(daemon.value)) : daemon;
}

async function readStatus(): Promise<Result<ServeValue>> {
  const met = await probeDaemon(process.env);
  if (met === undefined) return fail(describeNone());
  if (met.isSame) return succeed(await askStatus(met.connection));
  const { pid, build } = await met.connection.hello;
  await met.connection.close();
  const message = `the daemon that runs (process ${pid}) is of another build: ${build}`;
  const suggestion = "deskmap serve stop ends it; the next command that needs one starts its own.";
  return fail(makeFailure("FAILED", message, suggestion));
}

async function askStatus(daemon: DaemonConnection): Promise<ServeValue> {
  const status = await daemon.status();
  await daemon.close();
  return status;
}

async function stopDaemon(): Promise<Result<ServeValue>> {
  const met = await probeDaemon(process.env);
  if (met === undefined) return fail(describeNone());
  const { pid } = await met.connection.hello;
  await met.connection.dismiss();
  if (await isGone(pid)) return succeed({ stopped: pid });
  return fail({ code: "FAILED", message: `the daemon (process ${pid}) does not end`, done: "it was asked to leave." });
}

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

function describeNone(): Failure {
  return makeFailure("NOT_FOUND", "no daemon serves this desktop", "start one: deskmap serve --detach");
}
