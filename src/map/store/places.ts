import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Env } from "../../model/env.ts";
import { isShared, nameReplica } from "./shared/address.ts";

function mapFolder(env: Env): string {
  // The XDG specification: a path that is not absolute is to be ignored.
  const isGiven = env.XDG_DATA_HOME !== undefined && isAbsolute(env.XDG_DATA_HOME);
  const data = isGiven ? env.XDG_DATA_HOME : join(env.HOME || homedir(), ".local", "share");
  return join(data ?? "", "deskmap");
}

/** Where the map of this user is, or this desktop's copy of the one that is shared. */
export function mapPath(env: Env): string {
  return join(mapFolder(env), isShared(env) ? nameReplica(env) : "map.db");
}
