import { readFileSync, writeFileSync } from "node:fs";
import { release } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { findHost } from "../client/connect.ts";
import { findBuild } from "../client/connect-place.ts";
import { findPlaces } from "../guard/places.ts";
import { loadPolicy } from "../guard/policy/file.ts";
import { openSession } from "../host/session.ts";
import { codeOf, messageOf } from "../model/caught.ts";
import type { Env } from "../model/env.ts";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import { Trace, traceProcess } from "../model/trace.ts";
import type { Window } from "../model/window.ts";
import { folders } from "../os/index.ts";
import { isInsideSandbox } from "../sandbox/inside.ts";
import { keepMap } from "../server/keeping.ts";
import type { Bundle } from "../show/checks.ts";
import { toChromeTrace } from "../show/trace.ts";
import { toolEntries } from "../tools/index.ts";
import { performTool } from "../tools/perform.ts";
import type { Session } from "../tools/session.ts";
import { findOutputFile } from "./output-file.ts";

const daemonLogLines = 100;

/** The parts of a bundle, as they are described to the person who sends it. */
const parts = {
  deskmap: "version, build, system",
  environment: "variables of the desktop, by name; values only of harmless ones",
  checks: "what deskmap doctor says",
  windows: "application, class, place and state of each window; no titles",
  daemon: "what the running daemon says of itself",
  daemonLog: `the last ${daemonLogLines} lines of its log`,
  map: "how much is remembered; no names",
  policy: "whether there is one, and how many rules it has",
  traceEvents: "how long a read took, and what was asked for it (Perfetto opens this file)",
} as const;

/** Writes what a bug report needs to a new file that only its user can read. */
export async function writeBundle(env: Env, file: string, timeoutMs: number): Promise<Result<Bundle>> {
  const place = findOutputFile("--bundle", file, { what: "a new file", start: undefined });
  if (!place.ok) return place;
  const session = openSession(env, timeoutMs);
  try {
    const { windows, error } = await listWindows(session);
    const data: Readonly<Record<keyof typeof parts, unknown>> = {
      deskmap: { version: packageJson.version, build: findBuild(), bun: Bun.version, system: describeSystem() },
      environment: describeVariables(env),
      checks: await session.diagnose(false),
      windows: error ?? windows.map(describeWindow),
      daemon: await describeDaemon(env),
      daemonLog: readDaemonLog(env),
      map: await describeMap(env),
      policy: await describePolicy(env),
      traceEvents: await traceRead(env, session),
    };
    const secrets = [...listSecretValues(env), ...windows.map(({ title }) => title)];
    const clean = maskSecrets(data, secrets, folders.home(env));
    return write(place.value, clean);
  } finally {
    session.close();
  }
}

function write(file: string, data: unknown): Result<Bundle> {
  const sections = Object.entries(data ?? {}).map(([name, value]) => {
    return { name, holds: String(Reflect.get(parts, name)), text: `${JSON.stringify(name)}:${JSON.stringify(value)}` };
  });
  try {
    writeFileSync(file, `{${sections.map(({ text }) => text).join(",\n")}}\n`, { flag: "wx", mode: 0o600 });
  } catch (error) {
    const isThere = codeOf(error) === "EEXIST";
    const why = isThere ? "is there already" : `cannot be written: ${messageOf(error)}`;
    return fail(describeUsage(`--bundle "${file}" ${why}`, "give a new name."));
  }
  return succeed({ file, parts: sections.map(({ name, holds, text }) => ({ name, holds, bytes: text.length })) });
}

async function listWindows(
  session: Session,
): Promise<{ readonly windows: readonly Window[]; readonly error?: string }> {
  const platform = await session.openPlatform();
  if (!platform.ok) return { windows: [], error: platform.failure.code };
  const list = await platform.value.listWindows();
  return list.ok ? { windows: list.value.windows } : { windows: [], error: list.failure.code };
}

/** An allow-list: new properties of windows are not included by themselves. */
function describeWindow(window: Window): object {
  const { id, app, pid, class: className, bounds, isFocused, state, monitor, zOrder, title } = window;
  return { id, app, pid, class: className, bounds, isFocused, state, monitor, zOrder, titleLength: title.length };
}

function describeSystem(): string {
  const name = /^PRETTY_NAME="?([^"\n]*)/m.exec(readOr("/etc/os-release", ""))?.[1] ?? "unknown";
  return `${name}, kernel ${release()}, ${process.arch}`;
}

async function describeDaemon(env: Env): Promise<unknown> {
  const host = await findHost(env);
  if (host === undefined) return "none of this build runs";
  try {
    return await host.status();
  } finally {
    await host.close();
  }
}

function readDaemonLog(env: Env): readonly string[] {
  const text = readOr(join(findPlaces(env).state, "daemon.log"), "");
  return text.trimEnd().split("\n").slice(-daemonLogLines);
}

async function describeMap(env: Env): Promise<unknown> {
  const ignoreRemark = (): void => {};
  const read = await keepMap(env, ignoreRemark, async (keeper) => succeed(await keeper?.readFigures()));
  if (!read.ok) return read.failure.code;
  const { apps = [], targetCount = 0, placeCount = 0, lastMark = 0, bytes = 0, reliability = [] } = read.value ?? {};
  return { apps: apps.length, targets: targetCount, places: placeCount, lastMark, bytes, reliability };
}

async function describePolicy(env: Env): Promise<unknown> {
  const loaded = await loadPolicy(findPlaces(env), isInsideSandbox(env));
  if (!loaded.ok) return loaded.failure.code;
  const { common, written } = loaded.value;
  const { actionsPerMinute, sensitive, isReadOnly, standings, rules } = common;
  const own = { hasFile: written !== undefined, isPrivate: loaded.value.isPrivate };
  return { ...own, actionsPerMinute, sensitive, isReadOnly, standings: standings.size, rules: rules.length };
}

/** Traces a read in this process, and one by the daemon if it runs. Their answers are not kept. */
async function traceRead(env: Env, session: Session): Promise<unknown> {
  const prepared = (await toolEntries.find(({ name }) => name === "read")?.load())?.prepare({});
  const trace = new Trace();
  traceProcess(trace);
  try {
    if (prepared?.ok === true) await performTool(prepared.call, session, { formats: [], isPretty: false });
    const host = await findHost(env);
    await host?.call({ tool: "read", input: {}, formats: [] });
    await host?.close();
  } finally {
    traceProcess(undefined);
  }
  return JSON.parse(toChromeTrace(trace.take(), new Map([[process.pid, "deskmap doctor"]]))).traceEvents;
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return otherwise;
  }
}

/** Variables whose values describe a desktop and not its user. */
const shownVariables = [
  ...["DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP", "DESKTOP_SESSION", "LANG", "LC_ALL"],
  ...["LC_MESSAGES", "GDK_BACKEND", "GDK_SCALE", "GTK_MODULES", "GTK_THEME", "QT_QPA_PLATFORM", "QT_SCALE_FACTOR"],
  ...["QT_ACCESSIBILITY", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "GNOME_ACCESSIBILITY", "NO_AT_BRIDGE"],
  ...["MOZ_ENABLE_WAYLAND", "DESKMAP_DAEMON", "DESKMAP_LOG", "DESKMAP_VISION", "DESKMAP_READ_ONLY"],
];
/** Of these, only the names are shown; all others are left out. */
const namedFamilies = /^(DESKMAP|XDG|GTK|GDK|QT|DBUS|AT_SPI|LC|MOZ)_/;
/** Shorter values, such as "1" or "yes", are in every text and reveal nothing. */
const shortestSecret = 6;
const masked = "[masked]";

export function describeVariables(env: Env): Readonly<Record<string, string>> {
  const shown = Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (shownVariables.includes(name)) return [[name, value] as const];
    return namedFamilies.test(name) ? [[name, "set"] as const] : [];
  });
  return Object.fromEntries(shown.toSorted(([a], [b]) => a.localeCompare(b)));
}

/** Masks secrets in all texts. No part of a bundle should have any; paths, error messages and applications may bring them in. */
export function maskSecrets(data: unknown, secrets: readonly string[], home: string): unknown {
  const long = secrets.filter((secret) => secret.trim().length >= shortestSecret);
  const sought = [...new Set(long)].toSorted((a, b) => b.length - a.length);
  const mask = (text: string): string => {
    const plain = home.length > 1 ? text.replaceAll(home, "~") : text;
    return sought.reduce((rest, secret) => rest.replaceAll(secret, masked), plain);
  };
  const visit = (value: unknown): unknown => {
    if (typeof value === "string") return mask(value);
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, visit(one)]));
  };
  return visit(data);
}

/** The values of variables that are not shown, except paths and programs. */
export function listSecretValues(env: Env): readonly string[] {
  const harmless = /^(PATH|HOME|PWD|OLDPWD|SHELL|TERM|TMPDIR|XDG_.*_(HOME|DIRS?))$/;
  const hidden = Object.entries(env).filter(([name]) => !shownVariables.includes(name) && !harmless.test(name));
  return hidden.flatMap(([, value]) => (value === undefined ? [] : [value]));
}
