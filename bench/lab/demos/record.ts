import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RecordedAction } from "../../../src/model/demo.ts";
import { launcher, startAtTerminal } from "../../../tests/guard/terminal-session.ts";
import { waitFor } from "../../../tests/wait.ts";
import type { DemoSpec } from "./demo.ts";
import { judgeRecording, type RecordingVerdict } from "./judge.ts";
import type { Done, Pace } from "./robot.ts";
import type { Stage } from "./stage.ts";

export interface Recorded {
  /** Under this name. */
  readonly name: string;
  readonly done: readonly Done[];
  readonly verdict: RecordingVerdict;
  /** Whether the robot itself reached the end state. */
  readonly isDone: boolean;
  /** From the first to the last input. */
  readonly tookMs: number;
  readonly doubts: number;
}

/** Nothing more is written down after this time without a new step. */
const quietMs = 2500;
/** While some are missing: reading a picture takes seconds. */
const longestMs = 15_000;

/** The robot works while a person at a terminal records. */
export async function recordDemo(stage: Stage, demo: DemoSpec, pace: Pace, name: string): Promise<Recorded> {
  // What could not be saved before is in the way.
  await stage.deskmap("record", "stop", "--discard");
  const running = await stage.start(demo);
  const { env } = stage.scene.sandbox;
  const file = join(env.XDG_STATE_HOME ?? "", "deskmap/recording/steps.jsonl");
  const terminal = startAtTerminal([launcher, "record", "start", name, "--replace"], env);
  try {
    await terminal.see("work as usual");
    const startedAt = performance.now();
    const done = await stage.robot.run(running.pid, running.title, demo.orders, pace);
    const tookMs = performance.now() - startedAt;
    const actions = await readQuiet(file, demo.orders.length);
    const isDone = await comesTrue(() => demo.isDone(stage.endState(running)));
    terminal.type("\u0003");
    await terminal.ended;
    const doubts = (terminal.shown().match(/^\s*step \d+: /gm) ?? []).length;
    return { name, done, verdict: judgeRecording(done, actions, demo), isDone, tookMs, doubts };
  } finally {
    await terminal.leave();
    await stage.stop(running);
  }
}

/** The steps, once no more come. */
async function readQuiet(file: string, wanted: number): Promise<readonly RecordedAction[]> {
  let [text, sinceMs] = ["", performance.now()];
  await waitFor("the last step", () => {
    const now = existsSync(file) ? readFileSync(file, "utf8") : "";
    if (now !== text) [text, sinceMs] = [now, performance.now()];
    const isAll = text.split("\n").length > wanted;
    return performance.now() - sinceMs > (isAll ? quietMs : longestMs);
  });
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line): RecordedAction => JSON.parse(line)).toSorted((a, b) => a.atMs - b.atMs);
}

/** Whether it becomes so: an application may still be about to do what it was told. */
export async function comesTrue(isTrue: () => boolean | Promise<boolean>): Promise<boolean> {
  try {
    await waitFor("the end state", isTrue, 3000);
    return true;
  } catch {
    return false;
  }
}
