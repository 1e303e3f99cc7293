import type { Ref } from "../model/ref.ts";
import { type Evidence, gatherEvidence } from "./evidence.ts";
import { hashText } from "./hash.ts";
import type { MarkStore } from "./store/port.ts";

interface Sighting {
  readonly ref: Ref;
  /** Strongest first. */
  readonly hashes: readonly string[];
}

/**
 * Gives every ref its mark: the one it had, or a new number. The same mark is never given to two elements of one read,
 * and stronger evidence of one element comes before weaker evidence of another.
 */
export function allotMarks(store: MarkStore, refs: readonly Ref[]): number[] {
  const sightings = refs.map((ref): Sighting => ({ ref, hashes: listHashes(gatherEvidence(ref)) }));
  const known = matchKnown(store, sightings);
  const isNothingNew = sightings.every((sighting, index) => known[index] !== undefined && hasEvidence(store, sighting));
  if (isNothingNew) return known.map((mark) => mark ?? 0);
  return store.inTransaction(() => {
    // Another process may have met the same controls since: look again, now that nobody else can write.
    const matched = matchKnown(store, sightings);
    return sightings.map(({ ref, hashes }, index) => {
      const mark = matched[index] ?? store.allotMark(ref);
      for (const hash of hashes) store.addEvidence(hash, mark);
      return mark;
    });
  });
}

function matchKnown(store: MarkStore, sightings: readonly Sighting[]): (number | undefined)[] {
  const marks: (number | undefined)[] = sightings.map(() => undefined);
  const taken = new Set<number>();
  const strengths = Math.max(0, ...sightings.map(({ hashes }) => hashes.length));
  for (let strength = 0; strength < strengths; strength += 1) {
    sightings.forEach(({ hashes }, index) => {
      const hash = hashes[strength];
      if (marks[index] !== undefined || hash === undefined) return;
      const mark = store.findMark(hash);
      if (mark === undefined || taken.has(mark)) return;
      marks[index] = mark;
      taken.add(mark);
    });
  }
  return marks;
}

function hasEvidence(store: MarkStore, { hashes }: Sighting): boolean {
  return hashes.every((hash) => store.findMark(hash) !== undefined);
}

function listHashes({ runtime, id, look }: Evidence): string[] {
  return [runtime, id, look].filter((text) => text !== "").map(hashText);
}
