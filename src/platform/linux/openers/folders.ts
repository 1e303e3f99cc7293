import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { Env } from "../../../model/env.ts";
import { folders } from "../../../os/index.ts";

/** XDG base directory specification: relative paths must be ignored. */
function listFolders(value: string | undefined, fallback: string): string[] {
  return (value || fallback).split(delimiter).filter(isAbsolute);
}

export function listDataFolders(env: Env): string[] {
  return [folders.data(env), ...listFolders(env.XDG_DATA_DIRS, "/usr/local/share:/usr/share")];
}

export function listConfigFolders(env: Env): string[] {
  return [folders.config(env), ...listFolders(env.XDG_CONFIG_DIRS, "/etc/xdg")];
}

export function findProgram(name: string, env: Env): string | undefined {
  if (isAbsolute(name)) return isProgram(name) ? name : undefined;
  if (name.includes("/")) return undefined;
  return listPathFolders(env)
    .map((folder) => join(folder, name))
    .find(isProgram);
}

/** The names of all programs in PATH. */
export function listPrograms(env: Env): string[] {
  return [...new Set(listPathFolders(env).flatMap(listNames))];
}

function listPathFolders(env: Env): string[] {
  return (env.PATH ?? "").split(delimiter).filter(isAbsolute);
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
