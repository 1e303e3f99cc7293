import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type App, apps } from "./lab/apps.ts";
import { type Contestant, compete, contestants, type Report } from "./lab/contestant.ts";
import { isQuick, onlyApps } from "./lab/options.ts";
import { installPeers, listPeers } from "./lab/peers.ts";
import { describeMisses, publish } from "./lab/results.ts";
import { formatTable, showMs, showRange, showRatio, spreadOf } from "./lab/table.ts";
import { openTestbed, type Testbed } from "./lab/testbed.ts";

const launcher = fileURLToPath(new URL("../deskmap", import.meta.url));
const wholeProcess = "deskmap, whole process";

interface Bars {
  readonly app: App;
  readonly inProcess: number;
  readonly wholeProcess?: number;
}

const allBars: readonly Bars[] = [
  { app: apps.mousepad, inProcess: 10, wholeProcess: 4 },
  { app: apps.zenity, inProcess: 1 },
  { app: apps["gnome-calculator"], inProcess: 3 },
  { app: apps.featherpad, inProcess: 3, wholeProcess: 2 },
  { app: apps.firefox, inProcess: 10, wholeProcess: 8 },
  { app: apps.chromium, inProcess: 10 },
  { app: apps.calc, inProcess: 10 },
];
const measured = allBars.filter(({ app }) => onlyApps === undefined || onlyApps.includes(app.name));

type Trial = (testbed: Testbed, app: App) => Promise<Report>;

const trials = new Map<string, Trial>([
  ...Object.values(contestants).map((contestant: Contestant): [string, Trial] => [
    contestant.name,
    (testbed, app) => compete(contestant, testbed, app.toolkit, false, app.limits),
  ]),
  [wholeProcess, runWholeProcess],
]);
const wholeRivals = [contestants.cua.name, contestants.walkFull.name];
const allRivals = [...wholeRivals, contestants.walkShown.name];

/** Times a whole process, from its start to its end. */
async function runWholeProcess({ env, subject }: Testbed): Promise<Report> {
  // The launcher compiles the source when it has changed; a user's second start is what is measured.
  spawnSync(launcher, ["--version"], { env });
  const started = performance.now();
  const child = spawn(launcher, ["read", "--window-id", String(subject.id), "--format", "text"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  const ms = performance.now() - started;
  if (code !== 0) throw new Error(`deskmap read ended with ${code}`);
  // Without the two lines that frame piped output.
  const lines = text.trim().split("\n").slice(1, -1);
  return { ms, nodes: lines.length - 1, shown: lines.length - 1, notes: lines.filter((line) => line.startsWith("!")) };
}

function isSlow({ name }: App): boolean {
  return name === apps.firefox.name || name === apps.chromium.name || name === apps.calc.name;
}

async function measure(app: App): Promise<Map<string, Report[]>> {
  const reports = new Map([...trials.keys()].map((name): [string, Report[]] => [name, []]));
  const rounds = isQuick ? 1 : isSlow(app) ? 3 : 5;
  for (let round = 1; round <= rounds; round += 1) {
    const names = [...trials.keys()];
    // The order rotates each round, so that a temporary disturbance affects all contestants alike.
    for (const name of [...names.slice(round % names.length), ...names.slice(0, round % names.length)]) {
      const testbed = await openTestbed(app);
      try {
        const report = await trials.get(name)?.(testbed, app);
        if (report === undefined) continue;
        reports.get(name)?.push(report);
        console.log(`  ${app.name} ${round}/${rounds}  ${name}: ${showMs(report.ms)} ms ${report.notes.join(", ")}`);
      } catch (error) {
        // One trial less; the table has the number of trials.
        console.error(
          `  ${app.name} ${round}/${rounds}  ${name}: FAILED ${error instanceof Error ? error.message : error}`,
        );
      } finally {
        await testbed.close();
      }
    }
  }
  return reports;
}

await installPeers();
const figures: string[][] = [];
const verdicts: string[][] = [];
const misses: string[] = [];

for (const { app, ...bars } of measured) {
  const reports = await measure(app);
  const spreadFor = (name: string) => spreadOf((reports.get(name) ?? []).map(({ ms }) => ms));
  const limitOf = (name: string): string => (reports.get(name)?.some(({ isUnfinished }) => isUnfinished) ? "≥" : "");
  const own = spreadFor(contestants.deskmap.name).median;
  for (const [name, list] of reports) {
    const spread = spreadFor(name);
    const { nodes = 0, shown = 0 } = list[0] ?? {};
    figures.push([
      `${app.name} (${app.toolkit})`,
      name,
      String(list.length),
      limitOf(name) + showMs(spread.median),
      showRange(spread),
      limitOf(name) + showRatio(spread.median / own),
      String(nodes),
      String(shown),
    ]);
  }
  const bestOf = (names: readonly string[]): string =>
    names.toSorted((a, b) => spreadFor(a).median - spreadFor(b).median)[0] ?? "";
  const whole = bestOf(wholeRivals);
  const best = bestOf(allRivals);
  const judge = (what: string, name: string, bar: number | undefined): void => {
    const { median } = spreadFor(name);
    const ratio = spreadFor(whole).median / median;
    const isMet = bar === undefined || ratio >= bar;
    verdicts.push([
      app.name,
      what,
      showMs(median),
      `${limitOf(whole)}${showMs(spreadFor(whole).median)} ${whole}`,
      limitOf(whole) + showRatio(ratio),
      bar === undefined ? "—" : showRatio(bar),
      bar === undefined ? "—" : isMet ? "met" : "NOT MET",
      `${limitOf(best)}${showMs(spreadFor(best).median)} ${best}`,
      showRatio(spreadFor(best).median / median),
    ]);
    if (!isMet) misses.push(`${app.name}, ${what}: ${showRatio(ratio)} where ${showRatio(bar ?? 0)} is asked`);
  };
  judge("in process", contestants.deskmap.name, bars.inProcess);
  judge("whole process", wholeProcess, bars.wholeProcess);
}

publish("Cold read of one window", [
  `Peers: ${listPeers()}, and pyatspi of the system. Milliseconds, medians${isQuick ? " (a quick run: too few trials to quote)" : ""}.`,
  "For every single trial a private desktop of its own with a fresh instance of the application, which no client has asked " +
    "anything; it is left alone until its window is there and its processes are still (seen from X and /proc). Code is " +
    "loaded, connections are open, and every contestant has read another application (a zenity) three times. The whole " +
    "process is the launcher from start to exit. " +
    "Deskmap gives name, role, states, value, description, actions and bounds of all that shows, with marks in a fresh " +
    "map; cua-driver is called without a screenshot and has no way to leave out what does not show; pyatspi asks for " +
    "name, role, states and the number of children of each node, and for the extents of those that show. The contestants " +
    "take turns, another one beginning each round. A figure with ≥ is the deadline of a peer that did not come to an end, " +
    "or whose questions made the application take 4 GB of memory: then it was ended.",
  formatTable({
    head: ["application", "contestant", "trials", "median ms", "min–max", "of deskmap's", "nodes", "with bounds"],
    rows: figures,
  }),
  "Against the peers' figures in process, also where Deskmap is a whole process. The bar is judged against cua-driver and a " +
    "pyatspi walk of the whole window, whichever is faster. The last two columns add a pyatspi walk that stops at what does " +
    "not show, which finds what shows with far fewer calls (and would miss what shows inside a hidden container).",
  formatTable({
    head: [
      "application",
      "deskmap",
      "ms",
      "better peer of the whole window",
      "ratio",
      "bar",
      "verdict",
      "fastest of all peers",
      "ratio",
    ],
    rows: verdicts,
  }),
  describeMisses(misses),
]);
