import { hashText } from "../model/hash.ts";
import type { Ref } from "../model/ref.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { Window } from "../model/window.ts";
import { gatherEvidence, isInEntry, lifeOf, mayRename, objectOf } from "./evidence.ts";
import { describeAll } from "./recognise.ts";
import type { MapStore } from "./store/port.ts";

/** How surely an element that evidence leads to from a mark is the one that the mark means. */
export type Certainty =
  /** It is the very object that was marked. */
  | { readonly kind: "object" }
  /** It looks as the marked one did, and nothing else does: as good as can be once an application was started again. */
  | { readonly kind: "look" }
  | Doubt;

/** Why it may be another one all the same. */
type Doubt =
  /** The object that was last shown under the mark is still there, and looks different now. */
  | { readonly kind: "elsewhere"; readonly runtimeId: string }
  /** It was last shown with other words, and this one has the words of before. */
  | { readonly kind: "renamed" }
  /** The very object that was marked is not there, and only their order tells these apart. */
  | { readonly kind: "twins"; readonly runtimeIds: readonly string[] }
  /** It was last shown under another mark, and has taken on the look of this one since. */
  | { readonly kind: "disguise"; readonly mark: number };

/**
 * Whether a mark leads to an element beyond doubt. A read may follow the order of look-alikes, since it shows what it
 * found; whoever acts on a mark without looking must not. That it looks so counts only where hidden parts were read,
 * too: the marked one may be among them.
 */
export function certify(
  marks: MapStore,
  snapshot: Snapshot,
  all: readonly Window[],
  runtimeId: string,
  mark: number,
): Certainty {
  const refs = describeAll(snapshot, all);
  const own = refs.find((ref) => ref.runtimeId === runtimeId);
  if (own === undefined) throw new Error(`the snapshot does not hold ${runtimeId}`);
  const veryObject = (gatherEvidence(own)[0] ?? []).map(hashText);
  const objects = new Map(refs.map((ref) => [ref.runtimeId, hashText(objectOf(ref))]));
  const lives = Map.groupBy(refs, (ref) => hashText(lifeOf(ref)));
  const known = marks.findObjects(
    new Map(
      [...lives].map(([life, all]) => [
        life,
        all.flatMap((ref) => [objects.get(ref.runtimeId) ?? "", ...(ref === own ? veryObject : [])]),
      ]),
    ),
  );
  const hasItsWords = marks.findRef(mark)?.name === own.name;
  if (veryObject.some((hash) => known.get(hash) === mark)) {
    // It may say again what it said before it was last shown: then nobody has seen it say so since.
    return hasItsWords || mayRename(own) ? { kind: "object" } : { kind: "renamed" };
  }
  const lastShownAs = (id: string): number | undefined => known.get(objects.get(id) ?? "");
  const shownAs = lastShownAs(runtimeId);
  if (shownAs !== undefined && shownAs !== mark) return { kind: "disguise", mark: shownAs };
  // A list shows its items through any of its objects: there the words alone tell which is which.
  const first = isInEntry(own) ? undefined : refs.find((ref) => lastShownAs(ref.runtimeId) === mark);
  if (first !== undefined && first.runtimeId !== runtimeId) return { kind: "elsewhere", runtimeId: first.runtimeId };
  if (!hasItsWords) return { kind: "renamed" };
  const twins = refs.filter((ref) => ref.runtimeId !== runtimeId && lookOf(ref) === lookOf(own));
  return twins.length === 0
    ? { kind: "look" }
    : { kind: "twins", runtimeIds: [own, ...twins].map((ref) => ref.runtimeId) };
}

/** Everything that a person could tell controls apart by, but for their order. */
function lookOf({ app, windows, role, name, platformId, owner, path }: Ref): string {
  const way = path.map((step) => `${step.role}:${step.name}`);
  return [app, windows[0] ?? "", role, name, platformId, owner, ...way].join("\u0004");
}
