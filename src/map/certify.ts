import type { Ref } from "../model/ref.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { Window } from "../model/window.ts";
import { gatherEvidence, objectOf } from "./evidence.ts";
import { hashText } from "./hash.ts";
import { describeAll } from "./recognise.ts";
import type { MarkStore } from "./store/port.ts";

/** Why an element that evidence leads to from a mark may be another one all the same. */
export type Doubt =
  /** It was last shown with other words, and this one has the words of before. */
  | { readonly kind: "renamed" }
  /** The very object that was marked is not there, and only their order tells these apart. */
  | { readonly kind: "twins"; readonly runtimeIds: readonly string[] }
  /** It was last shown under another mark, and has taken on the look of this one since. */
  | { readonly kind: "disguise"; readonly mark: number };

/**
 * Whether a mark leads to an element beyond doubt. A read may follow the order of look-alikes, since it shows what it
 * found; whoever acts on a mark without looking must not.
 */
export function findDoubt(
  marks: MarkStore,
  snapshot: Snapshot,
  all: readonly Window[],
  runtimeId: string,
  mark: number,
): Doubt | undefined {
  const refs = describeAll(snapshot, all);
  const own = refs.find((ref) => ref.runtimeId === runtimeId);
  if (own === undefined) return undefined;
  const veryObject = (gatherEvidence(own)[0] ?? []).map(hashText);
  const object = hashText(objectOf(own));
  const known = marks.findMarks([...veryObject, object]);
  if (veryObject.some((hash) => known.get(hash) === mark)) return undefined;
  const shownAs = known.get(object);
  if (shownAs !== undefined && shownAs !== mark) return { kind: "disguise", mark: shownAs };
  if (marks.findRef(mark)?.name !== own.name) return { kind: "renamed" };
  const twins = refs.filter((ref) => ref.runtimeId !== runtimeId && lookOf(ref) === lookOf(own));
  return twins.length === 0 ? undefined : { kind: "twins", runtimeIds: [own, ...twins].map((ref) => ref.runtimeId) };
}

/** Everything that a person could tell controls apart by, but for their order. */
function lookOf({ app, windows, role, name, platformId, owner, path }: Ref): string {
  const way = path.map((step) => `${step.role}:${step.name}`);
  return [app, windows[0] ?? "", role, name, platformId, owner, ...way].join("\u0004");
}
