import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { permissive, setPolicy } from "../../../tests/desktop/policy.ts";
import { openScene, type Scene, waitFor } from "../../../tests/desktop/scene.ts";
import { makeData } from "./data.ts";
import { findModal, isFocusElsewhere, listBlockedDifferences, listDifferences, look, type Sight } from "./sight.ts";
import type { Check, Desk, Plan, Step, Task } from "./task.ts";

const launcher = join(import.meta.dir, "../../../deskmap");
/** How long an effect may take to be seen by the other route. */
const effectMs = 4000;

/** What a step was said to do, and what is wrong about that. */
export interface Outcome {
  readonly line: string;
  /** A verdict, the code of a refusal, or "read". */
  readonly verdict: string;
  readonly ms: number;
  /** False verdicts, and presses through a modal dialog. */
  readonly faults: readonly string[];
  /** What the other routes do not show, and no check of the step decides. */
  readonly doubts: readonly string[];
}

export interface TrialReport {
  readonly task: string;
  readonly outcomes: readonly Outcome[];
  /** Why the final state is not the wanted one. */
  readonly failure?: string;
}

/** Carries out one task on a desktop of its own. */
export async function tryTask(task: Task, seed: number, hasDaemon: boolean): Promise<TrialReport> {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-task-"));
  const scene = await openScene({ width: 1280, height: 900 });
  const outcomes: Outcome[] = [];
  try {
    setPolicy(scene, permissive);
    const plan = task.plan(makeData(seed, folder));
    checkLength(task, plan);
    for (const [name, content] of Object.entries(plan.files ?? {})) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    await scene.start(plan.open, plan.title);
    await scene.settle();
    const failure = await new Trial(scene, hasDaemon, outcomes).run(plan);
    return { task: task.name, outcomes, ...(failure === undefined ? {} : { failure }) };
  } catch (error) {
    return { task: task.name, outcomes, failure: error instanceof Error ? error.message : String(error) };
  } finally {
    await scene.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function checkLength({ name }: Task, { steps }: Plan): void {
  if (steps.length < 5 || steps.length > 15) throw new Error(`"${name}" has ${steps.length} steps`);
}

interface Answer {
  readonly status: number;
  readonly verdict: string;
  readonly isDelivered: boolean;
  readonly evidence: string;
  readonly data: unknown;
}

class Trial implements Desk {
  private seen: Sight | undefined;
  private readonly answers: unknown[] = [];

  constructor(
    readonly scene: Scene,
    private readonly hasDaemon: boolean,
    private readonly outcomes: Outcome[],
  ) {}

  look(): Sight {
    this.seen ??= look(this.scene);
    return this.seen;
  }

  /** Why the final state is not the wanted one; undefined if it is. */
  async run({ steps, check }: Plan): Promise<string | undefined> {
    for (const step of steps) {
      const failure = await this.take(step);
      if (failure !== undefined) return failure;
    }
    return (await this.comesTrue(check)) ? undefined : `not so at the end: ${check.what}`;
  }

  private async take(step: Step): Promise<string | undefined> {
    const words = step.line.map((word) => (typeof word === "string" ? word : word(this.answers)));
    const before = this.look();
    const wasSo = step.effect?.holds(this) ?? false;
    const startedAt = performance.now();
    const answer = this.call(words);
    const ms = performance.now() - startedAt;
    this.answers.unshift(answer.data);
    this.seen = undefined;
    const line = words.map((word) => (/[\s"]/.test(word) ? JSON.stringify(word) : word)).join(" ");
    const isSo = step.effect === undefined ? undefined : await this.comesTrue(step.effect, answer);
    const verdict = { ...answer, step, wasSo, isSo, before, after: this.look() };
    const [faults, doubts] = [faultRules, doubtRules].map((rules) =>
      rules.flatMap((rule) => rule(verdict)).map((what) => `${what}; said: ${answer.verdict}: ${answer.evidence}`),
    );
    this.outcomes.push({ line, verdict: answer.verdict, ms, faults: faults ?? [], doubts: doubts ?? [] });
    if (step.refusal !== undefined)
      return answer.verdict === step.refusal ? undefined : `not ${step.refusal}: ${line} → ${answer.verdict}`;
    return answer.status === 0 || answer.status === 4 ? undefined : `${line} → ${answer.verdict}: ${answer.evidence}`;
  }

  private call(words: readonly string[]): Answer {
    const env = { ...this.scene.sandbox.env, DESKMAP_DAEMON: this.hasDaemon ? "start" : "never" };
    const { status, stdout, stderr } = spawnSync(launcher, words, { env, encoding: "utf8", maxBuffer: 64 << 20 });
    const data = parse(stdout) ?? parse(stderr) ?? {};
    const { effect, delivered = false, evidence = [], error } = data;
    return {
      status: status ?? -1,
      verdict: effect ?? error?.code ?? (status === 0 ? "read" : `exit ${status}`),
      isDelivered: delivered,
      evidence: error === undefined ? evidence.join("; ") : `${error.message} ${error.nearest?.join("; ") ?? ""}`,
      data,
    };
  }

  /** A confirmed effect may be seen a moment later by the other route; one that is denied must not come. */
  private async comesTrue(check: Check, answer?: Answer): Promise<boolean> {
    const isDenied = answer !== undefined && answer.verdict !== "confirmed";
    try {
      await waitFor(
        check.what,
        () => {
          this.seen = undefined;
          return check.holds(this);
        },
        isDenied ? effectMs / 4 : effectMs,
      );
      return true;
    } catch {
      return false;
    }
  }
}

interface Said {
  readonly effect?: string;
  readonly delivered?: boolean;
  readonly evidence?: readonly string[];
  readonly error?: { readonly code: string; readonly message: string; readonly nearest?: readonly string[] };
}

function parse(text: string): Said | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Case extends Answer {
  readonly step: Step;
  readonly wasSo: boolean;
  /** Undefined if the step has no check of its own. */
  readonly isSo: boolean | undefined;
  readonly before: Sight;
  readonly after: Sight;
}

type Rule = (one: Case) => readonly string[];

const faultRules: readonly Rule[] = [
  ({ verdict, isSo, step }) =>
    verdict === "confirmed" && isSo === false ? [`FALSE confirmed: not so: ${step.effect?.what}`] : [],
  ({ verdict, isSo, wasSo, step }) =>
    verdict === "no-change" && isSo === true && !wasSo ? [`FALSE no-change: ${step.effect?.what}`] : [],
  ({ verdict, before, after }) => {
    const differences = verdict === "no-change" ? listDifferences(before, after) : [];
    return differences.length > 0 ? [`FALSE no-change: ${tell(differences)}`] : [];
  },
  ({ step, isDelivered, before, after }) => {
    const differences = step.refusal !== undefined ? listDifferences(before, after) : [];
    return isDelivered || differences.length === 0 ? [] : [`refused, and yet: ${tell(differences)}`];
  },
  ({ isDelivered, before, after }) => {
    if (!isDelivered || findModal(before) === undefined || findModal(after)?.name !== findModal(before)?.name)
      return [];
    const differences = listBlockedDifferences(before, after);
    return differences.length > 0 ? [`THROUGH A MODAL: ${tell(differences)}`] : [];
  },
];

const doubtRules: readonly Rule[] = [
  ({ verdict, isSo, evidence, before, after }) => {
    if (verdict !== "confirmed" || isSo !== undefined || /already/.test(evidence)) return [];
    const isSame = listDifferences(before, after).length === 0 && !isFocusElsewhere(before, after);
    return isSame ? ["confirmed, and nothing else shows it"] : [];
  },
  ({ verdict, isSo, wasSo }) =>
    verdict !== "confirmed" && isSo === true && !wasSo ? ["it worked, and was not confirmed"] : [],
];

function tell(differences: readonly string[]): string {
  const shown = differences.slice(0, 4).map((line) => line.slice(0, 120));
  return `${shown.join(" ¦ ")}${differences.length > 4 ? ` ¦ ${differences.length - 4} more` : ""}`;
}
