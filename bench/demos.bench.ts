import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../src/model/caught.ts";
import { measureListening, tellCost } from "./lab/demos/cost.ts";
import type { DemoSpec, DriftKind } from "./lab/demos/demo.ts";
import { chooseDrifts } from "./lab/demos/drifts.ts";
import { demos } from "./lab/demos/index.ts";
import { ResultLog } from "./lab/demos/log.ts";
import { recordDemo } from "./lab/demos/record.ts";
import { replayers, tryReplay } from "./lab/demos/replay.ts";
import type { Pace } from "./lab/demos/robot.ts";
import { Stage } from "./lab/demos/stage.ts";
import { listStories, measureSpeed, tellRecording, tellReplays, tellSpeed } from "./lab/demos/tell.ts";
import { isQuick, onlyApps } from "./lab/options.ts";
import { describeMisses, publish } from "./lab/results.ts";
import { spreadOf } from "./lab/table.ts";

/**
 * `npm run bench -- demos [--quick] [--only=DEMO,…] [--drifts=N] [--seed=N] [--keep=FOLDER] [--parts=record,same,drift,cost]`: a robot
 * does 30 pieces of work while Deskmap records, each is replayed on the same screen and on screens that have drifted, and the
 * applications themselves tell what came of it. Two plain replayers do the same. With --keep a later run goes on.
 */
const option = (name: string, otherwise: string): string =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise;
const seed = Number(option("seed", "1907"));
const driftCount = Number(option("drifts", isQuick ? "1" : "12"));
const parts = option("parts", "record,same,drift,cost").split(",");
const paces: readonly Pace[] = isQuick ? ["human"] : ["human", "full"];
const keep = option("keep", "");
const log = new ResultLog(keep === "" ? undefined : keep);

const quickDemos = ["gtk3-order", "qt-twins", "chromium-order"];
const wanted = demos.filter(({ name }) => onlyApps?.includes(name) ?? (!isQuick || quickDemos.includes(name)));

const accused: string[] = [];
if (["record", "same", "drift"].some((part) => parts.includes(part))) await onStage(undefined, workHere);
const elsewhere = wanted.filter((demo) => parts.includes("drift") && listDrifts(demo).includes("window manager"));
if (elsewhere.length > 0) {
  await onStage("xfwm4", async (stage) => {
    for (const demo of elsewhere) await replay(stage, demo, "window manager", seedOf(demo));
  });
}
if (parts.includes("cost")) log.add({ of: "cost", told: tellCost(await measureListening(isQuick ? 10 : 60)) });
tell();

async function onStage(
  manager: Parameters<typeof Stage.open>[0],
  work: (stage: Stage) => Promise<void>,
): Promise<void> {
  const stage = await Stage.open(manager);
  try {
    await work(stage);
  } finally {
    accused.push(...(await stage.close()));
  }
}

async function workHere(stage: Stage): Promise<void> {
  for (const demo of wanted) {
    if (parts.includes("record")) for (const pace of paces) await record(stage, demo, pace);
    if (parts.includes("same")) await replay(stage, demo, undefined, seed);
  }
  // One drift of each demo after the other, so that a run that is ended early has some of all.
  for (let round = 0; parts.includes("drift") && round < driftCount; round += 1) {
    for (const demo of wanted) {
      const kind = listDrifts(demo)[round];
      if (kind !== undefined && kind !== "window manager") await replay(stage, demo, kind, seedOf(demo));
    }
  }
}

function seedOf({ name }: DemoSpec): number {
  return seed + demos.findIndex((demo) => demo.name === name);
}

function listDrifts(demo: DemoSpec): readonly DriftKind[] {
  return chooseDrifts(demo, driftCount, seedOf(demo));
}

async function record(on: Stage, demo: DemoSpec, pace: Pace): Promise<void> {
  if (log.findRecord(demo.name, pace) !== undefined) return;
  const what = `${demo.name}, ${pace}`;
  try {
    const recorded = await recordDemo(on, demo, pace, `${demo.name}-${pace}`);
    const file = join(on.scene.sandbox.env.XDG_DATA_HOME ?? "", `deskmap/demos/${recorded.name}.demo.json`);
    const kept = join(log.folder, `${recorded.name}.demo.json`);
    copyFileSync(file, kept);
    log.add({ of: "record", demo: demo.name, pace, recorded: { ...recorded, name: kept } });
    const fates = recorded.verdict.steps.map(({ fate }) => fate).join(" ");
    console.log(`${what}: ${fates}; doubled ${recorded.verdict.doubled.length}; end state ${recorded.isDone}`);
  } catch (error) {
    giveUp(`recording ${what}`, error);
  }
}

async function replay(on: Stage, demo: DemoSpec, drift: DriftKind | undefined, own: number): Promise<void> {
  const line = log.findRecord(demo.name, "human");
  if (line === undefined) return;
  for (const replayer of replayers) {
    if (log.hasReplay(demo.name, replayer, drift)) continue;
    const what = `${demo.name}, ${drift ?? "same screen"}, ${replayer}`;
    try {
      const { recorded } = line;
      const replayed = await tryReplay(on, { demo, recorded, replayer, drift, seed: own });
      log.add({ of: "replay", demo: demo.name, replayer, drift, seed: own, ...replayed });
      console.log(`${what}: ${replayed.outcome}, ${Math.round(replayed.tookMs)} ms ${replayed.story}`);
    } catch (error) {
      giveUp(what, error);
    }
  }
}

function giveUp(what: string, error: unknown): void {
  log.add({ of: "broken", what, why: messageOf(error).slice(0, 300) });
  console.log(`${what}: NOT TRIED: ${messageOf(error)}`);
}

function tell(): void {
  const stories = [...listStories(log), ...accused.map((story) => `the referee: ${story}`)];
  for (const story of stories) console.log(`  ${story}`);
  const paragraphs = [
    `Seed ${seed}; up to ${driftCount} drifts of each demo. Shares with their 95 % intervals after Wilson.`,
    tellRecording(log),
    tellReplays(log),
    tellSpeed(log),
    ...log.costs.slice(-1),
    describeMisses(listMisses()),
  ];
  if (isQuick || onlyApps !== undefined) console.log(paragraphs.join("\n\n"));
  else publish("Demos", paragraphs);
}

function listMisses(): readonly string[] {
  const own = log.replays.filter(({ replayer }) => replayer === "deskmap");
  const share = (isIn: (line: (typeof own)[number]) => boolean): number => {
    const some = own.filter(isIn);
    return some.filter(({ outcome }) => outcome === "right").length / some.length;
  };
  const { faster, clicksMs } = measureSpeed(log);
  const fates = (pace: Pace) =>
    log.records.filter((line) => line.pace === pace).flatMap(({ recorded }) => recorded.verdict.steps);
  const rightShare = (pace: Pace): number => {
    const all = fates(pace);
    return all.filter(({ fate }) => fate === "right").length / all.length;
  };
  const unmarked = [...fates("human"), ...fates("full")].filter(({ fate }) => fate === "wrong").length;
  if (log.records.length === 0) return ["nothing was recorded"];
  const checks: readonly [isMet: boolean, what: string][] = [
    [!(rightShare("human") < 1), "every step right at a person's speed"],
    [!(rightShare("full") < 0.95), "95 % right at full speed"],
    [unmarked === 0, "no step wrong and unmarked"],
    [!(share(({ drift }) => drift === undefined) < 0.98), "98 % on the same screen"],
    [!(share(({ drift }) => drift !== undefined) < 0.95), "95 % of the drifts"],
    [!own.some(({ outcome }) => outcome === "wrong"), "no silent wrong effect"],
    [!(spreadOf(faster).median < 5), "five times as fast as recorded"],
    [!(spreadOf(clicksMs).median > 150), "a click step in GTK 3 in 150 ms"],
  ];
  return checks.filter(([isMet]) => !isMet).map(([, what]) => what);
}
