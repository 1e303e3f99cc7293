import { resolve } from "../../src/map/resolve/resolve.ts";
import { describeTree } from "./describe.ts";
import { copyTree, drift, listAll, makeNumbers, type Strength } from "./drift.ts";
import type { CapturedTree } from "./tree.ts";

export interface Outcome {
  readonly tree: string;
  readonly strength: Strength;
  /** right: the same control, or a refusal if it is gone. */
  readonly verdict: "right" | "wrong" | "refused";
  readonly isGone: boolean;
  readonly score: number;
  /** Whether the most likely candidate was the right one, accepted or not. */
  readonly isBestRight: boolean;
  readonly isAmbiguous: boolean;
  readonly story: string;
}

/** Resolves some controls of a tree in a changed version of it, and returns the outcome of each. */
export function scoreDrift(
  tree: CapturedTree,
  strength: Strength,
  seed: number,
  sampleSize: number,
  resolver: typeof resolve = resolve,
): Outcome[] {
  const before = describeTree(tree, copyTree(tree.root));
  const changed = drift(tree.root, strength, seed);
  const after = describeTree(tree, changed);
  const twins = new Map(listAll(changed).flatMap(({ key, twinOf }) => (twinOf === undefined ? [] : [[twinOf, key]])));
  const next = makeNumbers(seed + 77);
  const wanted = before.filter(({ isWanted }) => isWanted);
  const candidates = after.map(({ description }) => description);
  return Array.from({ length: Math.min(sampleSize, wanted.length) }, () => {
    const [ref] = wanted.splice(Math.floor(next() * wanted.length), 1);
    if (ref === undefined) throw new Error("nothing is wanted");
    // An exact duplicate of a control that is gone counts as that control.
    const find = (sought: string | undefined): number => after.findIndex(({ key }) => key === sought);
    const truth = find(ref.key) < 0 ? find(twins.get(ref.key)) : find(ref.key);
    const { verdict, best, score, evidence } = resolver(ref.description, candidates);
    const answer = verdict === "match" ? best : undefined;
    const isRight = answer === (truth < 0 ? undefined : truth);
    const say = (place: number | undefined): string => JSON.stringify(after[place ?? -1]?.description ?? "nothing");
    const story = `${tree.name} ${strength}/${seed}\n  ref  ${JSON.stringify(ref.description)}\n  true ${say(truth)}\n  got  ${verdict} ${score.toFixed(4)} ${say(best)}\n  ${evidence.map((e) => `${e.feature}:${e.level} ${e.weight.toFixed(1)}`).join(", ")}`;
    return {
      tree: tree.name,
      strength,
      verdict: isRight ? "right" : answer === undefined ? "refused" : "wrong",
      isGone: truth < 0,
      score,
      isBestRight: best === truth,
      isAmbiguous: verdict === "ambiguous",
      story,
    };
  });
}
