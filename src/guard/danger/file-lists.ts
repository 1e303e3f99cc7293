import { closeSync, openSync, readSync, statSync } from "node:fs";
import { basename, isAbsolute } from "node:path";
import type { Command } from "../../model/command.ts";
import type { SingleElement } from "../../model/element.ts";
import { entryOrIconRoles, type Role } from "../../model/role.ts";
import type { Window } from "../../model/window.ts";
import { quote } from "../approval/approver.ts";
import {
  controlRoles,
  findCompletions,
  findShown,
  isFileManager,
  listFolders,
  listOwnEntries,
  listSelected,
  toPath,
} from "../file-managers.ts";
import type { Request } from "../gate.ts";
import { isEntering } from "./keys.ts";
import type { Warning } from "./match.ts";

const packages = /\.(deb|rpm|flatpak|flatpakref|flatpakrepo|snap|apk|pkg|msi|appx|msix|xpi|crx|whl|gem|vsix|oxt)$/i;
const scripts = /\.(appimage|sh|bash|zsh|fish|csh|run|bin|desktop|jar|exe|com|bat|cmd|ps1|scr|command|elf)$/i;

export function isPackage(path: string): boolean {
  return packages.test(path);
}

export function isScript(path: string): boolean {
  return scripts.test(path);
}

/** What does something of its own when it is pressed. */
const ownRoles = new Set<Role>([...controlRoles, "menuitem", "dialog"]);
const openingLabel =
  /^\W*(open|öffnen|ouvrir|abrir|apri|openen|otwórz|открыть|відкрити|otevřít|aç|打开|開啟|開く|열기)\W*$/iu;

/** Programs that would be run by opening an entry of a file manager's list, or a path in its field. */
export function findFileDangers(command: Command, request: Request): readonly Warning[] {
  const { window, element } = request;
  if (window === undefined || !isFileManager(window)) return [];
  if (command.kind === "drag") return judgeDropped(window, request);
  if (command.kind === "type" && /\t[\s\S]*[\n\r]/.test(command.text))
    return [warn("after a tab, it opens what has the focus by then, which may be a program")];
  if (element?.role === "input") return judgeField(command, element, window, request);
  if (opensTyped(command, element)) return [warn("it opens what is found by typing, which may be a program")];
  const opening = findOpening(command, request);
  if (opening === "no") return [];
  const own = listOwnEntries(request);
  const entries = own.length > 0 ? own : listSelected(request);
  if (entries.length === 0)
    return opening === "yes" ? [warn("what is opened there cannot be read, and may be a program")] : [];
  return judgeEntries(entries, window, request, opening === "yes");
}

/** In a list, letters select the entry that begins with them, and a line break opens it. */
function opensTyped(command: Command, element: SingleElement | undefined): boolean {
  const isElsewhere = element !== undefined && ownRoles.has(element.role);
  return command.kind === "type" && !isElsewhere && /[^\n\r][\n\r]/.test(command.text);
}

/** What is dropped on a program is given to it. */
function judgeDropped(window: Window, request: Request): readonly Warning[] {
  const { onto } = request;
  if (onto === undefined || !entryOrIconRoles.has(onto.role)) return [];
  const entries = listOwnEntries({ ...request, element: onto, within: undefined });
  return judgeEntries(entries, window, request, false);
}

/** "perhaps": one click opens an entry in some file managers, and only selects it in most. */
function findOpening(command: Command, request: Request): "yes" | "perhaps" | "no" {
  const { element } = request;
  if (choosesOpen(command, request)) return "yes";
  const isOpenLabel = element?.role === "menuitem" && openingLabel.test(element.name);
  const isOwn = element !== undefined && ownRoles.has(element.role) && !isOpenLabel;
  if (isOwn) return "no";
  switch (command.kind) {
    case "invoke":
      return isOpenLabel || /^(activate|open|press|click|double ?click|jump|do ?default)/i.test(command.action)
        ? "yes"
        : "no";
    case "click":
      if (command.button === "right") return "no";
      return command.count > 1 || command.button === "middle" || isOpenLabel ? "yes" : "perhaps";
    case "keys":
      return isOpeningKey(command.combo) ? "yes" : "no";
    case "type":
      return /[\n\r ]/.test(command.text) ? "yes" : "no";
    default:
      return "no";
  }
}

function isOpeningKey(combo: Extract<Command, { readonly kind: "keys" }>["combo"]): boolean {
  const { key, modifiers } = combo;
  const isSpace = key === " " || key === "space" || key === "KP_Space";
  if (isEntering(combo)) return !modifiers.includes("alt");
  if (isSpace) return modifiers.length === 0;
  return (
    (modifiers.includes("ctrl") && key.toLowerCase() === "o") || (modifiers.includes("alt") && /^(KP_)?Down$/.test(key))
  );
}

/** In an open menu, a letter may choose "Open". */
function choosesOpen(command: Command, { element, elements = () => [], tellsMenu }: Request): boolean {
  const letters = command.kind === "keys" ? command.combo.key : command.kind === "type" ? command.text : "";
  if (letters === "" || (command.kind === "keys" && [...letters].length !== 1)) return false;
  const isInMenu = element?.role === "menu" || element?.role === "menuitem" || tellsMenu?.() === true;
  const isMeant = (name: string): boolean =>
    openingLabel.test(name) && [...letters.toLowerCase()].some((letter) => name.toLowerCase().includes(letter));
  return isInMenu && elements().some(({ role, name }) => role === "menuitem" && isMeant(name));
}

function judgeEntries(
  entries: readonly SingleElement[],
  window: Window,
  request: Request,
  isOpened: boolean,
): readonly Warning[] {
  const folders = listFolders(window, request);
  const judged = entries.map(({ name }) => judgeEntry(name.trim(), folders));
  const found = judged.flatMap(({ warnings }) => warnings);
  if (found.length > 0 || !isOpened || judged.some(({ isFound }) => isFound)) return found;
  return [warn(`${quote(entries[0]?.name.trim() ?? "")} may be a program: its file is not found`)];
}

interface JudgedEntry {
  readonly warnings: readonly Warning[];
  /** Whether there is a file of that name; the other columns of a row have none. */
  readonly isFound: boolean;
}

function judgeEntry(name: string, folders: readonly string[]): JudgedEntry {
  if (isPackage(name))
    return { warnings: [{ danger: "install", because: `${quote(name)} brings software` }], isFound: true };
  if (isScript(name)) return { warnings: [warn(`${quote(name)} may be run`)], isFound: true };
  const paths = folders.flatMap((folder) => findShown(folder, name));
  const isRun = paths.some((path) => isScript(path) || findKind(path) === "program");
  return { warnings: isRun ? [warn(`${quote(name)} is a program`)] : [], isFound: paths.length > 0 };
}

/** Enter in a field opens the path in it, or the entry that was found by what was typed into it. */
function judgeField(command: Command, element: SingleElement, window: Window, request: Request): readonly Warning[] {
  const texts = listEntered(command, element);
  const isInDialog = (request.within?.() ?? []).some(({ role }) => role === "dialog");
  return texts.flatMap((text) => {
    if (isPath(text)) return judgePath(text);
    if (isInDialog || text.trim() === "") return [];
    const folders = listFolders(window, request);
    const meant = folders.flatMap((folder) => findCompletions(`${folder}/${text.trim()}`));
    const selected = judgeEntries(listSelected({ ...request, element: undefined }), window, request, false);
    return [
      ...selected,
      ...meant.filter(isRunning).map((path) => warn(`${quote(basename(path))} may be opened by it`)),
    ];
  });
}

function listEntered(command: Command, { value }: SingleElement): readonly string[] {
  if (command.kind === "keys") return isEntering(command.combo) ? [value] : [];
  const isEntered = command.kind === "type" && /[\n\r]/.test(command.text);
  return isEntered ? command.text.split(/[\n\r]/).flatMap((line) => [line, `${value}${line}`]) : [];
}

function isPath(text: string): boolean {
  return /^\s*([/~$]|[a-z][a-z+.-]*:\S)/i.test(text);
}

/** Places of the desktop that are addresses; programs are in none of them. */
const place = /^\s*(trash|network|computer|recent|desktop|favorites|menu|burn|starred|other-locations):\/*\s*$/i;

/** What is not understood may be a program's path all the same: with a variable, another scheme or another user's home. */
function judgePath(text: string): readonly Warning[] {
  if (place.test(text)) return [];
  const path = toPath(text);
  if (!isAbsolute(path) || path.includes("$")) return [warn(`${quote(text)} may lead to a program`)];
  const meant = [path, path.trimEnd()].filter((one) => findKind(one) !== undefined);
  const found = meant.length > 0 && !path.endsWith(" ") ? meant : [...meant, ...findCompletions(path.trimEnd())];
  return found.filter(isRunning).map((one) => warn(`${quote(one)} may be run`));
}

function isRunning(path: string): boolean {
  return isPackage(path) || isScript(path) || findKind(path) === "program";
}

function warn(because: string): Warning {
  return { danger: "run-program", because };
}

/** Undefined if there is nothing of that name. */
function findKind(path: string): "program" | "other" | undefined {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) return "other";
    return (stat.mode & 0o111) !== 0 && hasProgramHead(path) ? "program" : "other";
  } catch {
    return undefined;
  }
}

const headBytes = 4;

/** On some file systems every document is executable; only programs begin like this. */
function hasProgramHead(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(headBytes);
    const text = head.toString("latin1", 0, readSync(file, head, 0, headBytes, 0));
    return text.startsWith("\x7fELF") || text.startsWith("#!");
  } finally {
    closeSync(file);
  }
}
