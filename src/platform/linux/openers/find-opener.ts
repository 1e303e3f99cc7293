import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Env } from "../../../model/env.ts";
import { fail, makeFailure, type Result, succeed } from "../../../model/failure.ts";
import type { Opener } from "../../../model/opener.ts";
import { quoteText } from "../../../model/plain-text.ts";
import { user } from "../../../os/index.ts";
import { type DesktopEntry, listDesktopEntries } from "./desktop-files.ts";
import { expandExec, type OpenTarget } from "./exec-line.ts";
import { findHandler, readHead, typeOfFile } from "./file-types.ts";
import { findProgram, isProgram, listPrograms } from "./folders.ts";

interface Wanted {
  readonly what: string;
  readonly args: readonly string[];
  readonly env: Env;
  readonly cwd: string;
  readonly entries: readonly DesktopEntry[];
}

/**
 * Resolves what to open, in this order: a URL by its scheme's handler, a path as a file or program, a name as an
 * application, as a program in PATH, as a local file. If nothing matches, `nearest` holds all known names.
 */
export function findOpener(what: string, args: readonly string[], env: Env, cwd: string): Result<Opener> {
  const wanted: Wanted = { what, args, env, cwd, entries: listDesktopEntries(env) };
  const found = openAddress(wanted) ?? openPath(wanted) ?? openName(wanted) ?? refuse(wanted);
  return found.ok ? succeed({ ...found.value, cwd: found.value.cwd ?? cwd }) : found;
}

function openAddress(wanted: Wanted): Result<Opener> | undefined {
  const { what, cwd } = wanted;
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(what)?.[1]?.toLowerCase();
  if (scheme === undefined || existsSync(resolve(cwd, what))) return undefined;
  if (scheme === "file") return openFile(wanted, toPath(what));
  return handle(wanted, `x-scheme-handler/${scheme}`, { url: what }, `the address ${what}`);
}

/** A URL of another machine, or an invalid one, is no local file; its text says so. */
function toPath(address: string): string {
  try {
    return fileURLToPath(address);
  } catch {
    return address;
  }
}

function openPath(wanted: Wanted): Result<Opener> | undefined {
  const { what, cwd } = wanted;
  if (!what.includes("/")) return undefined;
  const path = resolve(cwd, what);
  return isProgram(path) && isExecutableFormat(path) ? startProgram(wanted, path) : openFile(wanted, path);
}

/** On some file systems every document is executable; only programs have these magic numbers. */
function isExecutableFormat(path: string): boolean {
  const head = readHead(path, 4)?.toString("latin1") ?? "";
  return head.startsWith("\x7fELF") || head.startsWith("#!");
}

function openName(wanted: Wanted): Result<Opener> | undefined {
  const { what, env, cwd } = wanted;
  const entry = findEntry(wanted);
  if (entry !== undefined) return startEntry(wanted, entry, undefined);
  const name = findProgram(what, env) === undefined ? what.toLowerCase() : what;
  const program = findProgram(name, env);
  if (program !== undefined) return startProgram(wanted, program);
  return existsSync(resolve(cwd, what)) ? openFile(wanted, resolve(cwd, what)) : undefined;
}

/** By id, name, last part of the id, or program, ignoring case. */
function findEntry({ what, entries }: Wanted): DesktopEntry | undefined {
  const sought = what.toLowerCase();
  const shown = entries.toSorted((a, b) => Number(a.isHidden) - Number(b.isHidden));
  const aspects: readonly ((entry: DesktopEntry) => readonly string[])[] = [
    ({ id }) => [id, bareId(id)],
    ({ names }) => names,
    ({ id }) => [bareId(id).split(".").at(-1) ?? ""],
    (entry) => [basename(programOf(entry))],
  ];
  for (const namesOf of aspects) {
    const found = shown.find((entry) => namesOf(entry).some((name) => name.toLowerCase() === sought));
    if (found !== undefined) return found;
  }
  return undefined;
}

function openFile(wanted: Wanted, path: string): Result<Opener> {
  if (!existsSync(path)) {
    const suggestion = "check the path; an application is named without slashes.";
    return fail(makeFailure("NOT_FOUND", `no file ${path}`, suggestion));
  }
  return handle(wanted, typeOfFile(path, wanted.env), { path }, `the file ${path}`);
}

function handle(wanted: Wanted, type: string, target: OpenTarget, words: string): Result<Opener> {
  const handler = findHandler(type, wanted.entries, wanted.env);
  if (handler !== undefined) return startEntry(wanted, handler, target, `${words} (${type})`);
  return fail(
    makeFailure(
      "UNAVAILABLE",
      `no application here opens ${words}: none is set for ${type}`,
      `deskmap open APP -- ${target.path ?? target.url}, or: xdg-mime default APP.desktop ${type}`,
    ),
  );
}

const terminals = ["x-terminal-emulator", "xfce4-terminal", "gnome-terminal", "konsole", "xterm"];

function startEntry(wanted: Wanted, entry: DesktopEntry, target: OpenTarget | undefined, words = ""): Result<Opener> {
  const { what, args, env } = wanted;
  const [name = "", ...rest] = expandExec(entry, target);
  const program = findProgram(name, env);
  const terminal = terminals.map((one) => findProgram(one, env)).find((path) => path !== undefined);
  const missing = program === undefined ? name : entry.isTerminal && terminal === undefined ? "a terminal" : undefined;
  if (program === undefined || missing !== undefined) {
    const message = `${entry.name} (${entry.id}) needs ${missing}, which is not installed`;
    return fail(makeFailure("UNAVAILABLE", message, "install it, or name another application."));
  }
  const command = [program, ...rest, ...args];
  const application = `the application ${quoteText(entry.name)} (${entry.id})`;
  const started = entry.isTerminal && terminal !== undefined ? [program, terminal] : [program];
  return succeed({
    what,
    kind: isInstalled(entry) && started.every(isPackaged) ? "application" : "program",
    args,
    path: target?.path,
    desktopId: entry.id,
    words: words === "" ? application : `${words} with ${application}`,
    command: entry.isTerminal && terminal !== undefined ? [terminal, "-e", ...command] : command,
    cwd: entry.folder,
    names: toNames(
      [...entry.names, bareId(entry.id), entry.windowClass, bareId(entry.id).split(".").at(-1) ?? ""],
      started,
    ),
  });
}

/** Installed by system packages; an entry in the user's folder may come from anyone. */
function isInstalled({ path }: DesktopEntry): boolean {
  return /^\/(usr|opt|var\/lib\/(flatpak|snapd))\//.test(path) && !isWritableByUser(path);
}

/** What a search path finds in another folder may come from anyone, too, under the name of an installed program. */
function isPackaged(program: string): boolean {
  return /^\/(usr|opt|s?bin|snap|var\/lib\/(flatpak|snapd))\//.test(program) && !isWritableByUser(program);
}

/** Root can write every file: then only the folder decides. */
function isWritableByUser(path: string): boolean {
  if (user.id() === 0) return false;
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function startProgram({ what, args }: Wanted, path: string): Result<Opener> {
  return succeed({
    what,
    kind: "program",
    args,
    path,
    words: `the program ${path}`,
    command: [path, ...args],
    names: toNames([], [path]),
  });
}

function toNames(words: readonly string[], programs: readonly string[]): string[] {
  const files = programs.flatMap((path) => [basename(path), basename(realpathSync(path))]);
  return [...new Set([...words, ...files].map((name) => name.toLowerCase()).filter((name) => name !== ""))];
}

function refuse({ what, entries, env }: Wanted): Result<Opener> {
  return fail(
    makeFailure(
      "NOT_FOUND",
      `no application, program or file named "${what}"`,
      "check the spelling, give a path with a slash, or install it.",
      { nearest: [...entries.filter(({ isHidden }) => !isHidden).flatMap(({ names }) => names), ...listPrograms(env)] },
    ),
  );
}

function bareId(id: string): string {
  return id.replace(/\.desktop$/, "");
}

/** An entry with arguments of its own is not identified by its program: "sh" is none of the scripts it runs. */
function programOf(entry: DesktopEntry): string {
  const [program = "", ...words] = expandExec(entry, undefined);
  return words.length === 0 ? program : "";
}
