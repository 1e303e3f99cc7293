import { join } from "node:path";
import { processes } from "../os/index.ts";
import {
  type Building,
  PartError,
  type StartedPart,
  startAccessibilityBus,
  startPart,
  startSessionBus,
  startWindowManager,
} from "./desktop-parts.ts";
import { applyVariables, describeVariables, makeFolders, writeHomeFiles } from "./environment.ts";
import type { CloseReason, OpenRequest, Report } from "./protocol.ts";
import type { SandboxRecord } from "./record.ts";
import { updateRecord } from "./registry.ts";
import { describeSessionVariables, listSessionFiles } from "./sessions.ts";
import { hasIceSocket, locateXSocket, readInode } from "./traces.ts";
import { startXServer } from "./x-server.ts";

// Socket paths are limited to 107 bytes; this is the longest one below the root.
const LONGEST_SOCKET_BELOW_ROOT = "/run/at-spi/bus_65535";
const SOCKET_PATH_BYTES = 107;

type Links = { signal: AbortSignal; report: (message: Report) => void; close: (reason: CloseReason) => void };

/** Starts the X server, then session and accessibility bus beside the window manager, then the application. */
export async function buildDesktop(request: OpenRequest, record: SandboxRecord, links: Links): Promise<void> {
  checkRootLength(record.root);
  const folders = makeFolders(record.root);
  const { session } = request;
  const sessionFiles = session === undefined ? {} : listSessionFiles(session);
  writeHomeFiles(folders.home, { ...sessionFiles, ...request.homeFiles });
  const sessionVariables = session === undefined ? {} : describeSessionVariables(session, folders.root);
  const extra = { ...sessionVariables, ...request.extraEnv };
  record.variables = describeVariables(request.name, folders, request.registryDirectory, process.env, extra);
  const learn = (found: Record<string, string>) => {
    Object.assign(record.variables.set, found);
    record.variables.unset = record.variables.unset.filter((variable) => !(variable in found));
    building.env = applyVariables(record.variables, process.env);
    updateRecord(request.registryDirectory, record);
  };
  const building: Building = {
    ...request,
    folders,
    env: applyVariables(record.variables, process.env),
    signal: AbortSignal.any([links.signal, AbortSignal.timeout(request.timeoutMs)]),
    onPart: (part, started) => {
      const row = processes.read(started.pid);
      if (row !== undefined) record.parts.push({ part, pid: row.pid, startTicks: row.startTicks });
      updateRecord(request.registryDirectory, record);
    },
  };

  const { display, cookie, server } = await startXServer(building);
  server.child.once("exit", () => links.close("x-server-ended"));
  record.display = display;
  record.xSocketInode = readInode(locateXSocket(display));
  learn({ DISPLAY: display });
  links.report({ kind: "progress", text: `X server on ${display}` });

  const startBuses = async () => {
    const { address, daemon } = await startSessionBus(building);
    daemon.child.once("exit", () => links.close("session-bus-ended"));
    learn({ DBUS_SESSION_BUS_ADDRESS: address });
    learn({ AT_SPI_BUS_ADDRESS: await startAccessibilityBus(building) });
    links.report({ kind: "progress", text: "session bus and accessibility bus" });
  };
  const buses = startBuses();
  // Sessions, Xfwm4 and Mutter read settings over the session bus; Openbox need not wait.
  if (session !== undefined || request.manager !== "openbox") await buses;
  const [, manager] = await Promise.all([buses, startWindowManager(building, display, cookie)]);
  // A person who logs out ends the session.
  if (session !== undefined) manager.child.once("exit", () => links.close("session-ended"));
  // Plasma's session manager is not what was started.
  for (const { pid, startTicks } of session === undefined ? [] : processes.listDescendants(process.pid))
    if (hasIceSocket(pid)) record.parts.push({ part: "session-manager", pid, startTicks });
  links.report({ kind: "progress", text: session === undefined ? "window manager" : `${session} session` });

  if (request.app.length > 0) watchApp(request, await startApp(request, building), links);
  record.state = "ready";
  updateRecord(request.registryDirectory, record);
  links.report({ kind: "ready", record });
}

async function startApp(request: OpenRequest, building: Building): Promise<StartedPart> {
  building.signal.throwIfAborted();
  try {
    const app = await startPart({
      part: "app",
      command: [request.appPath, ...request.app.slice(1)],
      env: building.env,
      logDirectory: building.folders.log,
      signalWithSupervisor: "KILL",
      cwd: request.appCwd,
      output: request.hasAppStdio ? "inherited" : "log",
    });
    building.onPart("app", app);
    return app;
  } catch (error) {
    throw new PartError(request.appPath, error, join(building.folders.log, "app.log"));
  }
}

function watchApp(request: OpenRequest, app: StartedPart, links: Links): void {
  app.child.once("exit", (exitCode, signal) => {
    links.report({ kind: "app-ended", end: { exitCode, signal } });
    if (request.closeWhenAppEnds) links.close("app-ended");
  });
}

function checkRootLength(root: string): void {
  if (Buffer.byteLength(root + LONGEST_SOCKET_BELOW_ROOT) <= SOCKET_PATH_BYTES) return;
  throw new Error(`the path ${root} is too long for the sockets in it; set TMPDIR to a shorter one`);
}
