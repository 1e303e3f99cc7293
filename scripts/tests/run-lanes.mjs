import { availableParallelism } from "node:os";
import { runSuite } from "./run-suite.mjs";

// What starts browsers or an office suite uses more than one core by itself: two of these side by side are too slow for
// their own tests. One lane takes them, one after the other. The other desktops use half a core each.
const HEAVY = [
  ["secrets-everywhere", 160],
  ["huge", 140],
  ["scale-browsers", 105],
  ["calc", 60],
  ["secrets", 55],
  ["pages", 50],
  ["stability-browser", 45],
  ["places", 45],
  ["monitors-browsers", 45],
  ["office", 30],
  ["blackout", 30],
  ["hostile", 25],
  ["moved-page", 20],
  ["writer", 20],
  ["chromium", 20],
];
// Seconds, on two cores; every other file takes less. The longest come first, so that no lane is left alone with one of
// them at the end.
const LONG = [
  ["form-gtk4", 130],
  ["form-qt5", 105],
  ["refusals", 100],
  ["form-gtk3", 100],
  ["typing", 90],
  ["scale", 85],
  ["act-churn", 75],
  ["monitors", 70],
  ["screenshot", 60],
  ["pointer", 60],
  ["patterns", 55],
  ["stability", 50],
  ["untrusted", 50],
  ["widgets", 45],
  ["window-operations", 45],
  ["watch", 35],
  ["danger-lists", 35],
  ["marks", 35],
  ["agreement", 30],
  ["held-keys", 30],
  ["moves", 30],
  ["programs", 25],
  ["panic", 25],
  ["robust", 25],
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
