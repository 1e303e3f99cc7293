import { type ChildProcess, execFile, spawn } from "node:child_process";
import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../model/caught.ts";
import { recordStarted } from "./adopted.ts";
import { enterBoundary } from "./enter.ts";
import type { Folders } from "./environment.ts";
import type { ManagerKind } from "./options.ts";
import { findExecutable } from "./programs.ts";
import { makeLineSplitter, type OpenRequest } from "./protocol.ts";
import type { Bounded } from "./record.ts";
import { SESSIONS, SHOWN } from "./sessions.ts";
import { locateXSocket } from "./traces.ts";
import { waitForWindowManager } from "./window-manager.ts";

export type Building = Pick<OpenRequest, "programs" | "width" | "height" | "monitors" | "manager" | "session"> & {
  folders: Folders;
  /** The environment of all parts; filled as the parts start. */
  env: Record<string, string>;
  signal: AbortSignal;
  onPart: (part: string, started: StartedPart) => void;
  /** Undefined before it is open, and if there is none. */
  boundary: Pick<Bounded, "outer" | "inner"> | undefined;
  onBoundaryLost: () => void;
  /** Kept until the sandbox is closed. */
  reserve: (reservation: Reservation) => void;
};

/** A name that no other process can take. */
export type Reservation = { release(): void };

/** Why a part did not start, with the last lines of its log. */
export class PartError extends Error {
  readonly part: string;
  readonly log: string;

  constructor(part: string, cause: unknown, logPath: string) {
    super(`${part} did not start: ${messageOf(cause)}`, { cause });
    this.part = part;
    this.log = readLogTail(logPath);
  }
}

/** Services that would start a keyring or its prompt; a daemon started by hand can still own these names. */
const KEYRINGS = [
  "org.freedesktop.secrets",
  "org.freedesktop.impl.portal.Secret",
  "org.gnome.keyring",
  "org.gnome.keyring.SystemPrompter",
  "org.gnome.keyring.PrivatePrompter",
];

export async function startSessionBus(building: Building): Promise<{ address: string; daemon: StartedPart }> {
  const { folders, programs } = building;
  // The session's runtime directory is searched first: this entry starts the bus with accessibility enabled.
  const services = join(folders.run, "dbus-1", "services");
  mkdirSync(services, { recursive: true, mode: 0o700 });
  const exec = `${programs.atSpiLauncher} --launch-immediately --a11y=1`;
  writeFileSync(join(services, "org.a11y.Bus.service"), `[D-BUS Service]\nName=org.a11y.Bus\nExec=${exec}\n`);
  // Chromium asks for a keyring at start, and the prompt for a new one would cover every window.
  for (const name of KEYRINGS) {
    writeFileSync(join(services, `${name}.service`), `[D-BUS Service]\nName=${name}\nExec=/bin/false\n`);
  }
  const meant = building.session === undefined ? {} : (SESSIONS[building.session].services ?? {});
  for (const [name, file] of Object.entries(meant)) {
    const installed = join("/usr/share/dbus-1/services", file);
    // In this folder a file must be named after its service.
    if (existsSync(installed)) copyFileSync(installed, join(services, `${name}.service`));
  }
  const options = [
    "--session",
    "--nofork",
    "--nopidfile",
    "--print-address=1",
    `--address=unix:path=${folders.run}/bus`,
  ];
  const daemon = await start(building, {
    part: "dbus-daemon",
    command: [programs.dbusDaemon, ...options],
    signalWithSupervisor: "KILL",
    output: "read",
  });
  try {
    return { address: await readFirstLine(daemon, building.signal), daemon };
  } catch (error) {
    throw new PartError("dbus-daemon", error, daemon.logPath);
  }
}

/** Without session management: there is no session manager inside, and none outside may be contacted. */
const MANAGER_OPTIONS: Readonly<Record<ManagerKind, readonly string[]>> = {
  openbox: ["--sm-disable"],
  xfwm4: ["--sm-client-disable"],
  mutter: ["--x11", "--sm-disable"],
};

/** Or the session with its own window manager. Resolves when it manages windows and shows what it always shows. */
export async function startWindowManager(building: Building, display: string, cookie: Buffer): Promise<StartedPart> {
  const { manager, programs, session } = building;
  const options = session === undefined ? MANAGER_OPTIONS[manager] : SESSIONS[session].command.slice(1);
  const shows = session === undefined ? [] : (SESSIONS[session].shows ?? SHOWN);
  const part = session === undefined ? manager : SESSIONS[session].command[0];
  for (const setting of session === undefined ? [] : (SESSIONS[session].settings ?? []))
    await runOnce(building, part, "gsettings", "set", ...setting);
  const started = await start(building, {
    part,
    command: [programs.windowManager, ...options],
    signalWithSupervisor: "KILL",
    output: "log",
  });
  const isGone = new AbortController();
  started.child.once("exit", (code, signal) =>
    isGone.abort(new Error(`it ended with ${signal ?? `exit code ${code}`}`)),
  );
  try {
    const signal = AbortSignal.any([building.signal, isGone.signal]);
    await waitForWindowManager(locateXSocket(display), cookie, signal, shows);
    return started;
  } catch (error) {
    throw new PartError(part, error, started.logPath);
  }
}

/** Requesting the address makes the session bus start the accessibility bus, and is answered when that is ready. */
export function startAccessibilityBus(building: Building): Promise<string> {
  const call = [
    "--session",
    "--print-reply=literal",
    "--dest=org.a11y.Bus",
    "/org/a11y/bus",
    "org.a11y.Bus.GetAddress",
  ];
  return runOnce(building, "at-spi-bus-launcher", building.programs.dbusSend, ...call);
}

/** Runs a program that uses the session bus. Returns its output; a failure is that of a part. */
function runOnce(
  { env, folders, signal, boundary }: Building,
  part: string,
  ...command: readonly [string, ...string[]]
): Promise<string> {
  const [program, ...args] = boundary === undefined ? command : enterBoundary(boundary, command, "/", "KILL");
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { env, signal, cwd: "/" }, (error, stdout) => {
      if (error === null) resolve(stdout.trim());
      else reject(new PartError(part, error, join(folders.log, "dbus-daemon.log")));
    });
    recordStarted(child.pid);
  });
}

export async function start(
  building: Building,
  plan: Pick<PartPlan, "part" | "command" | "signalWithSupervisor" | "output"> & { env?: Record<string, string> },
): Promise<StartedPart> {
  building.signal.throwIfAborted();
  const { boundary, env, folders } = building;
  const command =
    boundary === undefined ? plan.command : enterBoundary(boundary, plan.command, "/", plan.signalWithSupervisor);
  const started = await startPart({ env, ...plan, command, logDirectory: folders.log, cwd: "/" });
  building.onPart(plan.part, started);
  return started;
}

const LOG_TAIL_LINES = 6;
const INHERITED_STDIO = [3, 4, 5];

export type StartedPart = { child: ChildProcess; pid: number; logPath: string };

type PartPlan = {
  part: string;
  command: readonly [string, ...string[]];
  env: Record<string, string>;
  logDirectory: string;
  /** The kernel sends this when the supervisor is killed. */
  signalWithSupervisor: "KILL" | "TERM";
  cwd: string;
  /** Where stdout goes: to this process, to the log like stderr, or with stdin and stderr to descriptors 3, 4 and 5. */
  output: "read" | "log" | "inherited";
};

/** Starts one part as a direct child that the kernel ends together with the supervisor. */
export function startPart(plan: PartPlan): Promise<StartedPart> {
  const setpriv = findExecutable("setpriv", process.env, "/", ["/usr/bin"]);
  const guard = setpriv === null ? [] : [setpriv, "--pdeathsig", plan.signalWithSupervisor, "--"];
  const [program, ...args] = [...guard, ...plan.command];
  const logPath = join(plan.logDirectory, `${plan.part}.log`);
  const log = openSync(logPath, "a", 0o600);
  const child = spawn(program ?? plan.command[0], args, {
    env: plan.env,
    cwd: plan.cwd,
    stdio: plan.output === "inherited" ? INHERITED_STDIO : ["ignore", plan.output === "read" ? "pipe" : log, log],
  });
  recordStarted(child.pid);
  closeSync(log);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", () => {
      child.off("error", reject);
      child.on("error", () => {});
      if (child.pid === undefined) reject(new Error(`${plan.part} has no process id`));
      else resolve({ child, pid: child.pid, logPath });
    });
  });
}

/** The first line a part prints: how X servers and D-Bus daemons report that they are ready. */
export function readFirstLine(part: StartedPart, signal: AbortSignal): Promise<string> {
  const { child } = part;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    child.once("exit", (code, endSignal) => reject(new Error(`it ended with ${endSignal ?? `exit code ${code}`}`)));
    child.stdout?.on("data", makeLineSplitter(resolve));
  });
}

function readLogTail(logPath: string): string {
  try {
    return readFileSync(logPath, "utf8").trim().split("\n").slice(-LOG_TAIL_LINES).join("\n");
  } catch {
    return "";
  }
}
