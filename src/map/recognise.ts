import type { Element } from "../model/element.ts";
import type { Ref } from "../model/ref.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { isSeenSource } from "../model/source.ts";
import { describeRefs, nameWindows } from "./identify.ts";
import { type DescribedWindow, learnFromRead } from "./learn.ts";
import { allotMarks } from "./marks.ts";
import type { MapStore } from "./store/port.ts";

/**
 * Returns the marks of a snapshot's elements by handle: all known ones, and new ones for `wanted`. Every element is
 * described within its whole window and all windows are matched together, so the choice of `wanted` does not influence
 * recognition. Controls are recognised under a new name only if the result is shown to the caller (`isShown`).
 */
export function recognise(
  marks: MapStore,
  snapshot: Snapshot,
  wanted: ReadonlySet<string>,
  isShown = false,
): ReadonlyMap<string, number> {
  if (wanted.size > 0) marks.nameApplications(listNames(snapshot));
  const numbers = allotMarks(marks, describe(snapshot).refs, wanted, isShown);
  if (wanted.size > 0) {
    learnFromRead(marks, describe(snapshot).windows, numbers);
    for (const app of listPictured(snapshot)) marks.dropUnusedPlaces(app, maxUnused);
  }
  return numbers;
}

/** Of what only pictures showed and nobody used, the last so many are kept of each application: terminals scroll for ever. */
const maxUnused = 300;

function listPictured({ windows }: Snapshot): ReadonlySet<string> {
  const isPictured = (root: Element): boolean =>
    isSeenSource(root.source) || root.children.some(({ source }) => isSeenSource(source));
  return new Set(windows.filter(({ root }) => root !== undefined && isPictured(root)).map(({ appKey }) => appKey));
}

/** All names of the applications in a snapshot, in lower case, by the name used in refs. */
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

/** Snapshots are immutable, and one action asks for the refs of the same one several times. */
const described = new WeakMap<Snapshot, Described>();

export function describeAll(snapshot: Snapshot): readonly Ref[] {
  return describe(snapshot).refs;
}

function describe(snapshot: Snapshot): Described {
  const known = described.get(snapshot);
  if (known !== undefined) return known;
  const names = nameWindows(snapshot.windows, snapshot.all);
  const windows = snapshot.windows.map((read) => {
    return { read, refs: [...describeRefs(read, names.get(read.window.id) ?? []).values()] };
  });
  const made = { windows, refs: windows.flatMap(({ refs }) => refs) };
  described.set(snapshot, made);
  return made;
}
