import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { basename, isAbsolute, join, normalize } from "node:path";
import type { Command } from "../../model/command.ts";
import type { SingleElement } from "../../model/element.ts";
import type { Role } from "../../model/role.ts";
import type { Window } from "../../model/window.ts";
import { quote } from "../approval/approver.ts";
import type { Request } from "../gate.ts";
import { namesOf } from "../policy/policy.ts";
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

/** File managers and the desktops with icons that they draw: opening an entry there runs it if it is a program. */
const managers: ReadonlySet<string> = new Set([
  ...[
    "thunar",
    "xfdesktop",
    "pcmanfm",
    "pcmanfm-qt",
    "pcmanfm-desktop",
    "caja",
    "caja-desktop",
    "nemo",
    "nemo-desktop",
  ],
  ...["nautilus", "org.gnome.nautilus", "nautilus-desktop", "dolphin", "org.kde.dolphin", "krusader", "spacefm", "rox"],
  ...["rox-filer", "doublecmd", "peony", "peony-qt", "peony-qt-desktop", "dde-file-manager", "dde-desktop", "xfe"],
  ...["io.elementary.files", "pantheon-files", "cosmic-files", "com.system76.cosmicfiles", "desktopfolder"],
]);

const entryRoles = new Set<Role>(["option", "treeitem", "cell", "row", "item", "icon"]);
/** What does something of its own when it is pressed. */
const ownRoles = new Set<Role>([
  ...([
    "button",
    "toggle",
    "switch",
    "checkbox",
    "radio",
    "link",
    "select",
    "slider",
    "spin",
    "tab",
    "header",
  ] as const),
  ...(["menu", "menubar", "menuitem", "toolbar", "tablist", "statusbar", "dialog", "scrollbar"] as const),
]);
const openingLabel =
  /^\W*(open|öffnen|ouvrir|abrir|apri|openen|otwórz|открыть|відкрити|otevřít|aç|打开|開啟|開く|열기)\W*$/iu;

/** Programs that would be run by opening an entry of a file manager's list, or a path in its field. */
export function findFileDangers(command: Command, request: Request): readonly Warning[] {
  const { window, element } = request;
  if (window === undefined || !namesOf(window).some((name) => managers.has(name.toLowerCase()))) return [];
  if (element?.role === "input") return judgePaths(listPaths(command, element));
  const opening = findOpening(command, element);
  if (opening === "no") return [];
  const entries = listEntries(request);
  if (entries.length === 0)
    return opening === "yes" ? [warn("what is opened there cannot be read, and may be a program")] : [];
  return entries.flatMap((entry) => judgeEntry(entry.name.trim(), window, request, opening === "yes"));
}

/** "perhaps": one click opens an entry in some file managers, and only selects it in most. */
function findOpening(command: Command, element: SingleElement | undefined): "yes" | "perhaps" | "no" {
  const isOpenLabel = element?.role === "menuitem" && openingLabel.test(element.name);
  const isOwn = element !== undefined && ownRoles.has(element.role) && !isOpenLabel;
  if (isOwn) return "no";
  switch (command.kind) {
    case "invoke":
      return isOpenLabel || /^(activate|open|press|click|double ?click|jump|do ?default)/i.test(command.action)
        ? "yes"
        : "no";
    case "click":
      if (command.button !== "left") return "no";
      return command.count > 1 || isOpenLabel ? "yes" : "perhaps";
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
  const wanted = modifiers.join();
  return (wanted === "ctrl" && key.toLowerCase() === "o") || (wanted === "alt" && /^(KP_)?Down$/.test(key));
}

/** The entry that is meant: the control itself, the one around it, or what is selected. */
function listEntries({ element, within = () => [], elements = () => [] }: Request): readonly SingleElement[] {
  const isNamed = ({ role, name }: SingleElement): boolean => entryRoles.has(role) && name !== "";
  const own = [...(element === undefined ? [] : [element]), ...within()].filter(isNamed);
  return own.length > 0 ? own : elements().filter((one) => isNamed(one) && one.states.has("selected"));
}

function judgeEntry(
  name: string,
  window: Window,
  { elements = () => [] }: Request,
  isOpened: boolean,
): readonly Warning[] {
  if (isPackage(name)) return [{ danger: "install", because: `${quote(name)} brings software` }];
  if (isScript(name)) return [warn(`${quote(name)} may be run`)];
  const fields = elements().filter(({ role, states }) => role === "input" && !states.has("focused"));
  const folders = listFolders(
    window,
    fields.map(({ value }) => value),
  );
  const kinds = folders.flatMap((folder) => findKind(join(folder, name)) ?? []);
  if (kinds.includes("program")) return [warn(`${quote(name)} is a program`)];
  return kinds.length > 0 || !isOpened ? [] : [warn(`${quote(name)} may be a program: its file is not found`)];
}

/** A path in the field of a file manager is opened by Enter. */
function listPaths(command: Command, { value }: SingleElement): readonly string[] {
  if (command.kind === "keys") return isEntering(command.combo) ? [value] : [];
  const isEntered = command.kind === "type" && /[\n\r]/.test(command.text);
  return isEntered ? command.text.split(/[\n\r]/).flatMap((line) => [line, `${value}${line}`]) : [];
}

function judgePaths(paths: readonly string[]): readonly Warning[] {
  const full = new Set(paths.map(toPath).filter(isAbsolute));
  return [...full]
    .filter((path) => isScript(path) || isPackage(path) || findKind(path) === "program")
    .map((path) => warn(`${quote(path)} may be run`));
}

function toPath(text: string): string {
  const plain = text.trim().replace(/^file:\/\/(localhost)?(?=\/)/i, "");
  return normalize(plain.replace(/^~(?=\/|$)/, process.env.HOME ?? "~"));
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

/** The folders that a window may show: its title has a folder's name, and some file managers tell its path in a field. */
function listFolders({ title }: Window, fields: readonly string[]): readonly string[] {
  const home = process.env.HOME ?? "";
  const shown = title.split(/\s[-–—]\s/)[0]?.trim() ?? "";
  const told = fields.map(toPath).filter((path) => isAbsolute(path) && basename(path) === basename(shown));
  if (told.length > 0) return told;
  if (isAbsolute(shown)) return [shown];
  const isHome = [basename(home), "home"].includes(shown.toLowerCase());
  const isDesktop = /desktop/i.test(title);
  return [...(isHome ? [home] : []), ...(isDesktop ? [join(home, "Desktop")] : []), ...searchFolders(home, shown)];
}

const maxSearched = 2000;
const maxDepth = 4;

/** Folders of that name below the home folder. */
function searchFolders(home: string, name: string): readonly string[] {
  const found: string[] = [];
  let level = home === "" || name === "" ? [] : [home];
  let left = maxSearched;
  for (let depth = 0; depth < maxDepth && left > 0; depth += 1) {
    const inner = level.slice(0, left).flatMap(listInner);
    left -= level.length;
    found.push(...inner.filter((path) => basename(path) === name));
    level = inner;
  }
  return found;
}

function listInner(folder: string): readonly string[] {
  try {
    const all = readdirSync(folder, { withFileTypes: true });
    return all.filter((one) => one.isDirectory() && !one.name.startsWith(".")).map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}
