import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findPlaces } from "../guard/places.ts";
import { type Env, memoryVariable } from "../model/env.ts";
import { hashText } from "../model/hash.ts";
import { folders, programs } from "../os/index.ts";

/** These choose the desktop, the settings and the map: each combination has its own daemon. */
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

/** Per client; these do not choose the desktop. */
export const ownVariables = [
  "DESKMAP_CLIENT",
  "DESKMAP_READ_ONLY",
  "DESKMAP_DAEMON",
  "DESKMAP_TURN",
  "DESKMAP_DEBUG",
  "DESKMAP_LOG",
  "DESKMAP_CWD",
  "DESKMAP_FORMAT",
  "DESKMAP_TIMEOUT_MS",
  // Of the assistant, which runs in the client; the first two are secrets.
  "DESKMAP_AI_KEY",
  "DESKMAP_AI_HEADERS",
  "DESKMAP_AI_MODEL",
  "DESKMAP_AI_ENDPOINT",
  "DESKMAP_AI_SITE_URL",
  "DESKMAP_AI_SITE_NAME",
  memoryVariable,
];

const settingVariables = [
  memoryVariable,
  "PATH",
  "LANG",
  "LC_ALL",
  "LC_MESSAGES",
  "USER",
  "XDG_DATA_DIRS",
  "XDG_CONFIG_DIRS",
  "XDG_CURRENT_DESKTOP",
];

/** Whether commands use a daemon, and whether all of them start it. */
export function readDaemonUse(env: Env): "never" | "use" | "start" {
  const said = (env.DESKMAP_DAEMON ?? "").toLowerCase();
  if (said === "start") return "start";
  return ["never", "no", "0", "off", "false"].includes(said) ? "never" : "use";
}

export interface DaemonPlace {
  readonly folder: string;
  readonly socket: string;
  readonly lock: string;
}

/** Every build has a daemon of its own, so that none ends another's work; turns are shared through a file. */
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

/** Includes the working folder: `open` resolves relative paths from there. */
export function listClientSettings(env: Env): Record<string, string> {
  const given = settingVariables.map((name) => [name, env[name] ?? ""] as const);
  return { ...Object.fromEntries(given), DESKMAP_CWD: folders.working() };
}

/** The known settings of a client's hello; others are ignored, since they could redirect the daemon's files. */
export function takeClientSettings(said: Readonly<Record<string, string>>): Record<string, string | undefined> {
  const names = [...settingVariables, "DESKMAP_CWD"].filter((name) => said[name] !== undefined);
  // Unset stays unset: with an empty XDG_DATA_DIRS, GTK finds no icons and applications crash.
  return Object.fromEntries(names.map((name) => [name, said[name] === "" ? undefined : said[name]]));
}

const plainVariables = [
  ...["PATH", "LOGNAME", "USER", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "DESKTOP_SESSION", "KDE_FULL_SESSION"],
  ...["SESSION_MANAGER", "ICEAUTHORITY", "XMODIFIERS", "NO_AT_BRIDGE", "MOZ_ENABLE_WAYLAND", "LIBGL_ALWAYS_SOFTWARE"],
  // For a shared map; not passed on to programs that it opens.
  ...["PGPASSWORD", "PGPASSFILE"],
];
const plainFamilies = ["LC_", "XDG_", "DESKMAP_", "DBUS_", "GTK_", "GDK_", "QT_", "GSETTINGS_"];

/** Programs that the daemon opens for any client get them too: nothing else of a shell, such as secrets, may pass. */
export function listDaemonVariables(env: Env): Record<string, string> {
  const isPlain = (name: string): boolean =>
    deciding.includes(name) || plainVariables.includes(name) || plainFamilies.some((family) => name.startsWith(family));
  const kept = Object.entries(env).filter(([name]) => isPlain(name) && !ownVariables.includes(name));
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

let build: string | undefined;

/** Cached, since the files by which a build is identified may be replaced while the program runs. */
export function findBuild(): string {
  build ??= describeBuild();
  return build;
}

function describeBuild(): string {
  if (programs.isCompiled) return describeFile(programs.running);
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
