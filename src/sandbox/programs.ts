import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { type Result, succeed } from "../model/failure.ts";
import { MANAGER_KINDS, type ManagerKind, refuseStart } from "./options.ts";
import { SESSIONS, type SessionKind } from "./sessions.ts";

/** Absolute paths of the programs of a sandbox; one of the two X servers is "", and so is what a session brings. */
export type Programs = {
  xvfb: string;
  xorg: string;
  /** Of the requested kind, or the session's manager, which starts its own. */
  windowManager: string;
  dbusDaemon: string;
  dbusSend: string;
  atSpiLauncher: string;
};

type Wanted = {
  key: keyof Programs | "none";
  file: string;
  aptPackage: string;
  folders: readonly string[];
  /** Needed only for a display with one output, or with several. */
  outputs?: "one" | "several";
  /** Needed only for this window manager. */
  manager?: ManagerKind;
  isOutsidePath?: true;
  /** Part of this session. */
  session?: SessionKind;
};

// Debian and Fedora have the launcher in /usr/libexec, older Debian and Arch in the other two; it is not in PATH.
const LIBEXEC_FOLDERS = ["/usr/libexec", "/usr/lib/at-spi2-core", "/usr/lib"];
// The server itself. PATH may contain a wrapper that runs it as root on a console.
const XORG_FOLDERS = ["/usr/lib/xorg", "/usr/libexec", "/usr/lib"];
const XORG_DRIVER_FOLDERS = ["/usr/lib/xorg/modules/drivers", "/usr/lib64/xorg/modules/drivers"];

const WANTED: readonly Wanted[] = [
  { key: "xvfb", file: "Xvfb", aptPackage: "xvfb", folders: [], outputs: "one" },
  {
    key: "xorg",
    file: "Xorg",
    aptPackage: "xserver-xorg-core",
    folders: XORG_FOLDERS,
    outputs: "several",
    isOutsidePath: true,
  },
  {
    key: "none",
    file: "dummy_drv.so",
    aptPackage: "xserver-xorg-video-dummy",
    folders: XORG_DRIVER_FOLDERS,
    outputs: "several",
    isOutsidePath: true,
  },
  ...MANAGER_KINDS.map((kind) => ({
    key: "windowManager" as const,
    file: kind,
    aptPackage: kind,
    folders: [],
    manager: kind,
  })),
  { key: "dbusDaemon", file: "dbus-daemon", aptPackage: "dbus", folders: [] },
  { key: "dbusSend", file: "dbus-send", aptPackage: "dbus", folders: [] },
  { key: "atSpiLauncher", file: "at-spi-bus-launcher", aptPackage: "at-spi2-core", folders: LIBEXEC_FOLDERS },
];

function listWanted(session: SessionKind | undefined): readonly Wanted[] {
  if (session === undefined) return WANTED;
  const { command, needs } = SESSIONS[session];
  const parts = Object.entries(needs).map(([file, aptPackage]): Wanted => {
    return { key: file === command[0] ? "windowManager" : "none", file, aptPackage, folders: [], session };
  });
  return [...WANTED.filter((wanted) => wanted.manager === undefined), ...parts];
}

/** `systemRoot` prefixes the folders outside PATH; used by tests. */
export function findPrograms(
  env: NodeJS.ProcessEnv,
  hasSeveralOutputs: boolean,
  manager: ManagerKind = "openbox",
  systemRoot = "/",
  session?: SessionKind,
): Result<Programs> {
  const found = {
    xvfb: "",
    xorg: "",
    windowManager: "",
    dbusDaemon: "",
    dbusSend: "",
    atSpiLauncher: "",
    none: "",
  };
  const missing: Wanted[] = [];
  for (const wanted of listWanted(session)) {
    if (wanted.outputs !== undefined && (wanted.outputs === "several") !== hasSeveralOutputs) continue;
    if (wanted.manager !== undefined && wanted.manager !== manager) continue;
    const folders = wanted.folders.map((folder) => join(systemRoot, folder));
    const path = wanted.isOutsidePath
      ? folders.map((folder) => join(folder, wanted.file)).find(existsSync)
      : findExecutable(wanted.file, env, "/", folders);
    if (path === undefined || path === null) missing.push(wanted);
    else found[wanted.key] = path;
  }
  const { none: _none, ...programs } = found;
  if (missing.length === 0) return succeed(programs);
  const packages = [...new Set(missing.map((wanted) => wanted.aptPackage))];
  const isInPath = missing.some((wanted) => !wanted.isOutsidePath);
  const outside = missing.filter((wanted) => wanted.isOutsidePath).flatMap((wanted) => wanted.folders);
  const purpose = missing.every((wanted) => wanted.outputs === "several")
    ? " with several monitors"
    : missing.every((wanted) => wanted.session !== undefined)
      ? ` with a whole ${session} session`
      : "";
  const searched = [...(isInPath ? [`PATH=${env.PATH ?? ""}`] : []), ...outside].join(", ");
  const names = missing.map((wanted) => wanted.file).join(", ");
  return refuseStart(
    "UNAVAILABLE",
    `a sandbox${purpose} needs ${names}, not installed here (searched: ${searched})`,
    `sudo apt-get install -y ${session === undefined ? "" : "--no-install-recommends "}${packages.join(" ")}`,
  );
}

/** Finds the application before anything is started, so that a typo costs nothing. */
export function findApp(app: string, env: NodeJS.ProcessEnv, cwd: string): Result<string> {
  const path = findExecutable(app, env, cwd);
  if (path !== null) return succeed(path);
  return refuseStart(
    "NOT_FOUND",
    `no such program: "${app}" (searched: ${app.includes("/") ? resolve(cwd, app) : `PATH=${env.PATH ?? ""}`})`,
    "check the spelling, give its full path, or install it.",
  );
}

export function findExecutable(
  file: string,
  env: NodeJS.ProcessEnv,
  cwd: string,
  moreFolders: readonly string[] = [],
): string | null {
  if (file.includes("/")) return isExecutable(resolve(cwd, file)) ? resolve(cwd, file) : null;
  const folders = [...(env.PATH ?? "").split(delimiter).filter((folder) => folder !== ""), ...moreFolders];
  return folders.map((folder) => join(resolve(cwd, folder), file)).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
