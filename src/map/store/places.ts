import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where the map of this user is. */
export function mapPath(env: Environment): string {
  // The XDG specification: a path that is not absolute is to be ignored.
  const isGiven = env.XDG_DATA_HOME !== undefined && isAbsolute(env.XDG_DATA_HOME);
  const data = isGiven ? env.XDG_DATA_HOME : join(env.HOME || homedir(), ".local", "share");
  return join(data ?? "", "deskmap", "map.db");
}
