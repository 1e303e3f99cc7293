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
 * Gives every ref its mark: the one it had, or a new number. The same mark is never given to two elements of one read,
 * and stronger evidence of one element comes before weaker evidence of another.
 */
export function allotMarks(store: MarkStore, refs: readonly Ref[]): number[] {
  const sightings = refs.map(
    (ref): Sighting => ({
      ref,
      tiers: gatherEvidence(ref).map((tier) => tier.map(hashText)),
    }),
  );
  const known = matchKnown(store, sightings);
  const isNothingNew = sightings.every((sighting, index) => known[index] !== undefined && hasEvidence(store, sighting));
  if (isNothingNew) return known.map((mark) => mark ?? 0);
  return store.inTransaction(() => {
    // Another process may have met the same controls since: look again, now that nobody else can write.
    const matched = matchKnown(store, sightings);
    return sightings.map(({ ref, tiers }, index) => {
      const mark = matched[index] ?? store.allotMark(ref);
      for (const hash of tiers.flat()) store.addEvidence(hash, mark);
      return mark;
    });
  });
}

function matchKnown(store: MarkStore, sightings: readonly Sighting[]): (number | undefined)[] {
  const marks: (number | undefined)[] = sightings.map(() => undefined);
  const taken = new Set<number>();
  const tierCount = sightings[0]?.tiers.length ?? 0;
  for (let tier = 0; tier < tierCount; tier += 1) {
    for (const [index, { tiers }] of sightings.entries()) {
      if (marks[index] !== undefined) continue;
      const mark = tiers[tier]?.map((hash) => store.findMark(hash)).find((one) => one !== undefined && !taken.has(one));
      if (mark === undefined) continue;
      marks[index] = mark;
      taken.add(mark);
    }
  }
  return marks;
}

function hasEvidence(store: MarkStore, { tiers }: Sighting): boolean {
  return tiers.flat().every((hash) => store.findMark(hash) !== undefined);
}
