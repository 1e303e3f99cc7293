import type { DemoSpec, DriftKind } from "./demo.ts";
import { findHarm } from "./demo.ts";
import { makeOtherwise, whileSlow } from "./drifts.ts";
import { startOf } from "./panel.ts";
import { comesTrue, type Recorded } from "./record.ts";
import type { Running, Stage } from "./stage.ts";

export const replayers = ["deskmap", "names", "points"] as const;
export type Replayer = (typeof replayers)[number];

/** What came of one replay, by the end state of its application. */
export type Outcome =
  | "right"
  /** It said that it stopped, and so did not finish. */
  | "stopped"
  /** It stopped, and had touched something else. */
  | "stopped, with harm"
  /** It said that all was done, and it was not. */
  | "wrong";

export interface Replayed {
  readonly outcome: Outcome;
  readonly story: string;
  readonly tookMs: number;
  /** Of Deskmap's own steps. */
  readonly clicksMs: readonly number[];
}

export interface Trial {
  readonly demo: DemoSpec;
  readonly recorded: Recorded;
  readonly replayer: Replayer;
  readonly drift?: DriftKind | undefined;
  readonly seed: number;
}

/** Replays a demo in a new instance of its application, and asks the application what came of it. */
export async function tryReplay(stage: Stage, { demo, recorded, replayer, drift, seed }: Trial): Promise<Replayed> {
  const otherwise = drift === undefined ? {} : makeOtherwise(demo, drift, seed);
  const running = await stage.start(demo, otherwise);
  try {
    const work = (): Promise<Claim> => claims[replayer]({ stage, demo, recorded, running, drift });
    const claim = drift === "slow" ? await whileSlow(running, seed, work) : await work();
    const isDone = claim.isFinished
      ? await comesTrue(() => demo.isDone(stage.endState(running)))
      : await demo.isDone(stage.endState(running));
    const harm = tellHarm(stage, running, demo, otherwise.panel?.controls);
    const story = [claim.story, harm ?? ""].filter((text) => text !== "").join("; ");
    const outcome = claim.isFinished
      ? isDone && harm === undefined
        ? "right"
        : "wrong"
      : harm === undefined
        ? "stopped"
        : "stopped, with harm";
    return { outcome, story, tookMs: claim.tookMs, clicksMs: claim.clicksMs ?? [] };
  } finally {
    await stage.stop(running);
  }
}

function tellHarm(
  stage: Stage,
  running: Running,
  { panel, wanted }: DemoSpec,
  controls = panel?.controls ?? [],
): string | undefined {
  const { state } = stage.endState(running);
  if (wanted === undefined || state === undefined) return undefined;
  return findHarm(startOf(controls), state, wanted);
}

interface Claim {
  readonly isFinished: boolean;
  readonly story: string;
  readonly tookMs: number;
  readonly clicksMs?: readonly number[];
}

interface Attempt {
  readonly stage: Stage;
  readonly demo: DemoSpec;
  readonly recorded: Recorded;
  readonly running: Running;
  readonly drift: DriftKind | undefined;
}

const claims: Readonly<Record<Replayer, (attempt: Attempt) => Promise<Claim>>> = {
  deskmap: byDeskmap,
  names: (attempt) => byRobot("names", attempt),
  points: (attempt) => byRobot("points", attempt),
};

interface Report {
  readonly runs?: readonly {
    readonly tookMs: number;
    readonly steps: readonly { readonly words: string; readonly state: string; readonly tookMs: number }[];
    readonly stop?: { readonly step: number; readonly words: string; readonly message: string };
  }[];
}

/** How long a step waits for what it needs. */
const timeoutMs = 5000;

async function byDeskmap({ stage, demo, recorded, drift }: Attempt): Promise<Claim> {
  const more = [
    // Of a control with another label, only a part of the ref is left.
    ...(drift === "relabelled" || drift === "locale" ? ["--heal"] : []),
    ...(demo.toolkit === "canvas" ? ["--allow-coordinates"] : []),
  ];
  // The robot knows what it meant: a doubt of the recording is no reason to stop, and must do no harm.
  const words = [
    "replay",
    recorded.name,
    "--allow-doubtful",
    "--timeout",
    String(timeoutMs),
    "--format",
    "json",
    ...more,
  ];
  const { status, stdout, stderr, tookMs } = await stage.deskmap(...words);
  const [run] = readReport(stdout).runs ?? [];
  const steps = run?.steps ?? [];
  const clicksMs = steps
    .filter(({ words: told, state }) => state === "done" && told.startsWith("click "))
    .map((step) => step.tookMs);
  const stop =
    run?.stop === undefined
      ? stderr.trim().slice(0, 300)
      : `step ${run.stop.step}, ${run.stop.words}: ${run.stop.message}`;
  return { isFinished: status === 0, story: status === 0 ? "" : stop, tookMs: run?.tookMs ?? tookMs, clicksMs };
}

function readReport(text: string): Report {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

async function byRobot(by: "names" | "points", { stage, recorded, running }: Attempt): Promise<Claim> {
  const { done } = recorded;
  const startedAt = performance.now();
  const count = await stage.robot.repeat(running.pid, by, done);
  const isFinished = count === done.length;
  const story = isFinished ? "" : `stopped at order ${count + 1}`;
  return { isFinished, story, tookMs: performance.now() - startedAt };
}
