import type { Ref } from "../model/ref.ts";
import { gatherEvidence } from "./evidence.ts";
import { hashText } from "./hash.ts";
import type { MarkStore } from "./store/port.ts";

interface Sighting {
  readonly ref: Ref;
  /** Tier by tier, strongest first. */
  readonly tiers: readonly (readonly string[])[];
}

/**
 * Gives the wanted elements their marks, by runtime id: the number each had, or a new one. `all` holds everything that was
 * read: a control that was not asked for still keeps its own mark from being taken by a newcomer in its old place.
 * The same mark is never given to two elements, and stronger evidence of one comes before weaker evidence of another.
 */
export function allotMarks(
  store: MarkStore,
  all: readonly Ref[],
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const sightings = all.map((ref): Sighting => ({ ref, tiers: gatherEvidence(ref).map((tier) => tier.map(hashText)) }));
  const known = matchKnown(store, sightings);
  const isUpToDate = sightings.every(({ ref, tiers }) => {
    const mark = known.get(ref.runtimeId);
    return (
      !wanted.has(ref.runtimeId) || (mark !== undefined && tiers.flat().every((hash) => store.findMark(hash) === mark))
    );
  });
  if (isUpToDate) return known;
  return store.inTransaction(() => {
    // Another process may have met the same controls since: look again, now that nobody else can write.
    const marks = new Map(matchKnown(store, sightings));
    for (const { ref, tiers } of sightings) {
      if (!wanted.has(ref.runtimeId)) continue;
      const mark = marks.get(ref.runtimeId) ?? store.allotMark(ref);
      marks.set(ref.runtimeId, mark);
      for (const hash of tiers.flat()) store.setEvidence(hash, mark);
    }
    return marks;
  });
}

function matchKnown(store: MarkStore, sightings: readonly Sighting[]): ReadonlyMap<string, number> {
  const marks = new Map<string, number>();
  const taken = new Set<number>();
  const tierCount = sightings[0]?.tiers.length ?? 0;
  for (let tier = 0; tier < tierCount; tier += 1) {
    for (const { ref, tiers } of sightings) {
      if (marks.has(ref.runtimeId)) continue;
      const mark = tiers[tier]?.map((hash) => store.findMark(hash)).find((one) => one !== undefined && !taken.has(one));
      if (mark === undefined) continue;
      marks.set(ref.runtimeId, mark);
      taken.add(mark);
    }
  }
  return marks;
}
