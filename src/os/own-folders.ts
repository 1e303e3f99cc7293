import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../model/env.ts";
import { folders } from "./index.ts";

/** Deskmap's folders with policy, keys, records and map; they need not exist. */
export function listPrivateFolders(env: Env): readonly string[] {
  const all = [folders.config(env), folders.state(env), folders.data(env), folders.runtime(env)];
  return all.filter((folder) => folder !== undefined).map((folder) => join(folder, "deskmap"));
}

/** These, and the one with the program that the launcher has compiled. No client writes there. */
export function listOwnFolders(env: Env): readonly string[] {
  return [...listPrivateFolders(env), join(folders.cache(env), "deskmap")];
}

/** The path without links. Its last parts need not exist. */
export function followLinks(path: string): string {
  const parts = path.split("/").filter((part) => part !== "");
  for (let count = parts.length; count > 0; count -= 1) {
    try {
      return join(realpathSync(`/${parts.slice(0, count).join("/")}`), ...parts.slice(count));
    } catch {
      // One part less.
    }
  }
  return path;
}

/** Whether a path is one of these folders or in one of them, by their names. */
export function isBelow(path: string, places: readonly string[]): boolean {
  return places.some((place) => path === place || path.startsWith(place.endsWith("/") ? place : `${place}/`));
}

/** Whether an address is that of a file in one of them, or of its source. */
export function isOwnAddress(address: string, env: Env): boolean {
  const url = address.replace(/^view-source:/i, "");
  if (!/^file:/i.test(url)) return false;
  const path = URL.parse(url)?.pathname ?? "";
  const own = listOwnFolders(env);
  return isBelow(followLinks(decodePath(path)), [...own, ...own.map(followLinks)]);
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
