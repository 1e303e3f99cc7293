import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findPlaces } from "../guard/places.ts";
import { hashText } from "../model/hash.ts";

type Env = Readonly<Record<string, string | undefined>>;

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
export const ownVariables = ["DESKMAP_CLIENT", "DESKMAP_READ_ONLY", "DESKMAP_DAEMON", "DESKMAP_TURN", "DESKMAP_DEBUG"];

const mannerVariables = [
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
export function readDaemonWish(env: Env): "never" | "use" | "start" {
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

/** Where the daemon of a desktop is, if there is one. */
export function findDaemonPlace(env: Env): DaemonPlace {
  const own = Object.keys(env).filter((name) => name.startsWith("DESKMAP_") && !ownVariables.includes(name));
  const said = [...deciding, ...own.toSorted()].map((name) => `${name}=${env[name] ?? ""}`).join("\0");
  const name = BigInt.asUintN(64, BigInt(hashText(said)))
    .toString(16)
    .padStart(16, "0");
  const runtime = env.XDG_RUNTIME_DIR;
  const folder =
    runtime?.startsWith("/") === true && existsSync(runtime)
      ? join(runtime, "deskmap")
      : join(findPlaces(env).state, "run");
  return { folder, socket: join(folder, `${name}.sock`), lock: join(folder, `${name}.lock`) };
}

export function listManners(env: Env): Record<string, string> {
  return Object.fromEntries(mannerVariables.flatMap((name) => [[name, env[name] ?? ""] as const]));
}

// Bun's name for the files inside a compiled executable.
const compiledPrefix = "/$bunfs/";

function isCompiled(): boolean {
  return new URL(import.meta.url).pathname.startsWith(compiledPrefix);
}

/** How this program is started once more. */
export function findProgram(): readonly [string, ...string[]] {
  return isCompiled() ? [process.execPath] : [process.execPath, ...plainly, findEntry()];
}

// What lies about in the folder where a command is called is not read.
const plainly = ["--no-env-file", "--config=/dev/null"];

function findEntry(): string {
  const source = fileURLToPath(new URL("../cli/main.ts", import.meta.url));
  // A bundle knows where its source was, and starts in half the time.
  return Bun.main.endsWith(".ts") && existsSync(source) ? source : Bun.main;
}

/** Which build this program is: the very file of an executable; of source, the newest of its files. */
export function findBuild(): string {
  if (isCompiled()) return describeFile(process.execPath);
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
  const { dev, ino, size, mtimeMs } = statSync(path);
  return [path, dev, ino, size, mtimeMs].join(" ");
}
