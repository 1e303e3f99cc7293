import { formatTable } from "../../lab/table.ts";
import { applications } from "./apps/index.ts";
import type { Application } from "./task.ts";
import { type Outcome, type TrialReport, tryTask } from "./trial.ts";

/** The least share of tasks that end in the wanted state. */
const minDone = 0.95;

export interface TasksOptions {
  readonly tasks: number;
  readonly seed: number;
  readonly only?: readonly string[] | undefined;
  readonly verbose?: boolean;
}

interface Tried extends TrialReport {
  readonly app: string;
}

/** Carries out tasks in turn, each with other data, until there were as many as wanted. */
export async function soakTasks({ tasks, seed, only, verbose = false }: TasksOptions): Promise<readonly string[]> {
  const wanted = applications.filter(({ name }) => only === undefined || only.includes(name));
  const there = wanted.filter(({ program }) => Bun.which(program) !== null);
  explainMissing(wanted.filter((one) => !there.includes(one)));
  const rounds = there.map((app) => app.tasks.map((task) => ({ app, task })));
  const all = rounds.flat();
  console.log(`${tasks} tasks of ${all.length} kinds in ${there.length} applications (seed ${seed}) …`);
  const tried: Tried[] = [];
  for (let count = 0; all.length > 0 && count < tasks; count += 1) {
    const { app, task } = all[count % all.length] ?? all[0] ?? fail();
    const startedAt = performance.now();
    // Every kind is tried with a daemon and without one.
    const hasDaemon = (count + Math.floor(count / all.length)) % 2 === 1;
    const report = await tryTask(task, seed + count, hasDaemon);
    tried.push({ ...report, app: app.name });
    tellTrial(app, report, performance.now() - startedAt, seed + count, verbose);
  }
  return summarise(there, tried);
}

function fail(): never {
  throw new Error("no tasks");
}

function explainMissing(missing: readonly Application[]): void {
  if (missing.length === 0) return;
  const packages = missing.map((app) => app.package).join(" ");
  console.log(`left out: ${missing.map(({ name }) => name).join(", ")}. To try them: apt-get install ${packages}`);
}

function tellTrial(
  { name }: Application,
  { task, outcomes, failure }: TrialReport,
  ms: number,
  seed: number,
  isVerbose: boolean,
): void {
  const how = failure === undefined ? "done" : `FAILED: ${failure}`;
  console.log(`  ${name}, ${task} (${seed}): ${outcomes.length} steps, ${(ms / 1000).toFixed(1)} s: ${how}`);
  for (const { line, verdict, ms: stepMs, faults, doubts } of outcomes) {
    if (isVerbose || failure !== undefined || faults.length > 0)
      console.log(`      ${line} → ${verdict}, ${Math.round(stepMs)} ms`);
    for (const what of faults) console.log(`      ! ${line}: ${what}`);
    for (const what of doubts) console.log(`      ? ${line}: ${what}`);
  }
}

const verdicts = ["confirmed", "partial", "unverified", "no-change", "wrong-target", "read"];

function summarise(there: readonly Application[], tried: readonly Tried[]): readonly string[] {
  const rows = there.map(({ name }) => {
    const own = tried.filter(({ app }) => app === name);
    const done = own.filter(({ failure }) => failure === undefined).length;
    return [name, `${done}/${own.length}`, ...countVerdicts(own.flatMap(({ outcomes }) => outcomes))];
  });
  const done = tried.filter(({ failure }) => failure === undefined).length;
  const outcomes = tried.flatMap((one) => one.outcomes);
  rows.push(["all", `${done}/${tried.length}`, ...countVerdicts(outcomes)]);
  console.log(formatTable({ head: ["application", "done", "steps", ...verdicts, "refused", "false"], rows }));
  const faults = tried.flatMap(({ app, task, outcomes }) =>
    outcomes.flatMap(({ line, faults }) => faults.map((what) => `${app}, ${task}: ${line}: ${what}`)),
  );
  const share = done / tried.length;
  return share >= minDone ? faults : [...faults, `only ${(100 * share).toFixed(1)} % of the tasks were done`];
}

function countVerdicts(outcomes: readonly Outcome[]): readonly string[] {
  const counts = verdicts.map((verdict) => outcomes.filter((one) => one.verdict === verdict).length);
  const refused = outcomes.length - counts.reduce((sum, one) => sum + one, 0);
  const wrong = outcomes.reduce((sum, { faults }) => sum + faults.length, 0);
  return [outcomes.length, ...counts, refused, wrong].map(String);
}
