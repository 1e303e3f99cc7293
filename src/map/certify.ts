import { hashText } from "../model/hash.ts";
import type { Ref } from "../model/ref.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { gatherEvidence, isInEntry, mayRename, objectOf } from "./evidence.ts";
import { describeAll } from "./recognise.ts";
import type { MapStore } from "./store/port.ts";

/** How certain it is that the element found by evidence is the one the mark means. */
export type Certainty =
  /** The same object that was marked. */
  | { readonly kind: "object" }
  /**
   * Not the same object, but the only element with that appearance: the best possible after the application restarts.
   */
  | { readonly kind: "look" }
  | Doubt;

/** Reasons why it may be another element. */
export type Doubt =
  /** The object last shown under the mark still exists, with another appearance. */
  | { readonly kind: "elsewhere"; readonly handle: string }
  /** The element has the mark's former name; the mark was last shown with another one. */
  | { readonly kind: "renamed" }
  /** The marked object is gone, and only their order distinguishes these look-alikes. */
  | { readonly kind: "twins"; readonly handles: readonly string[] }
  /** The element was last shown under another mark and has taken on this one's appearance since. */
  | { readonly kind: "disguise"; readonly mark: number };

/**
 * Decides whether a mark identifies an element without doubt. A read may rely on the order of look-alikes because it
 * shows what it found; an action must not. Requires a snapshot that includes hidden parts: the marked element may be
 * among them.
 */
export function certify(marks: MapStore, snapshot: Snapshot, handle: string, mark: number): Certainty {
  const refs = describeAll(snapshot);
  const own = refs.find((ref) => ref.handle === handle);
  if (own === undefined) throw new Error(`the snapshot does not hold ${handle}`);
  const veryObject = (gatherEvidence(own)[0] ?? []).map(hashText);
  const objects = new Map(refs.map((ref) => [ref.handle, hashText(objectOf(ref))]));
  const lives = Map.groupBy(refs, (ref) => hashText(ref.life));
  const known = marks.findObjects(
    new Map(
      [...lives].map(([life, all]) => [
        life,
        all.flatMap((ref) => [objects.get(ref.handle) ?? "", ...(ref === own ? veryObject : [])]),
      ]),
    ),
  );
  const hasItsWords = marks.findRef(mark)?.name === own.name;
  if (veryObject.some((hash) => known.get(hash) === mark)) {
    // It may have gone back to an earlier name that was never shown under this mark since.
    return hasItsWords || mayRename(own) ? { kind: "object" } : { kind: "renamed" };
  }
  const lastShownAs = (id: string): number | undefined => known.get(objects.get(id) ?? "");
  const shownAs = lastShownAs(handle);
  if (shownAs !== undefined && shownAs !== mark) return { kind: "disguise", mark: shownAs };
  // Lists reuse their row objects for other items, so only the text identifies an entry.
  const first = isInEntry(own) ? undefined : refs.find((ref) => lastShownAs(ref.handle) === mark);
  if (first !== undefined && first.handle !== handle) return { kind: "elsewhere", handle: first.handle };
  if (!hasItsWords) return { kind: "renamed" };
  const twins = refs.filter((ref) => ref.handle !== handle && appearanceOf(ref) === appearanceOf(own));
  return twins.length === 0 ? { kind: "look" } : { kind: "twins", handles: [own, ...twins].map((ref) => ref.handle) };
}

/** The object that was last shown under a mark, whatever its words are now. */
export function findObject(marks: MapStore, snapshot: Snapshot, mark: number): string | undefined {
  return [...listObjects(marks, snapshot)].find(([, own]) => own === mark)?.[0];
}

/** The marks under which objects were last shown, whatever their words are now, by handle. */
export function listObjects(marks: MapStore, snapshot: Snapshot): ReadonlyMap<string, number> {
  const refs = describeAll(snapshot).filter((ref) => !isInEntry(ref));
  const hashes = new Map(refs.map((ref) => [ref, hashText(objectOf(ref))]));
  const lives = Map.groupBy(refs, (ref) => hashText(ref.life));
  const known = marks.findObjects(
    new Map([...lives].map(([life, own]) => [life, own.flatMap((ref) => hashes.get(ref) ?? [])])),
  );
  return new Map(
    refs.flatMap((ref) => {
      const mark = known.get(hashes.get(ref) ?? "");
      return mark === undefined ? [] : [[ref.handle, mark] as const];
    }),
  );
}

/** Everything that distinguishes controls except their order. */
function appearanceOf({ app, windows, role, name, platformId, owner, path }: Ref): string {
  const way = path.map((step) => `${step.role}:${step.name}`);
  return [app, windows[0] ?? "", role, name, platformId, owner, ...way].join("\u0004");
}
