import type { Env } from "../../model/env.ts";
import { type Result, succeed } from "../../model/failure.ts";
import { openMapStore } from "../store/open.ts";

/** Of a map that is shared: tells what was done here, hears from the others, and returns what a person should know. */
export async function meetOthers(env: Env): Promise<Result<string | undefined>> {
  const troubles: string[] = [];
  const opened = await openMapStore(env, (why) => troubles.push(why));
  if (!opened.ok) return opened;
  const remark = (await opened.value.settle()) ?? troubles[0];
  opened.value.close();
  return succeed(remark);
}
