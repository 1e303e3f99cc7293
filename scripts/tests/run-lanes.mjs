import { availableParallelism } from "node:os";
import { runSuite } from "./run-suite.mjs";

// Tests that start browsers or an office suite use more than one core each; two of them at once are too slow to pass. One
// lane runs them, one after the other. The other desktop tests use half a core each.
const HEAVY = [
  ["secrets-everywhere", 170],
  ["huge", 105],
  ["scale-browsers", 100],
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
// Seconds on two cores, in the tier in which a file takes longer; every other file takes less. The longest run first, so
// that none of them runs alone at the end.
const LONG = [
  ["verdicts", 130],
  ["form-gtk4", 125],
  ["page-controls", 105],
  ["form-qt5", 100],
  ["scale", 90],
  ["typing", 85],
  ["form-gtk3", 80],
  ["act-churn", 75],
  ["untrusted", 70],
  ["monitors", 70],
  ["refusals", 65],
  ["screenshot", 60],
  ["pointer", 55],
  ["patterns", 55],
  ["network", 50],
  ["window-operations", 50],
  ["readme", 50],
  ["widgets", 45],
  ["inspector-element", 45],
  ["choices", 40],
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
  ["mcp-tasks", 25],
  ["session-xfce", 25],
  ["stability", 25],
  ["moves", 25],
  ["programs", 25],
  ["learner", 25],
  ["robust", 25],
  ["watch-changes", 25],
  ["open-quit", 25],
  ["panic", 25],
  ["secret-selection", 25],
  ["daemon", 20],
  ["doctor", 20],
  ["library", 20],
  ["standings", 20],
  ["vision", 20],
  ["bus-restart", 20],
  ["consent", 15],
  ["daemon-acts", 15],
  ["executable", 15],
  ["inspector-itself", 15],
  ["lookup", 15],
  ["mcp", 15],
  ["overlay", 15],
  ["turns", 15],
  ["approval", 10],
  ["fill-secret", 10],
  ["list", 10],
  ["seal", 10],
];
export const LANES = Math.min(3, availableParallelism() + 1);

// With more failed files than this, running them again says little and takes long.
const MOST_RERUNS = 5;

// Runs the files of a desktop suite, each in its own process, in lanes that may still be busy, and adds up the results. The
// output of a file is printed when the file ends. Files that failed run again at the end, alone: this distinguishes faults
// that depend on load or order from others. It changes no verdict: a file that failed once has failed.
export async function runLanes(suite, env, home, lanes) {
  if (suite.files.length < 2) return runSuite(suite, env, home);
  const results = new Map();
  const runFile = (file, itsEnv = env) =>
    measureFile(() => runSuite({ ...suite, folder: file, files: [file] }, itsEnv, home, print));
  const runUncounted = (file) => runFile(file, { ...env, DESKMAP_REFEREE: undefined });
  const take = (files) => async () => {
    for (let file = files.shift(); file !== undefined; file = files.shift()) results.set(file, await runFile(file));
  };
  const heavy = sortByLength(suite.files.filter((file) => secondsOf(HEAVY, file) > 0));
  const light = sortByLength(suite.files.filter((file) => secondsOf(HEAVY, file) === 0));
  const [first, ...others] = lanes;
  await Promise.all([first.then(take(heavy)).then(take(light)), ...others.map((lane) => lane.then(take(light)))]);
  const failed = suite.files.filter((file) => results.get(file).failed > 0);
  const unsteady = failed.length > MOST_RERUNS ? [] : await listPassingAlone(failed, runUncounted);
  return { ...[...results.values()].reduce(sum), unsteady };
}

function print(text) {
  console.log(text);
}

// Bun's own time of a file does not include loading it, so its process is timed.
async function measureFile(run) {
  const started = Date.now();
  const result = await run();
  return { ...result, files: new Map([...result.files.keys()].map((name) => [name, (Date.now() - started) / 1000])) };
}

async function listPassingAlone(files, runFile) {
  if (files.length > 0) console.log(`\nrun again alone, to find the cause: ${files.join(", ")}`);
  const passing = [];
  for (const file of files) if ((await runFile(file)).failed === 0) passing.push(file);
  return passing;
}

function sortByLength(files) {
  const secondsOfAny = (file) => secondsOf([...HEAVY, ...LONG], file);
  return files.toSorted((a, b) => secondsOfAny(b) - secondsOfAny(a));
}

function secondsOf(list, file) {
  return list.find(([name]) => file.replace(".matrix.", ".").endsWith(`/${name}.test.ts`))?.[1] ?? 0;
}

function sum(a, b) {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    files: new Map([...a.files, ...b.files]),
    failures: [...a.failures, ...b.failures],
    problem: [a.problem, b.problem].filter((problem) => problem !== undefined).join("\n       ") || undefined,
  };
}
