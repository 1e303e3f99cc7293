import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { pressAfterEdits } from "../tests/act/press-trial.ts";
import { churnPresses, summarise } from "../tests/desktop/act-churn.ts";
import { churn } from "../tests/desktop/churn.ts";
import { crashActions } from "../tests/desktop/crash.ts";
import type { Kit } from "../tests/desktop/deeds.ts";
import { drive } from "../tests/desktop/live-drive.ts";
import { makeMapFolder } from "../tests/map/desk.ts";
import { contents, liveEdits } from "../tests/map/edits.ts";
import { killWriters } from "../tests/map/kill-writers.ts";

/**
 * `npm run soak [-- MINUTES [PRESSES [SEED [CRASHES [KILLS]]]]]`: the churns of tests/desktop, for longer: first reads with an eye on memory,
 * then the mirror of five applications to which random things are done, for as long again, against cold reads; then presses
 * of marks in a window that changes behind their back, and twenty times as many on desktops in memory; then
 * actions that are killed at random points, and processes that are killed while they write the map; last, the laws of the small suites with other examples than `npm test` has.
 */
const [minutes = 10, presses = 5000, seed = Date.now() % 100_000, crashes = 500, kills = 1000] = process.argv
  .slice(2)
  .map(Number);
if (!(minutes >= 0) || !(presses >= 0) || !(crashes >= 0) || !(kills >= 0) || Number.isNaN(seed)) {
  console.error("usage: npm run soak -- MINUTES PRESSES SEED CRASHES KILLS");
  process.exit(2);
}

/** So many on one window, then on a new one. */
const windowPresses = 500;

const mirrored: readonly Kit[] = ["gtk3", "gtk4", "qt5", "firefox", "chromium"];

/** What five applications and their pages may cost while and after they were followed; what leaks costs more each minute. */
const growth = { factor: 1.5, mb: 100 };

const faults = [
  ...(minutes > 0 ? await soakReads() : []),
  ...(minutes > 0 ? await soakMirror() : []),
  ...(presses > 0 ? await soakPresses() : []),
  ...(presses > 0 ? await soakMemory(presses * 20) : []),
  ...(crashes > 0 ? await soakCrashes() : []),
  ...(kills > 0 ? await soakKills() : []),
  ...soakLaws(20),
];
for (const fault of faults) console.log(`NOT GOOD: ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;

async function soakReads(): Promise<string[]> {
  console.log(`reading for ${minutes} minutes while applications come, stop and are killed …`);
  const report = await churn(minutes * 60_000, console.log);
  console.log(report);
  const checks: readonly [isSo: boolean, what: string][] = [
    [report.memoryAfterMb > report.memoryBeforeMb * 1.5 + 20, "memory grew"],
    [report.filesAfter > report.filesBefore + 2, "files were left open"],
    [report.failures.length > 0 || report.changedMarks.length > 0, "reads failed or marks changed their meaning"],
  ];
  return checks.filter(([isSo]) => isSo).map(([, what]) => what);
}

/** Every difference between a mirror and a cold read that lasts over half a second is a fault. */
async function soakMirror(): Promise<string[]> {
  console.log(`mirroring ${mirrored.join(", ")} for ${minutes} minutes (seed ${seed}) …`);
  const faults: string[] = [];
  const beforeMb = measureMemory();
  console.log(`  ${beforeMb} MB before`);
  for (const [index, kit] of mirrored.entries()) {
    const deadlineMs = performance.now() + (minutes * 60_000) / mirrored.length;
    const report = await drive(kit, Number.POSITIVE_INFINITY, seed + index, undefined, deadlineMs);
    const { steps, longestMs, figures, lasting } = report;
    console.log(`  ${kit}: ${steps} steps, differed ${Math.round(longestMs)} ms at most, ${measureMemory()} MB`);
    console.log(`    ${JSON.stringify(figures)}`);
    faults.push(...lasting);
  }
  const afterMb = measureMemory();
  console.log(`  ${afterMb} MB after, ${beforeMb} MB before`);
  return afterMb > beforeMb * growth.factor + growth.mb ? [...faults, "the mirror's memory grew"] : faults;
}

/** What nobody holds any more does not count. */
function measureMemory(): number {
  Bun.gc(true);
  return Math.round(process.memoryUsage.rss() / 1e6);
}

async function soakPresses(): Promise<string[]> {
  console.log(`pressing ${presses} marks in a window that changes after each read (seed ${seed}) …`);
  const faults: string[] = [];
  // GTK 3 keeps something of every widget that was ever told of: after thousands of changes the window itself is slow.
  for (let done = 0; done < presses; done += windowPresses) {
    const report = await churnPresses(Math.min(windowPresses, presses - done), seed + done);
    console.log(`  ${done + windowPresses}: ${summarise(report)}`);
    faults.push(...[...report.wrong, ...report.exchanged].map((story) => `another control was pressed: ${story}`));
    faults.push(...report.lost.map((story) => `a press was lost: ${story}`));
  }
  return faults;
}

/** Random desktops in memory under random changes; a new map for every batch, since maps of years are not the question. */
async function soakMemory(wanted: number): Promise<string[]> {
  console.log(`pressing ${wanted} marks on desktops in memory (seed ${seed}) …`);
  const batchSize = 500;
  const wrong: string[] = [];
  const total = { right: 0, refused: 0, wrong };
  for (let batch = 0; total.right + total.refused < wanted; batch += 1) {
    const folder = makeMapFolder();
    const store = folder.open();
    for (const [children, edits] of fc.sample(fc.tuple(contents, liveEdits), {
      numRuns: batchSize,
      seed: seed + batch,
    })) {
      const trial = await pressAfterEdits(store, children, edits);
      total.right += trial.right;
      total.refused += trial.refused;
      total.wrong.push(...trial.wrong);
    }
    store.close();
    folder.remove();
    console.log(`  ${total.right} right, ${total.refused} refused, ${total.wrong.length} wrong`);
  }
  return total.wrong.map((story) => `another control was pressed: ${story}`);
}

async function soakCrashes(): Promise<string[]> {
  console.log(`killing ${crashes} actions at random points (seed ${seed}) …`);
  const { killed, unfinished, faults } = await crashActions(crashes, seed + 1, console.log);
  console.log(`  ${killed} killed, ${unfinished} of them in the middle of what they did`);
  return [...faults];
}

async function soakKills(): Promise<string[]> {
  console.log(`killing ${kills} processes while they write one map (seed ${seed}) …`);
  const { stored, faults } = await killWriters(kills, seed, console.log);
  console.log(`  ${stored} looks were stored`);
  return [...faults];
}

function soakLaws(seeds: number): string[] {
  const suites = ["model", "platform", "show", "find", "picture", "tools", "guard"].map((name) => `./tests/${name}`);
  console.log(`the laws of ${suites.join(", ")} with ${seeds} other seeds (from ${seed}) …`);
  return Array.from({ length: seeds }, (_, index) => seed + index).flatMap((other) => {
    const env = { ...process.env, DESKMAP_TEST_SEED: String(other) };
    const run = spawnSync(process.execPath, ["test", "--timeout", "60000", ...suites], { env, encoding: "utf8" });
    const failed = `${run.stdout}${run.stderr}`.split("\n").filter((line) => line.startsWith("(fail)"));
    return run.status === 0 ? [] : [`a law broke with DESKMAP_TEST_SEED=${other}: ${[...new Set(failed)].join("; ")}`];
  });
}
