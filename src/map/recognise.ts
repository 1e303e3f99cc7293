import type { Ref } from "../model/ref.ts";
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
  if (wanted.size > 0) marks.nameApplications(listNames(snapshot));
  return allotMarks(marks, describeAll(snapshot, all), wanted);
}

/** Every name of the applications in a snapshot, in lower case, by the name that their refs bear. */
function listNames({ windows }: Snapshot): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const { appKey, window } of windows) {
    const own = names.get(appKey) ?? new Set([appKey.toLowerCase()]);
    for (const name of [window.app, window.class, ...window.aliases]) if (name !== "") own.add(name.toLowerCase());
    names.set(appKey, own);
  }
  return names;
}

/** A snapshot never changes, and an action asks for the refs of the same one several times. */
const described = new WeakMap<Snapshot, readonly Ref[]>();

/** Every element of a snapshot as a ref. */
export function describeAll(snapshot: Snapshot, all: readonly Window[]): readonly Ref[] {
  const known = described.get(snapshot);
  if (known !== undefined) return known;
  const names = nameWindows(snapshot.windows, all);
  const refs = snapshot.windows.flatMap((one) => [...describeRefs(one, names.get(one.window.id) ?? []).values()]);
  described.set(snapshot, refs);
  return refs;
}
