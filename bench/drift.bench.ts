import { readFileSync, writeFileSync } from "node:fs";
import { strengths } from "../tests/drift/drift.ts";
import { resolveByPoints } from "../tests/drift/points.ts";
import { type Outcome, scoreDrift } from "../tests/drift/score.ts";
import { play, playSuite, summarise, writeTable } from "../tests/drift/table.ts";
import { loadTrees } from "../tests/drift/tree.ts";
import { loadPagePairs, scoreVersions } from "./lab/versions.ts";

/**
 * `npm run bench -- drift [--quick] [--table]`: how often a control is found again in a changed application or page. Half of the
 * seeds were used to develop the resolver; the other half is held out for this report. Then the same for documentation pages
 * of packages at two versions, fetched from the registry. --table only writes the tables that `deskmap map stats` prints.
 */
if (process.argv.includes("--table")) {
  writeTables();
  process.exit();
}

const isQuick = process.argv.includes("--quick");
const seedCount = isQuick ? 1 : 4;
const sampleSize = isQuick ? 10 : 30;
const halves = { "development seeds": 11, "held-out seeds": 2001 };

for (const [half, first] of Object.entries(halves)) {
  const seeds = Array.from({ length: seedCount }, (_, at) => first + at);
  const score = (resolver?: typeof resolveByPoints): Outcome[] =>
    loadTrees().flatMap((tree) =>
      strengths.flatMap((strength) => seeds.flatMap((seed) => scoreDrift(tree, strength, seed, sampleSize, resolver))),
    );
  const own = score();
  const points = score(resolveByPoints);
  console.log(`\n${half}: ${own.length} controls`);
  console.log("                                  right    wrong  refused");
  console.log(showRow("Deskmap", own));
  for (const strength of strengths) {
    console.log(
      showRow(
        `  strength ${strength}`,
        own.filter((one) => one.strength === strength),
      ),
    );
  }
  console.log(showRow("role, name and place by points", points));
  console.log(`wrong: ${(share(points, "wrong") / share(own, "wrong")).toFixed(0)}× as often by points`);
  console.log("how sure → how often right");
  for (const [from, to] of [
    [0, 0.5],
    [0.5, 0.9],
    [0.9, 0.99],
    [0.99, 0.999],
    [0.999, 1.1],
  ] as const) {
    const bin = own.filter(({ score }) => score >= from && score < to);
    const right = bin.filter(({ isBestRight }) => isBestRight).length / bin.length;
    console.log(`  ${from.toFixed(3)}  ${(100 * right).toFixed(1).padStart(5)} % of ${bin.length}`);
  }
}

const pairs = await loadPagePairs();
const { right, wrong, refused, removed, answered } = scoreVersions(pairs);
const present = right + wrong + refused;
const percent = (count: number, all: number): string => `${((100 * count) / all).toFixed(2)} %`;
console.log(`\n${pairs.length} pages at two versions: ${present} controls that both have, ${removed} removed`);
console.log(
  `right ${percent(right, present)} (goal 85), wrong ${percent(wrong, present)} (0.5), refused ${percent(refused, present)}; ` +
    `removed and answered ${percent(answered, removed)} (2)`,
);

function writeTables(): void {
  writeGenerated("../src/map/keep/drift-table.ts", "driftTable", play([2001, 2002, 2003, 2004], 30));
  writeGenerated("../tests/drift/suite-table.ts", "suiteTable", playSuite());
}

function writeGenerated(file: string, name: string, outcomes: readonly Outcome[]): void {
  const path = new URL(file, import.meta.url);
  const [head = ""] = readFileSync(path, "utf8").split("export const");
  writeFileSync(path, head + writeTable(name, summarise(outcomes)));
}

function share(list: readonly Outcome[], verdict: Outcome["verdict"]): number {
  return list.filter((one) => one.verdict === verdict).length / list.length;
}

function showRow(label: string, list: readonly Outcome[]): string {
  const cells = (["right", "wrong", "refused"] as const).map((one) =>
    `${(100 * share(list, one)).toFixed(2)} %`.padStart(8),
  );
  return `${label.padEnd(31)} ${cells.join(" ")}`;
}
