import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findPlaces } from "../guard/places.ts";
import type { Env } from "../model/env.ts";
import { hashText } from "../model/hash.ts";
import { folders, programs } from "../os/index.ts";

/** Which desktop is meant, and whose settings and map: two of them never share a daemon. */
const deciding = [
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "XAUTHORITY",
  "DBUS_SESSION_BUS_ADDRESS",
  "AT_SPI_BUS_ADDRESS",
  "HOME",
  "XDG_RUNTIME_DIR",
  "XDG_CONFIG_HOME",
  "XDG_STATE_HOME",
  "XDG_DATA_HOME",
  "PGUSER",
];

/** What goes with each client and decides nothing about the desktop. */
export const ownVariables = [
  "DESKMAP_CLIENT",
  "DESKMAP_READ_ONLY",
  "DESKMAP_DAEMON",
  "DESKMAP_TURN",
  "DESKMAP_DEBUG",
  "DESKMAP_LOG",
  "DESKMAP_CWD",
];

const settingVariables = [
  "PATH",
  "LANG",
  "LC_ALL",
  "LC_MESSAGES",
  "USER",
  "XDG_DATA_DIRS",
  "XDG_CONFIG_DIRS",
  "XDG_CURRENT_DESKTOP",
];

/** Whether commands may use a daemon, and whether every one of them starts it. */
export function readDaemonUse(env: Env): "never" | "use" | "start" {
  const said = (env.DESKMAP_DAEMON ?? "").toLowerCase();
  if (said === "start") return "start";
  return ["never", "no", "0", "off", "false"].includes(said) ? "never" : "use";
}

export interface DaemonPlace {
  readonly folder: string;
  readonly socket: string;
  /** Held by the one daemon there is. */
  readonly lock: string;
}

/**
 * Where the daemon of a desktop is, if there is one. Every build has its own: none ends what another does for its clients, and
 * turns are taken through a file that all of them know.
 */
export function findDaemonPlace(env: Env, build = findBuild()): DaemonPlace {
  const own = Object.keys(env).filter((name) => name.startsWith("DESKMAP_") && !ownVariables.includes(name));
  const names = [...deciding, ...own.toSorted()];
  const said = [build, ...names.map((name) => `${name}=${env[name] ?? ""}`)].join("\0");
  const name = BigInt.asUintN(64, BigInt(hashText(said)))
    .toString(16)
    .padStart(16, "0");
  const runtime = folders.runtime(env);
  const folder = runtime === undefined ? join(findPlaces(env).state, "run") : join(runtime, "deskmap");
  const at = (ending: string): string => join(folder, name + ending);
  return { folder, socket: at(".sock"), lock: at(".lock") };
}

/** With the folder where it was called: what is to be opened may be named from there. */
export function listClientSettings(env: Env): Record<string, string> {
  const given = settingVariables.map((name) => [name, env[name] ?? ""] as const);
  return { ...Object.fromEntries(given), DESKMAP_CWD: folders.working() };
}

/** What a client says of its settings, and nothing else that it may say: where things are kept is decided already. */
export function takeClientSettings(said: Readonly<Record<string, string>>): Record<string, string | undefined> {
  const names = [...settingVariables, "DESKMAP_CWD"].filter((name) => said[name] !== undefined);
  // What the client has not set is not set for it: an empty XDG_DATA_DIRS takes GTK its icons, and ends applications.
  return Object.fromEntries(names.map((name) => [name, said[name] === "" ? undefined : said[name]]));
}

const plainVariables = [
  ...["PATH", "LOGNAME", "USER", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "DESKTOP_SESSION", "KDE_FULL_SESSION"],
  ...["SESSION_MANAGER", "ICEAUTHORITY", "XMODIFIERS", "NO_AT_BRIDGE", "MOZ_ENABLE_WAYLAND", "LIBGL_ALWAYS_SOFTWARE"],
  // How it gets at a shared map; what it opens does not learn it.
  ...["PGPASSWORD", "PGPASSFILE"],
];
const plainFamilies = ["LC_", "XDG_", "DESKMAP_", "DBUS_", "GTK_", "GDK_", "QT_", "GSETTINGS_"];

/**
 * What a daemon needs of the environment of whoever starts it. Programs that are opened through it get it as well, whoever
 * opens them: what else is in a shell, such as its secrets, is not passed on.
 */
export function listDaemonVariables(env: Env): Record<string, string> {
  const isPlain = (name: string): boolean =>
    deciding.includes(name) || plainVariables.includes(name) || plainFamilies.some((family) => name.startsWith(family));
  const kept = Object.entries(env).filter(([name]) => isPlain(name) && !ownVariables.includes(name));
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

// Bun's name for the files inside a compiled executable.
const compiledPrefix = "/$bunfs/";

function isCompiled(): boolean {
  return new URL(import.meta.url).pathname.startsWith(compiledPrefix);
}

/** How this program is started once more. */
export function findProgram(): readonly [string, ...string[]] {
  return isCompiled() ? [programs.own()] : [programs.own(), ...plainly, findEntry()];
}

// What lies about in the folder where a command is called is not read.
const plainly = ["--no-env-file", "--config=/dev/null"];

function findEntry(): string {
  const source = fileURLToPath(new URL("../cli/main.ts", import.meta.url));
  // A bundle knows where its source was, and starts in half the time.
  return Bun.main.endsWith(".ts") && existsSync(source) ? source : Bun.main;
}

let build: string | undefined;

/**
 * Which build this program is: the very file of an executable; of source, the newest of its files. It stays what it was when
 * it was first asked for: the files may be others by now, or gone.
 */
export function findBuild(): string {
  build ??= describeBuild();
  return build;
}

function describeBuild(): string {
  if (isCompiled()) return describeFile(programs.running);
  const source = fileURLToPath(new URL("..", import.meta.url));
  if (!existsSync(join(source, "cli/main.ts"))) return describeFile(Bun.main);
  let newest = 0;
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith(".ts")) continue;
    newest = Math.max(newest, statSync(join(entry.parentPath, entry.name)).mtimeMs);
  }
  return `${source} ${newest}`;
}

function describeFile(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return [path, found?.dev, found?.ino, found?.size, found?.mtimeMs].join(" ");
}
