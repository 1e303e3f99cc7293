import { join } from "node:path";
import type { Env } from "../../model/env.ts";
import { folders } from "../../os/index.ts";
import { isShared, nameReplica } from "./shared/address.ts";

/** The path of this user's map, or of this desktop's copy of a shared map. */
export function mapPath(env: Env): string {
  return join(folders.data(env), "deskmap", isShared(env) ? nameReplica(env) : "map.db");
}
