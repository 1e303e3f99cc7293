import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { prepare } from "../install/prepare.mjs";
import { readVerdicts } from "../tests/referee.mjs";
import { LANES, runLanes } from "../tests/run-lanes.mjs";
import { runSuite } from "../tests/run-suite.mjs";
import { findSuites, toSuite } from "../tests/suites.mjs";
import { runChecks } from "./check.mjs";
import { isolate } from "./isolate.mjs";

const SLOWEST_SHOWN = 10;

// Without arguments: the checks, then every feature once. With --all: every test. With folders or files of tests: all of
// their tests, without the checks.
export async function run(args) {
  const paths = args.filter((arg) => !arg.startsWith("-"));
  const unknown = args.find((arg) => arg.startsWith("-") && arg !== "--all");
  if (unknown !== undefined) {
    console.error(`There is no option ${unknown}. npm test takes --all, or folders and files of tests.`);
    return end({ passed: 0, failed: 1, skipped: 0 });
  }
  const tier = args.length === 0 ? "once" : "all";
  const suites = paths.length === 0 ? findSuites(tier) : paths.map(toSuite);
  const needs = args.includes("--all") ? "all" : suites.some((suite) => suite.isOnDesktop) ? "test" : "none";
  if (!(await prepare(needs))) return end({ passed: 0, failed: 1, skipped: 0 });
  const total = { passed: 0, failed: 0, skipped: 0 };
  if (paths.length === 0) {
    console.log("── checks");
    add(total, await runChecks());
  }
  const { results, verdicts } = await runSuites(suites, tier);
  for (const { counts } of results) add(total, counts);
  if (results.length === 0) {
    console.log("There is no test to run: tests/ holds no suite.");
    total.failed += 1;
  }
  console.log("");
  for (const result of results) console.log(describeResult(result));
  printSlowest(results);
  for (const line of [...verdicts.lines, ...verdicts.accused]) console.log(line);
  // A false verdict fails its test when the scene is closed; a test may have hidden that.
  if (total.failed === 0) total.failed = verdicts.accused.length;
  if (tier === "once")
    console.log("Each feature once. npm test -- --all runs every toolkit, scale, monitor layout and kill.");
  for (const { counts } of results) printFailures(counts);
  return end(total);
}

async function runSuites(suites, tier) {
  const { home, env: own } = isolate(process.env);
  const referee = join(home, "referee");
  mkdirSync(referee);
  // Every output of a tool must match its declaration (src/tools/perform.ts).
  const env = { ...own, DESKMAP_TESTS: tier, DESKMAP_CHECK_OUTPUTS: "1", DESKMAP_REFEREE: referee };
  const removeHome = () => rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  process.once("exit", removeHome); // also after Ctrl-C
  const results = new Map();
  const lanes = startSuites(
    suites.filter(({ mayShare }) => !mayShare),
    env,
    home,
    results,
  );
  for (const suite of suites.filter(({ mayShare }) => mayShare)) {
    await lanes[0];
    console.log(`\n── ${suite.folder}`);
    results.set(suite, await measure(() => runLanes(suite, env, home, lanes)));
  }
  await Promise.all(lanes);
  return {
    results: suites.map((suite) => ({ suite, ...results.get(suite) })),
    verdicts: readVerdicts(referee),
  };
}

// Starts the suites that are not split into files: sandbox suites, which look at every open sandbox, in the first lane, unit
// suites in the others. Returns a promise for each lane that resolves when the lane is free for desktop tests, which is not
// before all sandboxes are closed. With two or more suites the output of each is printed when it ends.
function startSuites(suites, env, home, results) {
  const print = suites.length > 1 ? (folder) => (text) => console.log(`\n── ${folder}\n${text}`) : () => undefined;
  if (suites.length === 1) console.log(`\n── ${suites[0].folder}`);
  const take = async (queue) => {
    for (let suite = queue.shift(); suite !== undefined; suite = queue.shift()) {
      const { folder } = suite;
      results.set(suite, await measure(() => runSuite(suite, env, home, print(folder))));
    }
  };
  const sandboxes = take(suites.filter(({ isOnDesktop }) => isOnDesktop));
  const units = suites.filter(({ isOnDesktop }) => !isOnDesktop);
  const others = Array.from({ length: LANES - 1 }, () => Promise.all([sandboxes, take(units)]));
  return [sandboxes, ...others];
}

async function measure(run) {
  const started = Date.now();
  const counts = await run();
  return { counts, seconds: (Date.now() - started) / 1000 };
}

function describeResult({ suite, counts, seconds }) {
  const mark = counts.failed === 0 ? "ok    " : "FAILED";
  const line = `${mark} ${suite.folder.padEnd(20)} ${describeCounts(counts)}, ${seconds.toFixed(1)} s`;
  const problems = counts.problem === undefined ? [] : [counts.problem];
  return [line, ...problems, ...counts.failures.map(({ place, name }) => `${place} ${name}`)].join("\n       ");
}

// Repeats the failures at the very end: of a long log often only the last lines are kept.
function printFailures({ failures, unsteady = [] }) {
  for (const { place, name, message } of failures) {
    const isUnsteady = unsteady.some((file) => place.startsWith(`${file}:`));
    const how = isUnsteady ? "failed, then passed when run again alone" : "failed";
    const words = message
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .join(" | ");
    console.log(`${how}: ${place} ${name}\n       ${words.slice(0, 600)}`);
  }
  if (unsteady.length > 0) console.log(`failed only in parallel, still counted as failed: ${unsteady.join(", ")}`);
}

// Time is a budget: every run shows what takes most of it.
function printSlowest(results) {
  const files = results.flatMap(({ counts }) => [...counts.files]);
  if (files.length <= SLOWEST_SHOWN) return;
  console.log(`\nThe ${SLOWEST_SHOWN} slowest of ${files.length} files:`);
  for (const [file, seconds] of files.toSorted((a, b) => b[1] - a[1]).slice(0, SLOWEST_SHOWN))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
}

function describeCounts({ passed, failed, skipped = 0 }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function add(total, { passed, failed, skipped = 0 }) {
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
}

// The last line always has this form: continuous integration reads it.
function end({ passed, failed, skipped }) {
  if (skipped > 0) console.log(`${skipped} skipped`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}
