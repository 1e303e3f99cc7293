import type { Snapshot } from "../model/snapshot.ts";
import type { Window } from "../model/window.ts";
import { describeRefs } from "./identify.ts";
import { allotMarks } from "./marks.ts";
import type { MarkStore } from "./store/port.ts";
import { nameWindows } from "./window-names.ts";

/**
 * The marks of what is in a snapshot, by runtime id: every one that was given before, and new ones for `wanted`. Each
 * element is described within the whole of its window, and all windows are matched together, so that what was asked for
 * never changes what is recognised.
 */
export function recognise(
  marks: MarkStore,
  snapshot: Snapshot,
  all: readonly Window[],
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const names = nameWindows(snapshot.windows, all);
  const refs = snapshot.windows.flatMap((one) => [...describeRefs(one, names.get(one.window.id) ?? []).values()]);
  return allotMarks(marks, refs, wanted);
}
