import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { basename, isAbsolute, join, normalize } from "node:path";
import { type Bounds, containsBounds } from "../model/bounds.ts";
import type { SingleElement } from "../model/element.ts";
import { cleanText } from "../model/plain-text.ts";
import { entryOrIconRoles, type Role } from "../model/role.ts";
import type { Window } from "../model/window.ts";
import type { Request } from "./gate.ts";

/** File managers, and the desktops with icons that they draw. */
const managers: ReadonlySet<string> = new Set([
  ...["thunar", "xfdesktop", "pcmanfm", "pcmanfm-qt", "pcmanfm-desktop", "caja", "caja-desktop", "nemo"],
  ...["nemo-desktop", "nautilus", "org.gnome.nautilus", "nautilus-desktop", "dolphin", "org.kde.dolphin", "krusader"],
  ...["spacefm", "rox", "rox-filer", "doublecmd", "peony", "peony-qt", "peony-qt-desktop", "dde-file-manager"],
  ...["dde-desktop", "xfe", "io.elementary.files", "pantheon-files", "cosmic-files", "com.system76.cosmicfiles"],
  ...["desktopfolder", "gnome-commander", "emelfm2", "gentoo", "worker", "qtfm", "polo-gtk", "tuxcmd"],
]);

export function isFileManager({ app, aliases, class: className }: Window): boolean {
  return [app, ...aliases, className].some((name) => managers.has(name.toLowerCase()));
}

/** Controls around a list of files that do something of their own when they are pressed. */
export const controlRoles: ReadonlySet<Role> = new Set<Role>([
  ...(["button", "toggle", "switch", "checkbox", "radio", "link", "select", "slider", "spin"] as const),
  ...(["tab", "header", "menu", "menubar", "toolbar", "tablist", "statusbar", "scrollbar"] as const),
]);

function isNamedEntry({ role, name }: SingleElement): boolean {
  return entryOrIconRoles.has(role) && name !== "";
}

/** The entry that a command is for: the control itself or the one around it, with the other columns of its row. */
export function listOwnEntries({ element, within = () => [], elements = () => [] }: Request): readonly SingleElement[] {
  const path = [...within(), ...(element === undefined ? [] : [element])];
  const own = path.filter(isNamedEntry);
  const row = path.findLast(({ role }) => role === "cell" || role === "treeitem")?.bounds;
  if (row === undefined) return own;
  const around = path.findLast(({ role }) => !entryOrIconRoles.has(role))?.bounds;
  const mates = elements().filter((one) => isNamedEntry(one) && isBeside(one.bounds, row, around));
  return [...new Set([...own, ...mates])];
}

function isBeside(place: Bounds | undefined, row: Bounds, around: Bounds | undefined): boolean {
  if (place === undefined || place.y !== row.y || place.height !== row.height) return false;
  return around === undefined || containsBounds(around, place);
}

/** The selected entries of the list that has the focus; a list of places beside it has a selection of its own. */
export function listSelected({ element, elements = () => [] }: Request): readonly SingleElement[] {
  const selected = elements().filter((one) => isNamedEntry(one) && one.states.has("selected"));
  const list = element !== undefined && listRoles.has(element.role) ? element.bounds : undefined;
  if (list === undefined) return selected;
  return selected.filter(({ bounds }) => bounds !== undefined && containsBounds(list, bounds));
}

const listRoles: ReadonlySet<Role> = new Set<Role>(["list", "table", "tree", "group"]);

/** The first part of a title is the name of the folder, or its path. */
export function shownFolder({ title }: Pick<Window, "title">): string {
  return title.split(/\s[-–—|]\s/)[0]?.trim() ?? "";
}

/** The path of the folder, where a field tells it. What is typed into the field just now tells nothing. */
function listToldFolders(window: Window, { elements = () => [] }: Request): readonly string[] {
  const name = basename(shownFolder(window));
  return elements()
    .filter(({ role, states }) => role === "input" && !states.has("focused"))
    .map(({ value }) => toPath(value))
    .filter((path) => isAbsolute(path) && basename(path) === name);
}

/** Every folder that a window may show. */
export function listFolders(window: Window, request: Request): readonly string[] {
  const home = process.env.HOME ?? "";
  const shown = shownFolder(window);
  const told = listToldFolders(window, request);
  if (isAbsolute(shown)) return [shown, ...told];
  const isHome = [basename(home), "home"].includes(shown.toLowerCase());
  const isDesktop = /desktop/i.test(window.title);
  // Each folder of that name: what a field tells may have been typed there.
  const found = searchFolders(home, shown);
  return [...new Set([...told, ...(isHome ? [home] : []), ...(isDesktop ? [join(home, "Desktop")] : []), ...found])];
}

const maxSearched = 2000;
const maxDepth = 4;

/** Folders of that name below the home folder. */
function searchFolders(home: string, name: string): readonly string[] {
  const found: string[] = [];
  let level = home === "" || name === "" ? [] : [home];
  let left = maxSearched;
  for (let depth = 0; depth < maxDepth && left > 0; depth += 1) {
    const inner = level.slice(0, left).flatMap((folder) => {
      const folders = listFiles(folder).filter((one) => one.isDirectory() && !one.name.startsWith("."));
      return folders.map((one) => join(folder, one.name));
    });
    left -= level.length;
    found.push(...inner.filter((path) => basename(path) === name));
    level = inner;
  }
  return found;
}

function listFiles(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The files of a folder that a list may show by a name: spaces and invisible characters are not told, and starters have names of their own. */
export function findShown(folder: string, name: string): readonly string[] {
  const files = listFiles(folder).map((one) => one.name);
  const found = files.filter(
    (file) => file === name || cleanText(file, longestName) === name || isStarterOf(folder, file, name),
  );
  return found.map((file) => join(folder, file));
}

/** The files that a path may mean once its end has been completed. */
export function findCompletions(path: string): readonly string[] {
  const [folder, start] = [normalize(join(path, "..")), basename(path).toLowerCase()];
  if (path.endsWith("/") || start === "") return [];
  const found = listFiles(folder).filter((one) => one.name.toLowerCase().startsWith(start));
  return found.map((one) => join(folder, one.name));
}

const longestName = 1000;

function isStarterOf(folder: string, file: string, name: string): boolean {
  if (!file.toLowerCase().endsWith(".desktop")) return false;
  try {
    const lines = readFileSync(join(folder, file), "utf8").slice(0, longestStarter).split("\n");
    return lines.some((line) => cleanText(/^Name(\[[^\]]*\])?\s*=(.*)/.exec(line)?.[2] ?? "", longestName) === name);
  } catch {
    return false;
  }
}

const longestStarter = 1 << 16;

/** A text in a field of paths, as file managers read it. */
export function toPath(text: string): string {
  const home = process.env.HOME ?? "";
  const plain = decode(text.trimStart());
  return normalize(plain.replace(/^~(?=\/|$)/, home).replace(/^\$(HOME\b|\{HOME\})/, home));
}

function decode(text: string): string {
  const path = /^file:(?:\/\/(?:localhost)?(?=\/))?(.*)/is.exec(text)?.[1];
  if (path === undefined) return text;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
