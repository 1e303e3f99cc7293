import { broken, type Check, ok } from "../../model/check.ts";
import { mapPath } from "../store/places.ts";

/** Whether the map can be used, for `deskmap doctor`. */
export async function examineMap(env: Readonly<Record<string, string | undefined>>): Promise<Check> {
  const { openMapStore } = await import("../store/open.ts");
  const troubles: string[] = [];
  const store = await openMapStore(env, (why) => troubles.push(why));
  if (!store.ok) return broken("map", store.failure.message, store.failure.suggestion ?? "");
  const [count, remark] = [store.value.countMarks(), await store.value.settle()];
  store.value.close();
  const [trouble] = troubles;
  if (trouble !== undefined) return broken("map", trouble, "make its folder writable, and room on the disk.");
  if (remark !== undefined) return broken("map", remark, "start the server that keeps it, or correct DESKMAP_MAP.");
  const path = mapPath(env);
  return ok("map", `${path}, ${count} ${count === 1 ? "mark" : "marks"}`);
}
