import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { permissive, setPolicy } from "../tests/desktop/policy.ts";
import { openScene, type Scene, waitFor } from "../tests/desktop/scene.ts";
import { type Call, type OfficeTask, officeTasks } from "./lab/office-tasks.ts";
import { onlyApps } from "./lab/options.ts";
import { describeMisses, publish } from "./lab/results.ts";
import { formatTable } from "./lab/table.ts";
import { makeData } from "./soak/tasks/data.ts";
import { look, type Sight } from "./soak/tasks/sight.ts";
import type { Check, Desk, Step } from "./soak/tasks/task.ts";

// Ten tasks as an agent carries them out that knows skills/deskmap/SKILL.md, the task and what the answers say.

const mostCalls = 80;
const mostTokens = 10_000;
const charactersPerToken = 4;
const isVerbose = process.argv.includes("--verbose");
const launcher = join(import.meta.dir, "../deskmap");

interface Outcome {
  readonly name: string;
  readonly app: string;
  readonly calls: number;
  readonly steps: number;
  readonly tokens: number;
  readonly failure?: string;
}

/** A word as a shell needs it. */
const quote = (word: string): string =>
  /^[\w./+,=:-]+$/.test(word)
    ? word
    : /[\n\t']/.test(word)
      ? `$'${word.replaceAll("\n", "\\n").replaceAll("\t", "\\t").replaceAll("'", "\\'")}'`
      : `'${word}'`;

class Agent implements Desk {
  calls = 0;
  steps = 0;
  characters = 0;
  private readonly answers: string[] = [];

  constructor(readonly scene: Scene) {}

  look(): Sight {
    return look(this.scene);
  }

  /** Why it could not go on. */
  call(call: Call): string | undefined {
    const batch = "line" in call ? undefined : call.steps.map((step) => this.spell(step));
    const words = "line" in call ? this.spell(call) : ["do", "-", ...(call.keepsGoing ? ["--keep-going"] : [])];
    const lines = batch?.map((step) =>
      step.map((word) => (/^[\w./+,=:-]+$/.test(word) ? word : JSON.stringify(word))).join(" "),
    );
    const input = lines === undefined ? undefined : `${lines.join("\n")}\n`;
    const typed =
      input === undefined ? ["deskmap", ...words].map(quote).join(" ") : `deskmap ${words.join(" ")} <<'E'\n${input}E`;
    const { status, stdout, stderr } = spawnSync(launcher, words, {
      env: { ...this.scene.sandbox.env, DESKMAP_FORMAT: "text", DESKMAP_DAEMON: "start" },
      encoding: "utf8",
      ...(input === undefined ? {} : { input }),
    });
    const answer = stdout + stderr;
    this.calls += 1;
    this.steps += batch?.length ?? 1;
    this.characters += typed.length + answer.length;
    this.answers.unshift(answer);
    if (isVerbose) console.log(`$ ${typed}\n${answer}`);
    return status === 0 || status === 4 ? undefined : `${typed}: ${answer}`;
  }

  private spell({ line }: Step): string[] {
    return line.map((word) => (typeof word === "string" ? word : word(this.answers)));
  }
}

async function carryOut(task: OfficeTask): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-office-"));
  const scene = await openScene({ width: 1280, height: 900 });
  const agent = new Agent(scene);
  const end = (failure?: string): Outcome => ({
    ...{ name: task.name, app: task.app, calls: agent.calls, steps: agent.steps },
    tokens: Math.ceil(agent.characters / charactersPerToken),
    ...(failure === undefined ? {} : { failure }),
  });
  try {
    setPolicy(scene, permissive);
    const { files = {}, open, title, calls, check } = task.plan(makeData(1, folder));
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    scene.run(launcher, "serve", "--detach");
    await scene.start(open, title);
    await scene.settle();
    for (const call of calls) {
      const failure = agent.call(call);
      if (failure !== undefined) return end(failure);
    }
    return end((await comesTrue(agent, check)) ? undefined : `not so at the end: ${check.what}`);
  } catch (error) {
    return end(error instanceof Error ? error.message : String(error));
  } finally {
    await scene.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function comesTrue(desk: Desk, check: Check): Promise<boolean> {
  try {
    await waitFor(check.what, () => check.holds(desk), 4000);
    return true;
  } catch {
    return false;
  }
}

const outcomes: Outcome[] = [];
for (const task of officeTasks.filter(
  ({ name, app }) => onlyApps === undefined || onlyApps.includes(app) || onlyApps.includes(name),
)) {
  const outcome = await carryOut(task);
  outcomes.push(outcome);
  const { name, app, calls, tokens, failure } = outcome;
  console.log(`  ${app}, ${name}: ${calls} calls, ${tokens} tokens: ${failure ?? "done"}`);
}
const sum = (pick: (one: Outcome) => number): number => outcomes.reduce((total, one) => total + pick(one), 0);
const [calls, tokens, failed] = [
  sum((one) => one.calls),
  sum((one) => one.tokens),
  outcomes.filter((one) => one.failure !== undefined),
];
const misses = [
  ...failed.map(({ name, app }) => `${app}, ${name}: not done`),
  ...(calls > mostCalls ? [`${calls} calls (${mostCalls})`] : []),
  ...(tokens > mostTokens ? [`${tokens} tokens (${mostTokens})`] : []),
];
const rows = outcomes.map((one) => [
  `${one.app}: ${one.name}`,
  ...[one.calls, one.steps, one.tokens].map(String),
  one.failure === undefined ? "done" : "NOT DONE",
]);
rows.push(["all", ...[calls, sum((one) => one.steps), tokens].map(String), misses.length === 0 ? "met" : "NOT MET"]);
const table = formatTable({ head: ["task", "calls", "steps", "tokens", "result"], rows });
if (onlyApps !== undefined) console.log(table);
else
  publish("Office tasks", [
    "Ten tasks scripted as an agent carries them out that knows the skill (skills/deskmap/SKILL.md), the task and what the answers say: words and marks, no knowledge of " +
      `an application's tree. "steps" are commands; several in one \`deskmap do -\` are one call. Tokens are the characters of all commands and answers, as text, divided by ${charactersPerToken}. ` +
      `The application is open at the start, and a daemon runs. Results are read from the disk and from the page. The scripts were written with the answers in view: an agent that errs needs more. At most ${mostCalls} calls and ${mostTokens} tokens.`,
    table,
    describeMisses(misses),
  ]);
process.exit(misses.length === 0 ? 0 : 1);
