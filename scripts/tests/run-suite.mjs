import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BUN, ROOT } from "../root.mjs";
import { readJunit } from "./junit.mjs";

// The time limit of tests and hooks, against hangs. Bun's default is 5 s; a real application on a busy machine takes longer.
const TEST_LIMIT_MS = 180_000;

// Runs one suite and counts its tests. An incomplete run (no tests, a file that did not load, a crash, a hang) counts as a
// failure of its own: Bun leaves a file that it cannot load out of its report.
// With `print`, the output is passed to it as a whole instead of being shown line by line.
export async function runSuite(suite, env, home, print) {
  if (suite.files.length === 0) return fail(emptyCounts(), `${suite.folder} holds no test file (*.test.ts).`);
  const outfile = join(home, `${suite.folder.replaceAll("/", "-")}.xml`);
  const { code, isOverLimit } = await runBun(suite, env, outfile, print);
  const counts = existsSync(outfile) ? readJunit(readFileSync(outfile, "utf8")) : emptyCounts();
  if (isOverLimit) return fail(counts, `${suite.folder} was stopped after ${suite.limitMs / 60_000} minutes.`);
  const silent = suite.files.filter((file) => !counts.files.has(file));
  if (silent.length > 0) return fail(counts, `no test ran in: ${silent.join(", ")}`);
  if (code !== 0 && counts.failed === 0)
    return fail(counts, `bun test ended with code ${code} although no test failed.`);
  return { ...counts, problem: undefined };
}

function fail(counts, problem) {
  return { ...counts, failed: counts.failed + 1, problem };
}

function emptyCounts() {
  return { passed: 0, failed: 0, skipped: 0, files: new Map(), failures: [] };
}

function runBun(suite, env, outfile, print) {
  const files = suite.files.map((file) => `./${file}`); // "./" makes it a path; without it Bun matches it as a part of a name
  const args = [
    "test",
    ...files,
    "--timeout",
    String(TEST_LIMIT_MS),
    "--reporter=junit",
    `--reporter-outfile=${outfile}`,
  ];
  return new Promise((resolve) => {
    // A process group of its own, so that nothing a hanging test has started outlives it.
    const stream = print === undefined ? "inherit" : "pipe";
    const child = spawn(BUN, args, { cwd: ROOT, env, stdio: ["ignore", stream, stream], detached: true });
    const output = [];
    for (const pipe of [child.stdout, child.stderr]) pipe?.on("data", (chunk) => output.push(chunk));
    const stop = () => stopGroup(child.pid);
    let isOverLimit = false;
    const timer = setTimeout(() => {
      isOverLimit = true;
      stop();
    }, suite.limitMs);
    const interrupt = () => {
      stop();
      // Deferred, so that the other running suites are stopped too.
      setImmediate(() => process.exit(130));
    };
    process.once("SIGINT", interrupt);
    process.once("SIGTERM", interrupt);
    const end = (code) => {
      clearTimeout(timer);
      process.off("SIGINT", interrupt);
      process.off("SIGTERM", interrupt);
      print?.(Buffer.concat(output).toString("utf8").trimEnd());
      resolve({ code, isOverLimit });
    };
    child.on("error", () => end(127));
    child.on("close", (code) => end(code ?? 1));
  });
}

function stopGroup(pid) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // already gone
  }
}
