import { availableParallelism } from "node:os";
import { runSuite } from "./run-suite.mjs";

// What starts browsers or an office suite uses more than one core by itself: two of these side by side are too slow for
// their own tests. One lane takes them, one after the other. The other desktops use half a core each.
const HEAVY = [
  ["secrets-everywhere", 170],
  ["huge", 105],
  ["scale-browsers", 85],
  ["calc", 75],
  ["secrets", 70],
  ["live-agree", 60],
  ["pages", 50],
  ["monitors-browsers", 50],
  ["stability-browser", 45],
  ["places", 45],
  ["hostile", 40],
  ["blackout", 35],
  ["moved-page", 30],
  ["office", 30],
  ["writer", 20],
  ["chromium", 20],
];
// Seconds, on two cores; every other file takes less. The longest come first, so that no lane is left alone with one of
// them at the end.
const LONG = [
  ["form-gtk4", 125],
  ["form-qt5", 100],
  ["scale", 90],
  ["untrusted", 90],
  ["typing", 85],
  ["act-churn", 75],
  ["form-gtk3", 70],
  ["monitors", 70],
  ["widgets", 70],
  ["screenshot", 60],
  ["refusals", 55],
  ["pointer", 55],
  ["patterns", 55],
  ["network", 50],
  ["window-operations", 50],
  ["mcp-tasks", 45],
  ["inspector-element", 45],
  ["stability", 45],
  ["watch", 40],
  ["inspector-activity", 40],
  ["agreement", 40],
  ["held-keys", 40],
  ["danger-lists", 35],
  ["marked-picture", 35],
  ["marks", 35],
  ["daemon-turns", 30],
  ["overlay-monitors", 30],
  ["monitor-pixels", 30],
  ["inspector", 30],
  ["moves", 25],
  ["programs", 25],
  ["learner", 25],
  ["robust", 25],
  ["watch-changes", 25],
  ["open-quit", 25],
  ["panic", 25],
  ["secret-selection", 25],
];
const LANES = Math.min(3, availableParallelism() + 1);

// What must not happen once is not tried twice: one press on another control, one secret shown fails the run. An application
// that did not come up in time is another matter.
const NEVER_AGAIN = /(^|\/)(act-churn|churn|blackout|secrets|secrets-everywhere)\.test\.ts$/;

// Runs the files of a suite of desktops, each in a process of its own, and sums up. A file's output comes whole, when it ends.
// A file that failed is run once more at the end, with the machine to itself: real applications beside each other are at
// times too slow for a test. What then passes counts, and the report names it with the words of its first failure.
export async function runLanes(suite, env, home) {
  if (suite.files.length < 2) return runSuite(suite, env, home);
  const results = new Map();
  const take = (files) => async () => {
    for (let file = files.shift(); file !== undefined; file = files.shift()) {
      results.set(file, await runSuite({ ...suite, folder: file, files: [file] }, env, home, console.log));
    }
  };
  const heavy = sortByLength(suite.files.filter((file) => secondsOf(HEAVY, file) > 0));
  const light = sortByLength(suite.files.filter((file) => secondsOf(HEAVY, file) === 0));
  const others = Array.from({ length: LANES - 1 }, () => take(light)());
  await Promise.all([take(heavy)().then(take(light)), ...others]);
  const doubtful = suite.files.filter((file) => mayBeTriedAgain(file, results.get(file)));
  const firsts = doubtful.map((file) => results.get(file));
  if (doubtful.length > 0) console.log(`\nonce more, alone: ${doubtful.join(", ")}`);
  await take([...doubtful])();
  const second = firsts.filter((_, i) => results.get(doubtful[i]).failed === 0).flatMap(listTroubles);
  return { ...[...results.values()].reduce(sum), second };
}

function mayBeTriedAgain(file, { failed, failures, problem }) {
  const isOnlySlow = problem === undefined && failures.every(({ message }) => /^not within \d+ ms: /.test(message));
  return failed > 0 && (isOnlySlow || !NEVER_AGAIN.test(file));
}

function listTroubles({ failures, problem }) {
  return problem === undefined ? failures : [...failures, { place: "the whole file", name: "", message: problem }];
}

function sortByLength(files) {
  const secondsOfAny = (file) => secondsOf([...HEAVY, ...LONG], file);
  return files.toSorted((a, b) => secondsOfAny(b) - secondsOfAny(a));
}

function secondsOf(list, file) {
  return list.find(([name]) => file.endsWith(`/${name}.test.ts`))?.[1] ?? 0;
}

function sum(a, b) {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    files: new Set([...a.files, ...b.files]),
    failures: [...a.failures, ...b.failures],
    problem: [a.problem, b.problem].filter((problem) => problem !== undefined).join("\n       ") || undefined,
  };
}
