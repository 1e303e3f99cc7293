import type { DriftTable } from "../../src/map/keep/drift-table.ts";
import { strengths } from "./drift.ts";
import { type Outcome, scoreDrift } from "./score.ts";
import { loadTrees } from "./tree.ts";

const borders = [0, 0.5, 0.9, 0.99, 0.999];

/** Some controls of every tree, at every strength. */
export function play(seeds: readonly number[], sampleSize: number): Outcome[] {
  return loadTrees().flatMap((tree) =>
    strengths.flatMap((strength) => seeds.flatMap((seed) => scoreDrift(tree, strength, seed, sampleSize))),
  );
}

/** The cases of the suite. */
export function playSuite(): Outcome[] {
  return play([21], 8);
}

/** Their outcomes, as `deskmap map stats` prints them. */
export function summarise(outcomes: readonly Outcome[]): DriftTable {
  const count = (verdict: Outcome["verdict"]): number => outcomes.filter((one) => one.verdict === verdict).length;
  return {
    right: count("right"),
    wrong: count("wrong"),
    refused: count("refused"),
    bins: borders.map((from, at) => {
      const bin = outcomes.filter(({ score }) => score >= from && score < (borders[at + 1] ?? 2));
      return { from, right: bin.filter(({ isBestRight }) => isBestRight).length, all: bin.length };
    }),
  };
}

export function writeTable(name: string, { bins, ...counts }: DriftTable): string {
  const fields = Object.entries(counts).map(([field, value]) => `  ${field}: ${value},`);
  const rows = bins.map(({ from, right, all }) => `    { from: ${from}, right: ${right}, all: ${all} },`);
  return [`export const ${name}: DriftTable = {`, ...fields, "  bins: [", ...rows, "  ],", "};", ""].join("\n");
}
