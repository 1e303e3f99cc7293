import { showShare } from "../share.ts";
import { formatTable, spreadOf } from "../table.ts";
import { type DemoSpec, kinds } from "./demo.ts";
import { demos } from "./index.ts";
import { countFates, type RecordLine, type ReplayLine, type ResultLog } from "./log.ts";
import { type Outcome, replayers } from "./replay.ts";

const outcomes: readonly Outcome[] = ["right", "stopped", "stopped, with harm", "wrong"];
const named: Readonly<Record<string, string>> = {
  deskmap: "Deskmap",
  names: "role + name",
  points: "coordinates",
};

export function tellRecording(log: ResultLog): string {
  const toolkits = [...new Set(demos.map(({ toolkit }) => toolkit))];
  const rows = (["human", "full"] as const).flatMap((pace) => {
    const own = log.records.filter((line) => line.pace === pace);
    const groups = toolkits.map((toolkit) => [toolkit, own.filter(({ demo }) => toolkitOf(demo) === toolkit)] as const);
    return [...groups, ["all", own] as const]
      .filter(([, lines]) => lines.length > 0)
      .map(([toolkit, lines]) => [pace, toolkit, String(lines.length), ...countAll(lines)]);
  });
  const head = [
    "speed",
    "toolkit",
    "demos",
    "steps",
    "right",
    "of them doubted",
    "wrong, marked",
    "wrong, unmarked",
    "missing",
    "doubled",
  ];
  return formatTable({ head, rows });
}

function countAll(lines: readonly RecordLine[]): readonly string[] {
  const steps = lines.flatMap(({ recorded }) => recorded.verdict.steps);
  const right = countFates(lines, "right");
  const doubted = steps.filter(({ fate, doubt }) => fate === "right" && doubt !== undefined).length;
  const doubled = lines.reduce((sum, { recorded }) => sum + recorded.verdict.doubled.length, 0);
  const rest = (["marked", "wrong", "missing"] as const).map((fate) => String(countFates(lines, fate)));
  return [String(steps.length), showShare(right, steps.length), String(doubted), ...rest, String(doubled)];
}

function toolkitOf(name: string): DemoSpec["toolkit"] | undefined {
  return demos.find((demo) => demo.name === name)?.toolkit;
}

/** On the same screen, and by drift. */
export function tellReplays(log: ResultLog): string {
  const isDrift = ({ drift }: ReplayLine): boolean => drift !== undefined;
  const groups: readonly (readonly [string, (line: ReplayLine) => boolean])[] = [
    ["the same screen", (line) => !isDrift(line)],
    ["all drifts", isDrift],
    ...kinds.map((kind) => [kind, (line: ReplayLine) => line.drift === kind] as const),
  ];
  const rows = groups.flatMap(([name, isIn]) =>
    replayers.flatMap((replayer) => {
      const own = log.replays.filter((line) => line.replayer === replayer && isIn(line));
      if (own.length === 0) return [];
      const [right = 0, ...rest] = outcomes.map((outcome) => own.filter((line) => line.outcome === outcome).length);
      return [[name, named[replayer] ?? "", showShare(right, own.length), ...rest.map(String)]];
    }),
  );
  const head = ["screen", "replayer", "right end state", "stopped", "stopped, with harm", "silently wrong"];
  return formatTable({ head, rows });
}

/** Times as fast as the person, and milliseconds for a click in GTK 3. */
export function measureSpeed(log: ResultLog): {
  readonly faster: readonly number[];
  readonly clicksMs: readonly number[];
} {
  const own = log.replays.filter(({ replayer, drift, outcome }) => {
    return replayer === "deskmap" && drift === undefined && outcome === "right";
  });
  const faster = own.flatMap(({ demo, tookMs }) => {
    const record = log.findRecord(demo, "human");
    return record === undefined ? [] : [record.recorded.tookMs / tookMs];
  });
  const clicksMs = own.filter(({ demo }) => toolkitOf(demo) === "GTK 3").flatMap((line) => line.clicksMs);
  return { faster, clicksMs };
}

export function tellSpeed(log: ResultLog): string {
  const { faster, clicksMs } = measureSpeed(log);
  const [ratio, click] = [spreadOf(faster), spreadOf(clicksMs)];
  return (
    `A replay took ${ratio.median.toFixed(1)} times less than the robot at a person's pace (median of ${faster.length}; ` +
    `${ratio.min.toFixed(1)} to ${ratio.max.toFixed(1)}); a click step in GTK 3 ${Math.round(click.median)} ms ` +
    `(median of ${clicksMs.length}; ${Math.round(click.min)} to ${Math.round(click.max)}).`
  );
}

/** Everything that did not go as it should, one line each. */
export function listStories(log: ResultLog): readonly string[] {
  const recorded = log.records.flatMap(({ demo, pace, recorded: { verdict, isDone } }) => [
    ...(isDone ? [] : [`${demo}, ${pace}: the robot itself did not reach the end state`]),
    ...verdict.steps
      .filter(({ fate }) => fate !== "right")
      .map(
        ({ fate, doubt, story }) => `${demo}, ${pace}: ${fate}: ${story}${doubt === undefined ? "" : ` (${doubt})`}`,
      ),
    ...verdict.doubled.map((story) => `${demo}, ${pace}: doubled: ${story}`),
  ]);
  const replayed = log.replays
    .filter(({ replayer, outcome }) => replayer === "deskmap" && outcome !== "right")
    .map(({ demo, drift = "same", seed, outcome, story }) => `${demo}, ${drift} (${seed}): ${outcome}: ${story}`);
  return [...recorded, ...replayed, ...log.broken.map(({ what, why }) => `${what}: not tried: ${why}`)];
}
