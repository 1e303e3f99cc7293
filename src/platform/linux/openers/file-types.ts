import { closeSync, openSync, readSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Env } from "../../../model/env.ts";
import { readText } from "../read-file.ts";
import { type DesktopEntry, listValues, readGroup } from "./desktop-files.ts";
import { listConfigFolders, listDataFolders } from "./folders.ts";

const headBytes = 4096;

/** The MIME type of a file: by name (shared-mime-info's globs2), else by whether it looks like text. */
export function typeOfFile(path: string, env: Env): string {
  if (statSync(path).isDirectory()) return "inode/directory";
  return typeOfName(basename(path), env) ?? (looksLikeText(path) ? "text/plain" : "application/octet-stream");
}

function typeOfName(name: string, env: Env): string | undefined {
  let best: { readonly type: string; readonly weight: number; readonly length: number } | undefined;
  for (const folder of listDataFolders(env)) {
    for (const line of readText(join(folder, "mime", "globs2")).split("\n")) {
      const [weight = "", type = "", glob = "", flags = ""] = line.split(":");
      if (glob === "" || line.startsWith("#") || !fitsGlob(name, glob, flags.split(",").includes("cs"))) continue;
      const candidate = { type, weight: Number(weight), length: glob.length };
      const isBetter =
        best === undefined ||
        candidate.weight > best.weight ||
        (candidate.weight === best.weight && candidate.length > best.length);
      if (isBetter) best = candidate;
    }
  }
  return best?.type;
}

function fitsGlob(name: string, glob: string, isCaseSensitive: boolean): boolean {
  const [left, right] = isCaseSensitive ? [name, glob] : [name.toLowerCase(), glob.toLowerCase()];
  if (!/[*?[]/.test(right)) return left === right;
  if (right.startsWith("*") && !/[*?[]/.test(right.slice(1))) return left.endsWith(right.slice(1));
  const pattern = right
    .replace(/[.+^${}()|\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${pattern}$`, "u").test(left);
}

function looksLikeText(path: string): boolean {
  const head = readHead(path, headBytes);
  return head !== undefined && !head.includes(0);
}

export function readHead(path: string, byteCount: number): Buffer | undefined {
  try {
    const file = openSync(path, "r");
    try {
      const head = Buffer.alloc(byteCount);
      return head.subarray(0, readSync(file, head, 0, byteCount, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** The default application of a type: the user's choice, the system's, else any that supports it. */
export function findHandler(type: string, entries: readonly DesktopEntry[], env: Env): DesktopEntry | undefined {
  const lists = listAssociationFiles(env);
  for (const kind of listKinds(type, env)) {
    const chosen = lists.flatMap((path) => listValues(readGroup(path, "Default Applications").get(kind) ?? ""));
    const added = lists.flatMap((path) => listValues(readGroup(path, "Added Associations").get(kind) ?? ""));
    const removed = lists.flatMap((path) => listValues(readGroup(path, "Removed Associations").get(kind) ?? ""));
    const named = [...chosen, ...added].map((id) => entries.find((entry) => entry.id === id));
    const able = entries.filter(({ id, mimeTypes }) => mimeTypes.includes(kind) && !removed.includes(id));
    const handler = named.find((entry) => entry !== undefined) ?? able.find(({ isHidden }) => !isHidden) ?? able[0];
    if (handler !== undefined) return handler;
  }
  return undefined;
}

/** In the order of the MIME Applications Associations specification. */
function listAssociationFiles(env: Env): string[] {
  const desktops = (env.XDG_CURRENT_DESKTOP ?? "").toLowerCase().split(":").filter(Boolean);
  const names = [...desktops.map((name) => `${name}-mimeapps.list`), "mimeapps.list"];
  const folders = [...listConfigFolders(env), ...listDataFolders(env).map((folder) => join(folder, "applications"))];
  return folders.flatMap((folder) => names.map((name) => join(folder, name)));
}

/** A type and its supertypes: source code is also plain text. */
function listKinds(type: string, env: Env): string[] {
  const pairs = listDataFolders(env)
    .flatMap((folder) => readText(join(folder, "mime", "subclasses")).split("\n"))
    .map((line) => line.split(" "));
  const kinds = [type];
  for (const kind of kinds) {
    for (const [child, parent] of pairs) {
      if (child === kind && parent !== undefined && !kinds.includes(parent)) kinds.push(parent);
    }
  }
  return type.startsWith("text/") && !kinds.includes("text/plain") ? [...kinds, "text/plain"] : kinds;
}
