import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { COMPILE } from "../scripts/jobs/build.mjs";
import type { App } from "./lab/apps.ts";
import { isQuick, onlyApps } from "./lab/options.ts";
import { installPeers, listPeers } from "./lab/peers.ts";
import { makePressers, type Presser, type PressReport, presserNames } from "./lab/press.ts";
import { describeMisses, publish } from "./lab/results.ts";
import { openStage, type Stage } from "./lab/stage.ts";
import { formatTable, showMs, showRange, showRatio, spreadOf } from "./lab/table.ts";

const rounds = isQuick ? 3 : 15;
/** How many times as fast as cua-driver a press with its verified effect is to be. */
const bar = 3;
const title = "Counts its presses";
const label = "Count";
const longestWaitMs = 3000;

const launcher = fileURLToPath(new URL("../deskmap", import.meta.url));
const mainSource = fileURLToPath(new URL("../src/cli/main.ts", import.meta.url));
const fixture = fileURLToPath(new URL("../tests/fixtures/apps/counter.py", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "deskmap-bench-"));
const dist = join(folder, "deskmap");

const toolkits = [
  { name: "gtk3", toolkit: "GTK 3" },
  { name: "gtk4", toolkit: "GTK 4" },
  { name: "qt5", toolkit: "Qt 5" },
].filter(({ name }) => onlyApps === undefined || onlyApps.includes(name));

interface Press extends PressReport {
  /** Whether the application itself counted exactly one press more. */
  readonly isCounted: boolean;
}

function makeApp(name: string, toolkit: string, state: string): App {
  return {
    name,
    toolkit,
    title: new RegExp(`^${title}$`),
    prepare: () => ["/usr/bin/python3", fixture, state, title, name],
  };
}

function countPresses(state: string): number {
  return JSON.parse(readFileSync(state, "utf8")).presses.length;
}

/** The mark of the button, as a user gets it. */
function readMark({ env, subject }: Stage): number {
  const args = ["find", label, "--window-id", String(subject.id), "--role", "button", "--format", "json"];
  const { stdout, stderr } = spawnSync(dist, args, { env, encoding: "utf8" });
  const mark = Number(/"i":(\d+)/.exec(stdout)?.[1]);
  if (Number.isNaN(mark)) throw new Error(`deskmap find: ${stdout}${stderr}`);
  return mark;
}

async function pressOnce(presser: Presser, stage: Stage, mark: number, state: string): Promise<Press> {
  const before = countPresses(state);
  const expected = `${before + 1} presses`;
  const { pid, id: windowId } = stage.subject;
  const report = await presser.press({ pid, windowId, label, mark, expected });
  const deadline = performance.now() + longestWaitMs;
  while (countPresses(state) === before && performance.now() < deadline) await pause(20);
  return { ...report, isCounted: countPresses(state) === before + 1 };
}

async function measure(name: string, toolkit: string): Promise<Map<string, Press[]>> {
  const state = join(folder, `${name}.json`);
  const stage = await openStage(makeApp(name, toolkit, state));
  const presses = new Map<string, Press[]>();
  // Compiles the source, if the source has changed since.
  spawnSync(launcher, ["--version"], { env: stage.env });
  const mark = readMark(stage);
  const pressers = makePressers(stage.env, dist, launcher);
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const first = round % pressers.length;
      for (const presser of [...pressers.slice(first), ...pressers.slice(0, first)]) {
        const press = await pressOnce(presser, stage, mark, state);
        await stage.waitUntilQuiet();
        presses.set(presser.name, [...(presses.get(presser.name) ?? []), press]);
        const { ms, verdict, isCounted } = press;
        console.log(
          `  ${name} ${round}/${rounds}  ${presser.name}: ${showMs(ms)} ms, ${verdict}${isCounted ? "" : ", NOT COUNTED"}`,
        );
      }
    }
    return presses;
  } finally {
    for (const presser of pressers) presser.close();
    await stage.close();
  }
}

await installPeers();
const compiled = spawnSync(process.execPath, ["build", mainSource, ...COMPILE, "--outfile", dist], {
  encoding: "utf8",
});
if (compiled.status !== 0) throw new Error(`deskmap could not be compiled: ${compiled.stderr}`);

const figures: string[][] = [];
const verdicts: string[][] = [];
const misses: string[] = [];
try {
  for (const { name, toolkit } of toolkits) {
    const presses = await measure(name, toolkit);
    // The first round is for running in: it is told, and counts for nothing else.
    const spreadFor = (one: string) => spreadOf((presses.get(one) ?? []).slice(1).map(({ ms }) => ms));
    for (const [one, list] of presses) {
      const spread = spreadFor(one);
      const said = [...new Set(list.map(({ verdict }) => verdict))].join("; ");
      const counted = list.filter(({ isCounted }) => isCounted).length;
      const first = showMs(list[0]?.ms ?? Number.NaN);
      figures.push([
        toolkit,
        one,
        first,
        showMs(spread.median),
        showRange(spread),
        `${counted} of ${list.length}`,
        said,
      ]);
      if (counted < list.length) misses.push(`${toolkit}, ${one}: ${list.length - counted} presses were not counted`);
    }
    for (const [ours, theirs] of [
      [presserNames.dist, presserNames.cuaWhole],
      [presserNames.launcher, presserNames.cuaWhole],
      [presserNames.inProcess, presserNames.cua],
      [presserNames.dist, presserNames.cua],
    ] as const) {
      const ratio = spreadFor(theirs).median / spreadFor(ours).median;
      // A whole process of ours against a peer that has loaded and looked before is told, not judged.
      const isJudged = !(ours === presserNames.dist && theirs === presserNames.cua);
      const isMet = ratio >= bar;
      verdicts.push([
        toolkit,
        ours,
        showMs(spreadFor(ours).median),
        theirs,
        showMs(spreadFor(theirs).median),
        showRatio(ratio),
        isJudged ? showRatio(bar) : "—",
        isJudged ? (isMet ? "met" : "NOT MET") : "—",
      ]);
      if (isJudged && !isMet) misses.push(`${toolkit}, ${ours}: ${showRatio(ratio)} where ${showRatio(bar)} is asked`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

publish("A press and its verified effect", [
  `Peers: ${listPeers()}. Milliseconds, medians${isQuick ? " (a quick run: too few trials to quote)" : ""}.`,
  "One window of 41 buttons, of which one counts its presses in a label beside it; each press is checked in the " +
    "application's own count. The contestants take turns, another one beginning each round, and the window is left alone " +
    "between presses until it is still. Deskmap is given the mark, looks the control up in a fresh view, presses it, and " +
    "looks again until the effect is seen. cua-driver is given the button's token from its last look, clicks it in the " +
    "background, and reads the window's state again without a screenshot, as its guide says one should verify. In process, " +
    "code is loaded and connections are open; a whole process is timed from its start until it has told what came of it, " +
    "and cua-driver's has to look for the token first, since tokens do not outlive it. The first press of each, in the order " +
    "of the table, is told apart: whoever comes first in a fresh map pays for what Deskmap learns of the window once, also " +
    "whether the label counts by itself.",
  formatTable({
    head: ["toolkit", "contestant", "first ms", "median ms", "min–max", "counted", "said"],
    rows: figures,
  }),
  formatTable({
    head: ["toolkit", "deskmap", "ms", "against", "ms", "ratio", "bar", "verdict"],
    rows: verdicts,
  }),
  describeMisses(misses),
]);
