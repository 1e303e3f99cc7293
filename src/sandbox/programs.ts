import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { fail, type Outcome, succeed } from "./problem.ts";

/** The programs a sandbox is made of, as absolute paths. */
export type Programs = { xvfb: string; openbox: string; dbusDaemon: string; dbusSend: string; atSpiLauncher: string };

type Wanted = { key: keyof Programs; file: string; aptPackage: string; folders: readonly string[] };

// Debian and Fedora keep the launcher in /usr/libexec, older Debian and Arch in the other two; it is in nobody's PATH.
const LIBEXEC_FOLDERS = ["/usr/libexec", "/usr/lib/at-spi2-core", "/usr/lib"];

const WANTED: readonly Wanted[] = [
  { key: "xvfb", file: "Xvfb", aptPackage: "xvfb", folders: [] },
  { key: "openbox", file: "openbox", aptPackage: "openbox", folders: [] },
  { key: "dbusDaemon", file: "dbus-daemon", aptPackage: "dbus", folders: [] },
  { key: "dbusSend", file: "dbus-send", aptPackage: "dbus", folders: [] },
  { key: "atSpiLauncher", file: "at-spi-bus-launcher", aptPackage: "at-spi2-core", folders: LIBEXEC_FOLDERS },
];

export function findPrograms(env: NodeJS.ProcessEnv): Outcome<Programs> {
  const found: Programs = { xvfb: "", openbox: "", dbusDaemon: "", dbusSend: "", atSpiLauncher: "" };
  const missing: Wanted[] = [];
  for (const wanted of WANTED) {
    const path = findExecutable(wanted.file, env, "/", wanted.folders);
    if (path === null) missing.push(wanted);
    else found[wanted.key] = path;
  }
  if (missing.length === 0) return succeed(found);
  const packages = [...new Set(missing.map((wanted) => wanted.aptPackage))];
  return fail({
    code: "MISSING_PROGRAM",
    message: `a sandbox needs ${missing.map((wanted) => wanted.file).join(", ")}, which ${missing.length === 1 ? "is" : "are"} not installed`,
    there: `searched: PATH=${env.PATH ?? ""}`,
    suggestion: `sudo apt-get install -y ${packages.join(" ")}`,
    done: "nothing was started.",
  });
}

/** Finds the application before anything is started, so that a typing error costs nothing. */
export function findApp(app: string, env: NodeJS.ProcessEnv, cwd: string): Outcome<string> {
  const path = findExecutable(app, env, cwd);
  if (path !== null) return succeed(path);
  return fail({
    code: "APP_NOT_FOUND",
    message: `no program "${app}" can be run`,
    there: app.includes("/") ? `looked at: ${resolve(cwd, app)}` : `searched: PATH=${env.PATH ?? ""}`,
    suggestion: "check the spelling, give its full path, or install it.",
    done: "nothing was started.",
  });
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
