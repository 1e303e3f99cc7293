import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { type Failure, fail, type Result, succeed } from "../model/failure.ts";
import { folders, type ProcessKey, processes } from "../os/index.ts";
import { prepareBoundary } from "./boundary-request.ts";
import { type Described, describeRecord } from "./describe.ts";
import { chooseInside } from "./enter.ts";
import { applyInside, applyVariables } from "./environment.ts";
import type { Bind, BoundaryWish } from "./mounts.ts";
import {
  checkName,
  checkSize,
  inventName,
  MANAGER_KINDS,
  type ManagerKind,
  type MonitorPlan,
  measureScreen,
} from "./options.ts";
import { findApp, findExecutable, findPrograms } from "./programs.ts";
import { type AppEnd, type CloseReason, makeLineSplitter, type OpenRequest, parseReport } from "./protocol.ts";
import type { SandboxRecord } from "./record.ts";
import { explainStartFailure } from "./refusals.ts";
import { checkRegistry, locateRegistry } from "./registry.ts";
import { sweepSandboxes } from "./running.ts";
import type { SessionKind } from "./sessions.ts";
import { chooseEntry } from "./watchdog.ts";

const OPEN_TIMEOUT_MS = 20_000;
const OPEN_SESSION_TIMEOUT_MS = 60_000;

export type OpenOptions = {
  name?: string;
  width: number;
  height: number;
  /** Several outputs instead of one of that size; see `parseMonitors`. */
  monitors?: readonly MonitorPlan[];
  manager?: ManagerKind | undefined;
  /** A whole session (panel, desktop, file manager, settings) with its own window manager instead. */
  session?: SessionKind | undefined;
  timeoutMs?: number;
  /** Started inside when everything is ready. */
  app?: readonly string[];
  /** "inherit": this process's stdin, stdout and stderr. "log": a file inside the sandbox (the default). */
  appStdio?: "inherit" | "log";
  closeWhenAppEnds?: boolean;
  /** Added to the environment inside. */
  env?: Record<string, string>;
  /** Whether programs inside are kept from what is outside ("preferred"). "off" trusts them with all of it. */
  boundary?: BoundaryWish;
  /** Within a boundary: what of the files outside is shown, and whether the network of this machine is. */
  binds?: readonly Bind[];
  hasNetwork?: boolean;
  /** Written to its home before anything runs, by relative path. */
  homeFiles?: Record<string, string>;
  onProgress?: (text: string) => void;
};

type SandboxEnd = { reason: CloseReason | "supervisor-killed"; app: AppEnd | null };

export type Sandbox = Described & {
  /** The complete environment of a program outside that uses this desktop, as Deskmap does. */
  env: Record<string, string>;
  /** Starts a program inside. Throws if the boundary does not show it. */
  spawn(command: readonly [string, ...string[]], options?: SpawnOptions): ChildProcess;
  /** Settles when the sandbox is gone, for any reason. */
  ended: Promise<SandboxEnd>;
  /** Keeps it running after this process ends; `stopSandbox` ends it. */
  detach(): void;
  /** Resolves when no process and no file of it is left. */
  close(): Promise<void>;
};

/** Thrown only by `openSandbox`, for callers that cannot continue without a sandbox. */
export class SandboxError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    const { code, message, suggestion = "", done } = failure;
    super(`${code}  ${message}\ntry: ${suggestion}   ${done}`);
    this.name = "SandboxError";
    this.failure = failure;
  }
}

/** Opens a private desktop: X server, window manager, session bus and accessibility bus. */
export async function openSandbox(options: OpenOptions): Promise<Sandbox> {
  const outcome = await tryOpenSandbox(options);
  if (outcome.ok) return outcome.value;
  throw new SandboxError(outcome.failure);
}

export async function tryOpenSandbox(options: OpenOptions): Promise<Result<Sandbox>> {
  const request = prepareRequest(options);
  if (!request.ok) return request;
  await sweepSandboxes(request.value.registryDirectory);
  const registry = checkRegistry(request.value.registryDirectory);
  if (!registry.ok) return registry;
  return startSupervisor(request.value, options.onProgress ?? (() => {}));
}

function prepareRequest(options: OpenOptions): Result<OpenRequest> {
  const monitors = [...(options.monitors ?? [])];
  const size = monitors.length === 0 ? checkSize(options) : succeed(measureScreen(monitors));
  if (!size.ok) return size;
  const name = checkName(options.name ?? inventName());
  if (!name.ok) return name;
  const programs = findPrograms(process.env, monitors.length > 1, options.manager, "/", options.session);
  if (!programs.ok) return programs;
  const app = [...(options.app ?? [])];
  const appPath = app[0] === undefined ? succeed("") : findApp(app[0], process.env, process.cwd());
  if (!appPath.ok) return appPath;
  const registryDirectory = locateRegistry();
  return succeed({
    kind: "open",
    name: name.value,
    width: size.value.width,
    height: size.value.height,
    monitors,
    manager: options.manager ?? MANAGER_KINDS[0],
    session: options.session,
    timeoutMs: options.timeoutMs ?? (options.session === undefined ? OPEN_TIMEOUT_MS : OPEN_SESSION_TIMEOUT_MS),
    app,
    appPath: appPath.value,
    appCwd: process.cwd(),
    hasAppStdio: options.appStdio === "inherit",
    closeWhenAppEnds: options.closeWhenAppEnds ?? false,
    extraEnv: options.env ?? {},
    homeFiles: options.homeFiles ?? {},
    registryDirectory,
    boundary: prepareBoundary(
      options.boundary ?? "preferred",
      options.binds ?? [],
      options.hasNetwork ?? false,
      registryDirectory,
      Object.values(programs.value).filter((path) => path !== ""),
    ),
    programs: programs.value,
  });
}

async function startSupervisor(request: OpenRequest, onProgress: (text: string) => void): Promise<Result<Sandbox>> {
  const [command, ...args] = chooseEntry("supervise");
  const supervisor = spawn(command, args, {
    cwd: "/",
    // A separate session: neither Ctrl-C nor closing the terminal reaches it before we ask it to close.
    detached: true,
    stdio: request.hasAppStdio ? ["pipe", "pipe", "ignore", 0, 1, 2] : ["pipe", "pipe", "ignore"],
  });
  const ready = Promise.withResolvers<SandboxRecord | Failure>();
  const ended = Promise.withResolvers<SandboxEnd>();
  const end: SandboxEnd = { reason: "supervisor-killed", app: null };
  const onLine = (line: string) => {
    const report = parseReport(line);
    if (report?.kind === "progress") onProgress(report.text);
    if (report?.kind === "ready") ready.resolve(report.record);
    if (report?.kind === "failed") ready.resolve(report.failure);
    if (report?.kind === "app-ended") end.app = report.end;
    if (report?.kind === "closing") end.reason = report.reason;
  };
  supervisor.stdout?.on("data", makeLineSplitter(onLine));
  supervisor.stdin?.on("error", () => {});
  supervisor.once("error", (error) => ready.resolve(explainStartFailure(error)));
  supervisor.once("close", async () => {
    if (end.reason === "supervisor-killed") await sweepSandboxes(request.registryDirectory);
    ready.resolve(explainStartFailure(new Error("it was stopped before it was ready")));
    ended.resolve(end);
  });
  supervisor.stdin?.write(`${JSON.stringify(request)}\n`);

  const result = await ready.promise;
  if ("version" in result) return succeed(makeSandbox(result, supervisor, ended.promise));
  if (supervisor.pid !== undefined) await ended.promise;
  return fail(result);
}

function makeSandbox(record: SandboxRecord, supervisor: ChildProcess, ended: Promise<SandboxEnd>): Sandbox {
  const env = applyVariables(record.variables, process.env);
  const insideEnv = record.boundary.kind === "trusted" ? env : applyInside(record, process.env);
  const started: ProcessKey[] = [];
  return {
    ...describeRecord(record),
    env,
    spawn: ([name, ...words], options = {}) => {
      const cwd = options.cwd === undefined ? folders.working() : String(options.cwd);
      const path = record.boundary.kind === "bounded" ? (findExecutable(name, process.env, cwd) ?? name) : name;
      const inside = chooseInside(record, [path, ...words], cwd);
      if (!inside.ok) throw new SandboxError(inside.failure);
      const [program, ...args] = inside.value.command;
      const child = spawn(program, args, {
        ...options,
        cwd: inside.value.cwd,
        env: { ...insideEnv, ...options.env },
      });
      const row = child.pid === undefined ? undefined : processes.read(child.pid);
      if (row !== undefined) started.push(row);
      return child;
    },
    ended,
    detach: () => {
      supervisor.stdin?.end('{"kind":"keep"}\n');
      supervisor.unref();
      supervisor.stdout?.destroy();
    },
    close: async () => {
      const own = listStarted(started);
      supervisor.stdin?.end();
      await ended;
      for (const key of own) processes.signal(key, "SIGKILL");
    },
  };
}

/** By parentage, before anything ends: Chromium overwrites the environment by which processes are found. */
function listStarted(started: readonly ProcessKey[]): ProcessKey[] {
  const table = processes.list();
  const living = started.filter((key) => processes.isAlive(key));
  return living.flatMap((key) => [key, ...processes.listDescendants(key.pid, table)]);
}
