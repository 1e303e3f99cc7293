import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../../../model/env.ts";
import { readText } from "../read-file.ts";
import { findProgram, listDataFolders } from "./folders.ts";

/** A desktop entry (Desktop Entry Specification). */
export interface DesktopEntry {
  /** "org.gnome.Calculator.desktop": its path below applications, with dashes. */
  readonly id: string;
  readonly path: string;
  readonly name: string;
  /** Including its localised name. */
  readonly names: readonly string[];
  readonly exec: string;
  readonly icon: string;
  readonly folder: string | undefined;
  readonly windowClass: string;
  readonly mimeTypes: readonly string[];
  readonly isTerminal: boolean;
  /** Not in menus: found by its own name, after all others. */
  readonly isHidden: boolean;
}

const suffix = ".desktop";

/** All applications that can be started; for equal ids the one in the user's folder. */
export function listDesktopEntries(env: Env): DesktopEntry[] {
  const found = new Map<string, DesktopEntry | undefined>();
  for (const folder of listDataFolders(env).map((one) => join(one, "applications"))) {
    for (const file of listFiles(folder)) {
      const id = file.replaceAll("/", "-");
      // An entry deleted by the user (Hidden) hides the system's entry.
      if (!found.has(id)) found.set(id, readEntry(id, join(folder, file), env));
    }
  }
  return [...found.values()].filter((entry) => entry !== undefined);
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(suffix));
  } catch {
    return [];
  }
}

function readEntry(id: string, path: string, env: Env): DesktopEntry | undefined {
  const values = readGroup(path, "Desktop Entry");
  const get = (key: string): string => unescapeValue(values.get(key) ?? "");
  const [exec, tryExec] = [get("Exec"), get("TryExec")];
  const isStarted = get("Type") === "Application" && exec !== "" && get("Hidden") !== "true";
  if (!isStarted || (tryExec !== "" && findProgram(tryExec, env) === undefined)) return undefined;
  const language = (env.LC_ALL || env.LC_MESSAGES || env.LANG || "").replace(/[.@].*$/, "");
  const localised = [get(`Name[${language}]`), get(`Name[${language.split("_")[0]}]`)];
  return {
    id,
    path,
    name: get("Name"),
    names: [...new Set([get("Name"), ...localised])].filter((name) => name !== ""),
    exec,
    icon: get("Icon"),
    folder: get("Path") || undefined,
    windowClass: get("StartupWMClass"),
    mimeTypes: listValues(get("MimeType")),
    isTerminal: get("Terminal") === "true",
    isHidden: get("NoDisplay") === "true",
  };
}

/** One group of a file in desktop entry format, unparsed. */
export function readGroup(path: string, group: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  let isInside = false;
  for (const line of readText(path).split("\n")) {
    const trimmed = line.trim();
    if (trimmed.startsWith("[")) isInside = trimmed === `[${group}]`;
    const at = trimmed.indexOf("=");
    if (!isInside || at < 1 || trimmed.startsWith("#")) continue;
    const key = trimmed.slice(0, at).trim();
    if (!values.has(key)) values.set(key, trimmed.slice(at + 1).trim());
  }
  return values;
}

export function listValues(text: string): string[] {
  return text.split(";").filter((value) => value !== "");
}

const escapes: Readonly<Record<string, string>> = { s: " ", n: "\n", t: "\t", r: "\r", "\\": "\\" };

function unescapeValue(text: string): string {
  return text.replace(/\\([sntr\\])/g, (_whole, letter: string) => escapes[letter] ?? "");
}
