import { basename, dirname, join, normalize } from "node:path";
import type { SingleElement } from "../model/element.ts";
import type { Window } from "../model/window.ts";
import { followLinks, isOwnAddress, listOwnFolders } from "../os/own-folders.ts";
import { findShown, isFileManager, listFolders, shownFolder } from "./file-managers.ts";
import type { Request } from "./gate.ts";
import { isOwnPlace } from "./places.ts";

/** The application that windows with one of Deskmap's own files or folders count as, besides their own. */
export const ownFilesApp = "own files of deskmap";

/** Names that other programs hardly use. */
const distinct = String.raw`policy\.seal|seal\.key|pin-tries\.json|secrets\.env|audit\.(\d+\.)?(jsonl|key|head)|inspect-\d+\.html`;
const names = String.raw`(${distinct}|policy\.json|pin\.json|ledger\.json|stopped\.json)`;
const file = new RegExp(String.raw`\bdeskmap/+(${names}|audit\b|turn\.json|[\w-]+\.lock|surfaces\b)`, "i");
const entry = new RegExp(`^${names}$`, "i");
/** Editors put the path into the title, the name and then the folder, or the name alone; file managers the folder. */
const title = new RegExp(
  String.raw`\b${names}.*\bdeskmap\b|\bdeskmap/+${names}|(^|/)\W*(${distinct})\W*(\s[-–—|•(]|$)|\.(config|local/+(state|share))/+deskmap\b`,
  "i",
);

/** Whether a window shows one of them, or their folder. A file manager's title has the name of the folder alone. */
export function isOwnWindow(window: Window): boolean {
  return isOwnTitle(window.title) || (isFileManager(window) && listOwnNames().has(shownFolder(window)));
}

function listOwnNames(): ReadonlySet<string> {
  return new Set(listOwnFolders(process.env).map((folder) => basename(folder)));
}

/** Whether a document that a page or an editor shows is one of them, by its address. */
export function isOwnDocument({ url }: Pick<SingleElement, "url">): boolean {
  return url !== "" && isOwnAddress(url, process.env);
}

const anyDistinct = new RegExp(`^(${distinct})$`, "i");

/** Whether an entry of a file manager's list may be one of them, their folder, or a link to it. */
export function isOwnListed(name: string, window: Window, request: Request): boolean {
  if (anyDistinct.test(name)) return true;
  const parent = basename(shownFolder(window));
  const own = listOwnFolders(process.env);
  if (own.some((folder) => basename(folder) === name && basename(dirname(folder)) === parent)) return true;
  const folders = listFolders(window, request);
  if (folders.some((folder) => isOwnPlace(followLinks(join(folder, name)), process.env))) return true;
  // A list of what was searched for does not tell its folders.
  const isKnown = folders.some((folder) => findShown(folder, name).length > 0);
  return !isKnown && (listOwnNames().has(name) || entry.test(name));
}

/** Whether one of their folders is in the folder that a window shows. */
export function isBesideOwn(window: Window): boolean {
  const parents = listOwnFolders(process.env).map((folder) => basename(dirname(folder)));
  return parents.includes(basename(shownFolder(window)));
}

function isOwnTitle(text: string): boolean {
  return title.test(normalizePath(text)) || (/[/~]/.test(text) && text.split(titleParts).some(leadsIntoOwnFolder));
}

/** A title has a path before the name of the application, or a folder in brackets. */
const titleParts = /\s+[-–—|•]\s+|[()[\]*]+/;

function leadsIntoOwnFolder(text: string): boolean {
  const path = normalizePath(text.trim());
  return path.startsWith("/") && isOwnPlace(followLinks(path), process.env);
}

/** Whether a text is or contains a path into Deskmap's own folders, however it is written. */
export function namesOwnFile(text: string): boolean {
  return text.split(/[\n\r\t"']+/).some((part) => {
    return file.test(normalizePath(part.trim())) || leadsIntoOwnFolder(part);
  });
}

/** Whether an entry of a list is one of the files, if its folder is shown around it. */
export function isOwnEntry(name: string, around: () => readonly string[]): boolean {
  return entry.test(name) && around().some((text) => /^(deskmap|.*\/deskmap\/?)$/i.test(text));
}

/** Whether a name in a file dialog may lead there. A dialog does not tell every folder in full, so names alone count. */
export function mayNameOwnFile(name: string): boolean {
  const path = normalizePath(name.trim());
  if (path === "." || path.startsWith("/")) return leadsIntoOwnFolder(path);
  const isOwn = path.split("/").some((part) => /^deskmap$/i.test(part) || entry.test(part));
  return isOwn || leadsIntoOwnFolder(`~/${path}`);
}

const longestPath = 4096;

function normalizePath(text: string): string {
  if (text.length > longestPath) return text;
  const plain = decode(text.replace(/^file:(\/\/(localhost)?(?=\/))?(?=\/)/i, ""));
  const home = process.env.HOME ?? "";
  return normalize(plain.replace(/^~(?=\/|$)/, home).replace(/^\$\{?HOME\}?(?=\/|$)/, home));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
