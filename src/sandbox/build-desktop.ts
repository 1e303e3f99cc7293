import { linkSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { processes } from "../os/index.ts";
import { NoBoundary, startBoundary } from "./boundary.ts";
import {
  type Building,
  PartError,
  type Reservation,
  type StartedPart,
  startAccessibilityBus,
  startPart,
  startSessionBus,
  startWindowManager,
} from "./desktop-parts.ts";
import { ROOT_VARIABLE } from "./end-processes.ts";
import { chooseInside } from "./enter.ts";
import {
  applyInside,
  describeVariables,
  type Folders,
  makeFolders,
  type Variables,
  writeHomeFiles,
} from "./environment.ts";
import { StartRefused } from "./options.ts";
import type { CloseReason, OpenRequest, Report } from "./protocol.ts";
import type { SandboxRecord } from "./record.ts";
import { updateRecord } from "./registry.ts";
import { describeSessionVariables, listSessionFiles } from "./sessions.ts";
import { hasIceSocket, locateXSocket, readInode } from "./traces.ts";
import { startXServer } from "./x-server.ts";

// Socket paths are limited to 107 bytes; this is the longest one below the root.
const LONGEST_SOCKET_BELOW_ROOT = "/outside/run/at-spi/bus_65535";
const SOCKET_PATH_BYTES = 107;

type Links = {
  signal: AbortSignal;
  report: (message: Report) => void;
  close: (reason: CloseReason) => void;
  reservations: Reservation[];
};

/**
 * Opens the boundary, starts the X server, then session and accessibility bus beside the window manager, then the
 * application.
 */
export async function buildDesktop(request: OpenRequest, record: SandboxRecord, links: Links): Promise<void> {
  checkRootLength(record.root);
  const folders = makeFolders(record.root);
  const { session } = request;
  const building: Building = {
    ...request,
    folders,
    env: { PATH: process.env.PATH ?? "", [ROOT_VARIABLE]: record.root },
    signal: AbortSignal.any([links.signal, AbortSignal.timeout(request.timeoutMs)]),
    onPart: (part, started) => {
      const row = processes.read(started.pid);
      if (row !== undefined) record.parts.push({ part, pid: row.pid, startTicks: row.startTicks });
      updateRecord(request.registryDirectory, record);
    },
    boundary: undefined,
    onBoundaryLost: () => {
      if (record.boundary.kind === "bounded") links.close("boundary-ended");
    },
    reserve: (reservation) => links.reservations.push(reservation),
  };
  const outside = await openBoundary(request, record, building);
  const sessionFiles = session === undefined ? {} : listSessionFiles(session);
  for (const home of new Set([folders.home, outside.home]))
    writeHomeFiles(home, { ...sessionFiles, ...request.homeFiles });
  const publish = () => {
    building.env = applyInside(record, process.env);
    updateRecord(request.registryDirectory, record);
    if (record.boundary.kind === "bounded") updateRecord(locateInnerRegistry(folders), describeWithin(record));
  };
  const learn = (found: Record<string, string>, foundOutside = found) => {
    setVariables(record.variables, foundOutside);
    if (record.boundary.kind === "bounded") setVariables(record.boundary.inside, found);
    publish();
  };
  const learnBus = (variable: string, address: string) => {
    const isBounded = record.boundary.kind === "bounded";
    learn({ [variable]: address }, { [variable]: isBounded ? linkBus(address, folders, outside) : address });
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
    learnBus("DBUS_SESSION_BUS_ADDRESS", address);
    learnBus("AT_SPI_BUS_ADDRESS", await startAccessibilityBus(building));
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

  if (request.app.length > 0) watchApp(request, await startApp(request, record, building), links);
  record.state = "ready";
  publish();
  links.report({ kind: "ready", record });
}

/**
 * Returns the folders of programs outside that use the desktop, as Deskmap does. With a boundary they are others than those
 * inside: a link or a start-up file that a program inside has put there would be followed outside.
 */
async function openBoundary(request: OpenRequest, record: SandboxRecord, building: Building): Promise<Folders> {
  const { folders, session } = building;
  const sessionVariables = session === undefined ? {} : describeSessionVariables(session, folders.root);
  const extra = { ...sessionVariables, ...request.extraEnv };
  const describe = (place: Folders, registryDirectory: string) =>
    describeVariables(request.name, place, registryDirectory, process.env, extra);
  record.variables = describe(folders, request.registryDirectory);
  if (request.boundary.wish === "off") return folders;
  try {
    mkdirSync(locateInnerRegistry(folders), { recursive: true, mode: 0o700 });
    const opened = await startBoundary(building, request.boundary);
    building.boundary = opened;
    const inside = describe({ ...folders, temp: "/tmp" }, locateInnerRegistry(folders));
    record.boundary = { kind: "bounded", ...opened, inside };
    const outside = makeFolders(record.root, join(record.root, "outside"));
    record.variables = describe(outside, request.registryDirectory);
    return outside;
  } catch (error) {
    if (!(error instanceof NoBoundary) || request.boundary.wish === "required") throw error;
    record.boundary = { kind: "missing", reason: error.message };
    return folders;
  }
}

/** The records that Deskmap finds inside: its own, read-only. */
function locateInnerRegistry({ shown }: Folders): string {
  return join(shown, "registry");
}

function describeWithin(record: SandboxRecord): SandboxRecord {
  if (record.boundary.kind !== "bounded") return record;
  const { inside, hasNetwork, given } = record.boundary;
  return { ...record, variables: inside, boundary: { kind: "within", hasNetwork, given } };
}

function setVariables(variables: Variables, found: Record<string, string>): void {
  Object.assign(variables.set, found);
  variables.unset = variables.unset.filter((variable) => !(variable in found));
}

/** The address outside of a bus inside: a hard link leads to it whatever a program puts in the place of its socket. */
function linkBus(address: string, inside: Folders, outside: Folders): string {
  const path = /^unix:path=([^,;]+)/.exec(address)?.[1];
  if (path === undefined || !path.startsWith(`${inside.run}/`))
    throw new Error(`the bus at ${address} cannot be reached from outside the boundary; --trust opens without one`);
  const link = join(outside.run, path.slice(inside.run.length));
  mkdirSync(dirname(link), { recursive: true, mode: 0o700 });
  linkSync(path, link);
  return address.replace(path, link);
}

async function startApp(request: OpenRequest, record: SandboxRecord, building: Building): Promise<StartedPart> {
  building.signal.throwIfAborted();
  const command: [string, ...string[]] = [request.appPath, ...request.app.slice(1)];
  const inside = chooseInside(record, command, request.appCwd, "KILL");
  if (!inside.ok) throw new StartRefused(inside.failure);
  try {
    const app = await startPart({
      part: "app",
      command: inside.value.command,
      env: building.env,
      logDirectory: building.folders.log,
      signalWithSupervisor: "KILL",
      cwd: inside.value.cwd,
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
