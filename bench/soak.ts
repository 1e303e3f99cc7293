import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { pressAfterEdits } from "../tests/act/press-trial.ts";
import { churnPresses, summarise } from "../tests/desktop/act-churn.ts";
import { churn } from "../tests/desktop/churn.ts";
import { crashActions } from "../tests/desktop/crash.ts";
import { restarted, restartOften } from "../tests/desktop/restarts.ts";
import { makeMapFolder } from "../tests/map/desk.ts";
import { contents, liveEdits } from "../tests/map/edits.ts";
import { killWriters } from "../tests/map/kill-writers.ts";
import { onlyApps } from "./lab/options.ts";
import { killDemos } from "./soak/demo-kills.ts";
import { soakMirror } from "./soak/mirror.ts";
import { soakTasks } from "./soak/tasks/index.ts";

const usage = `usage: npm run soak -- [PART …] [--minutes N] [--presses N] [--seed N] [--crashes N] [--kills N]
                            [--restarts N] [--tasks N] [--sequences N] [--only=APP,…]

reads    reads for N minutes (10) while applications start, stop and are killed, and watches the memory
mirror   compares the mirror of five applications under random actions with cold reads, for as many minutes
presses  presses N marks (5000) in a window that changes between read and press
memory   presses twenty times as many on desktops in memory
crashes  kills N actions (500) at random points
kills    kills N processes (1000) while they write the map
demo-kills  kills N recorders, replayers and daemons (200) at random moments
restarts kills and starts eight applications N times each (20), and compares the marks of uniquely named controls
tasks    carries out N tasks (200) in real applications by the command line, and compares what is said with what is true
laws     runs the property tests of the small suites with other seeds than npm test
rules    compares the guard with a model of its rules in N random sequences (10000)`;

/** The number of presses on one window; then a new one is opened. */
const windowPresses = 500;

/** The least share of uniquely named controls that keep their marks through restarts. */
const minKept = 0.995;

const parts: Readonly<Record<string, () => readonly string[] | Promise<readonly string[]>>> = {
  reads: soakReads,
  mirror: () => soakMirror(minutes, seed),
  presses: soakPresses,
  memory: () => soakMemory(presses * 20),
  crashes: soakCrashes,
  kills: soakKills,
  "demo-kills": () => killDemos(kills ?? 200, seed),
  restarts: soakRestarts,
  tasks: () => soakTasks({ tasks, seed, only: onlyApps }),
  laws: () => soakLaws(20),
  rules: () => soakRules(sequences),
};

const numbers = {
  minutes: 10,
  presses: 5000,
  seed: Date.now() % 100_000,
  crashes: 500,
  kills: undefined,
  restarts: 20,
  tasks: 200,
  sequences: 10_000,
};
const { minutes, presses, seed, crashes, kills, restarts, tasks, sequences, wanted } = readOptions();

const faults: string[] = [];
for (const [name, run] of Object.entries(parts)) {
  if (wanted.length === 0 || wanted.includes(name)) faults.push(...(await run()));
}
for (const fault of faults) console.log(`FAULT: ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;

function readOptions() {
  try {
    const options = Object.fromEntries(Object.keys(numbers).map((name) => [name, { type: "string" as const }]));
    const args = process.argv.slice(2).filter((word) => !word.startsWith("--only="));
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const given = Object.entries(values).map(([name, value]) => [name, Number(value)] as const);
    const isUnderstood =
      given.every(([, value]) => value >= 0) && positionals.every((name) => Object.hasOwn(parts, name));
    if (isUnderstood) return { ...numbers, ...Object.fromEntries(given), wanted: positionals };
  } catch {
    // An unknown option.
  }
  console.error(usage);
  process.exit(2);
}

async function soakReads(): Promise<string[]> {
  console.log(`reading for ${minutes} minutes while applications start, stop and are killed …`);
  const report = await churn(minutes * 60_000, console.log);
  console.log(report);
  const checks: readonly [isFault: boolean, what: string][] = [
    [report.memoryAfterMb > report.memoryBeforeMb * 1.5 + 20, "memory grew"],
    [report.filesAfter > report.filesBefore + 2, "files were left open"],
    [report.failures.length > 0 || report.changedMarks.length > 0, "reads failed or marks changed their meaning"],
  ];
  return checks.filter(([isFault]) => isFault).map(([, what]) => what);
}

async function soakPresses(): Promise<string[]> {
  console.log(`pressing ${presses} marks in a window that changes after each read (seed ${seed}) …`);
  const faults: string[] = [];
  // GTK 3 keeps something of every widget that was ever exposed: after thousands of changes the window itself is slow.
  for (let done = 0; done < presses; done += windowPresses) {
    const report = await churnPresses(Math.min(windowPresses, presses - done), seed + done);
    console.log(`  ${done + windowPresses}: ${summarise(report)}`);
    faults.push(...[...report.wrong, ...report.exchanged].map((story) => `another control was pressed: ${story}`));
    faults.push(...report.lost.map((story) => `a press was lost: ${story}`));
  }
  return faults;
}

/** Random desktops in memory under random changes. Every batch has a new map: large maps are not what is tested here. */
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

async function soakRestarts(): Promise<string[]> {
  console.log(`starting ${restarted.length} applications ${restarts} times again …`);
  const faults: string[] = [];
  const total = { seen: 0, kept: 0 };
  for (const one of restarted) {
    const { app, seen, kept, lost, passed } = await restartOften(one, restarts);
    console.log(`  ${app}: ${kept} of ${seen} kept${lost.length > 0 ? `; lost: ${lost.slice(0, 5).join("; ")}` : ""}`);
    total.seen += seen;
    total.kept += kept;
    faults.push(...passed.map((story) => `a mark of ${app} passed to another control: ${story}`));
  }
  const share = total.kept / total.seen;
  console.log(
    `  ${total.kept} of ${total.seen} (${(100 * share).toFixed(2)} %) kept, ${faults.length} passed to another`,
  );
  return share >= minKept ? faults : [...faults, `only ${(100 * share).toFixed(2)} % of the marks were kept`];
}

async function soakKills(): Promise<string[]> {
  const count = kills ?? 1000;
  console.log(`killing ${count} processes while they write one map (seed ${seed}) …`);
  const { stored, faults } = await killWriters(count, seed, console.log);
  console.log(`  ${stored} reads were stored`);
  return [...faults];
}

function soakLaws(seeds: number): string[] {
  const suites = ["model", "platform", "show", "find", "picture", "tools", "guard"].map((name) => `./tests/${name}`);
  console.log(`property tests of ${suites.join(", ")} with ${seeds} other seeds (from ${seed}) …`);
  return Array.from({ length: seeds }, (_, index) => seed + index).flatMap((other) => {
    const env = { ...process.env, DESKMAP_TEST_SEED: String(other) };
    const run = spawnSync(process.execPath, ["test", "--timeout", "60000", ...suites], { env, encoding: "utf8" });
    const failed = `${run.stdout}${run.stderr}`.split("\n").filter((line) => line.startsWith("(fail)"));
    return run.status === 0
      ? []
      : [`a property failed with DESKMAP_TEST_SEED=${other}: ${[...new Set(failed)].join("; ")}`];
  });
}

function soakRules(count: number): string[] {
  console.log(`${count} sequences of clients, turns, rules, focus changes and stops with the seed ${seed} …`);
  const env = { ...process.env, DESKMAP_TEST_SEED: String(seed), DESKMAP_TEST_RUNS: String(count) };
  const words = ["test", "--timeout", "86400000", "./tests/guard/rule-model.test.ts"];
  const beganMs = performance.now();
  const run = spawnSync(process.execPath, words, { env, encoding: "utf8" });
  const said = `${run.stdout}${run.stderr}`.split("\n");
  console.log(
    `${said.find((line) => line.startsWith("{")) ?? ""} in ${Math.round((performance.now() - beganMs) / 1000)} s`,
  );
  if (run.status === 0) return [];
  const found = said.filter((line) => /^(Received|Counterexample|error)/.test(line));
  return [`the guard and the model differ with DESKMAP_TEST_SEED=${seed}: ${found.join("; ")}`];
}
