import { availableParallelism } from "node:os";
import { runSuite } from "./run-suite.mjs";

// What starts browsers with tens of thousands of nodes or an office suite gets the machine to itself, and so does what clicks
// with xdotool at a point that was just read: two of them at once were too slow for their own tests. The other desktops
// hardly use one core each, and run two at a time.
const ALONE =
  /(^|\/)(huge|calc|chromium|hostile|writer|office|pages|monitors|places|scale|moves|agreement|marks|lookup|clipboard)\.test\.ts$/;
// The longest come first, so that no lane is left alone with one of them at the end.
const LONG = ["form-gtk3", "form-gtk4", "form-qt5", "typing", "pointer", "window-operations", "widgets", "act-churn"];
const LANES = Math.min(2, availableParallelism());

// What must not happen once is not tried twice: one press on another control fails the run.
const NEVER_AGAIN = /(^|\/)(act-churn|churn)\.test\.ts$/;

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
  const shared = suite.files.filter((file) => !ALONE.test(file)).sort((a, b) => rank(a) - rank(b));
  await take(suite.files.filter((file) => ALONE.test(file)))();
  await Promise.all(Array.from({ length: LANES }, () => take(shared)()));
  const doubtful = suite.files.filter((file) => results.get(file).failed > 0 && !NEVER_AGAIN.test(file));
  const firsts = doubtful.map((file) => results.get(file));
  if (doubtful.length > 0) console.log(`\nonce more, alone: ${doubtful.join(", ")}`);
  await take([...doubtful])();
  const second = firsts.filter((_, i) => results.get(doubtful[i]).failed === 0).flatMap(listTroubles);
  return { ...[...results.values()].reduce(sum), second };
}

function listTroubles({ failures, problem }) {
  return problem === undefined ? failures : [...failures, { place: "the whole file", name: "", message: problem }];
}

function rank(file) {
  const place = LONG.findIndex((name) => file.endsWith(`/${name}.test.ts`));
  return place < 0 ? LONG.length : place;
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
