import type { Ref } from "../model/ref.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { Window } from "../model/window.ts";
import { describeRefs } from "./identify.ts";
import { type DescribedWindow, learnLook } from "./learn.ts";
import { allotMarks, type Showing } from "./marks.ts";
import type { MapStore } from "./store/port.ts";
import { nameWindows } from "./window-names.ts";

/**
 * The marks of what is in a snapshot, by runtime id: every one that was given before, and new ones for `wanted`. Each
 * element is described within the whole of its window, and all windows are matched together, so that what was asked for
 * never changes what is recognised. Only where they are shown may wanted ones be recognised by other words than before.
 */
export function recognise(
  marks: MapStore,
  snapshot: Snapshot,
  all: readonly Window[],
  wanted: ReadonlySet<string>,
  showing: Showing = { isShown: false },
): ReadonlyMap<string, number> {
  if (wanted.size > 0) marks.nameApplications(listNames(snapshot));
  const numbers = allotMarks(marks, describeAll(snapshot, all), wanted, showing);
  if (wanted.size > 0) learnLook(marks, describeWindows(snapshot, all), numbers);
  return numbers;
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

interface Described {
  readonly windows: readonly DescribedWindow[];
  readonly refs: readonly Ref[];
}

/** A snapshot never changes, and an action asks for the refs of the same one several times. */
const described = new WeakMap<Snapshot, Described>();

/** Every element of a snapshot as a ref. */
export function describeAll(snapshot: Snapshot, all: readonly Window[]): readonly Ref[] {
  return describe(snapshot, all).refs;
}

function describeWindows(snapshot: Snapshot, all: readonly Window[]): readonly DescribedWindow[] {
  return describe(snapshot, all).windows;
}

function describe(snapshot: Snapshot, all: readonly Window[]): Described {
  const known = described.get(snapshot);
  if (known !== undefined) return known;
  const names = nameWindows(snapshot.windows, all);
  const windows = snapshot.windows.map((read) => {
    return { read, refs: [...describeRefs(read, names.get(read.window.id) ?? []).values()] };
  });
  const made = { windows, refs: windows.flatMap(({ refs }) => refs) };
  described.set(snapshot, made);
  return made;
}
