import type { Env } from "../../model/env.ts";
import { type Result, succeed } from "../../model/failure.ts";
import { openMapStore } from "../store/open.ts";

/** Synchronises a shared map with its server. Returns a message for the user, if any. */
export async function synchronise(env: Env): Promise<Result<string | undefined>> {
  const troubles: string[] = [];
  const opened = await openMapStore(env, (why) => troubles.push(why));
  if (!opened.ok) return opened;
  const remark = (await opened.value.settle()) ?? troubles[0];
  opened.value.close();
  return succeed(remark);
}
