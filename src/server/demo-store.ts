import { join } from "node:path";
import { DemoStore } from "../demo/store.ts";
import type { Env } from "../model/env.ts";
import { folders } from "../os/index.ts";

/** The demos of this user. */
export function openDemoStore(env: Env): DemoStore {
  return new DemoStore(join(folders.data(env), "deskmap", "demos"));
}
