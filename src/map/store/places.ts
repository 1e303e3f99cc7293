import { join } from "node:path";
import type { Env } from "../../model/env.ts";
import { folders } from "../../os/index.ts";
import { isShared, nameReplica } from "./shared/address.ts";

/** Where the map of this user is, or this desktop's copy of the one that is shared. */
export function mapPath(env: Env): string {
  return join(folders.data(env), "deskmap", isShared(env) ? nameReplica(env) : "map.db");
}
