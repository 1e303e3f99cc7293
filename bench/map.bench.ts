import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SqliteStore } from "../src/map/store/sqlite.ts";
import { type Look, makeCrowd, takeIn } from "../tests/map/crowd.ts";
import { type RealTrial, tryRealWindow } from "./lab/real-window.ts";
import { describeMisses, publish } from "./lab/results.ts";
import { formatTable, showMs, showRange, showRatio, spreadOf } from "./lab/table.ts";

/**
 * `npm run bench -- map [--quick] [--keep=FOLDER]`: a map of a million controls in 500 applications. It is built through the
 * code path of every read (recognise: describe, match, allot, learn), window by window, from trees of real applications and
 * pages; then each figure is measured in a process of its own, as a command pays for it. --keep stores the map in a folder, or
 * reuses the one that is there.
 */
const isQuick = process.argv.includes("--quick");
const wantedCount = isQuick ? 20_000 : 1_000_000;
const appCount = isQuick ? 10 : 500;
const rounds = isQuick ? 3 : 9;
const realRounds = isQuick ? 2 : 6;
const mostMs = 30;
const leastShare = 10;
const crowd = makeCrowd();

const trial = process.argv.find((word) => word.startsWith("--trial="))?.slice("--trial=".length);
if (trial === undefined) measureAll();
else await measureOne(trial.split(",")[0] ?? "", trial.split(",")[1] ?? "", Number(trial.split(",")[2]));

function measureAll(): void {
  const kept = process.argv.find((word) => word.startsWith("--keep="))?.slice("--keep=".length);
  const home = kept ?? mkdtempSync(join(tmpdir(), "deskmap-bench-map-"));
  const path = join(home, "deskmap", "map.db");
  try {
    if (!existsSync(path)) build(path);
    const size = describeSize(path);
    const made = measureMade(path);
    const real = measureReal(path);
    const commands = measureCommands(home);
    const misses = [...made.misses, ...real.misses];
    publish(isQuick ? "A map of a few controls (a quick run)" : "A map of a million controls", [
      size,
      "Recognition of windows of about 500 elements, from describing what was read to the marks of all of it, with what is " +
        "learned written: a known window, the same after a restart of its application (every object new), and a window " +
        `of an unknown application. Each in a process of its own whose code is warm and which has read no page of this map; at most ${mostMs} ms.`,
      made.table,
      "A real window: Firefox with a page of buttons that are all in view, a fresh run on a desktop of its own each time. The " +
        "read is the accessibility tree alone, from the list of windows on; recognition is of that very read, in this map, as in " +
        `\`deskmap read\`. It may take at most 1/${leastShare} of the read.`,
      real.table,
      commands,
      describeMisses(misses),
    ]);
  } finally {
    if (kept === undefined) rmSync(home, { recursive: true, force: true });
  }
}

interface Part {
  readonly table: string;
  readonly misses: readonly string[];
}

function measureMade(path: string): Part {
  const kinds = [
    ["known", "known window, nothing new", mostMs],
    ["restarted", "after a restart of its application", mostMs],
    ["unknown", "unknown application", undefined],
  ] as const;
  const misses: string[] = [];
  const rows = kinds.map(([name, title, bar]) => {
    const times = Array.from({ length: rounds }, (_, round) => runTrial<Trial>(path, name, round));
    const count = Math.round(times.reduce((sum, one) => sum + one.elements, 0) / times.length);
    const [cold, warm] = [spreadOf(times.map((one) => one.cold)), spreadOf(times.map((one) => one.warm))];
    const cpu = spreadOf(times.map((one) => one.cpu));
    if (bar !== undefined && cold.median > bar) misses.push(`${title}: ${showMs(cold.median)} ms`);
    console.log(`  ${title}: ${showMs(cold.median)} ms first, ${showMs(warm.median)} ms then`);
    return [
      ...[title, String(count), showMs(cold.median), showRange(cold)],
      ...[showMs(cpu.median), showMs(warm.median), showRange(warm)],
    ];
  });
  const head = [
    "recognition",
    "elements",
    "first in a process, ms",
    "min–max",
    "of the processor",
    "later ms",
    "min–max",
  ];
  return { table: formatTable({ head, rows }), misses };
}

function measureReal(path: string): Part {
  const trials = Array.from({ length: realRounds }, (_, round) => runTrial<RealTrial>(path, "real", round));
  const [first, ...later] = trials;
  const misses: string[] = [];
  const describe = (
    title: string,
    list: readonly (readonly [read: number, recognise: number])[],
    isJudged: boolean,
  ) => {
    const [read, recognised] = [spreadOf(list.map(([ms]) => ms)), spreadOf(list.map(([, ms]) => ms))];
    const share = read.median / recognised.median;
    if (isJudged && share < leastShare) misses.push(`${title}: 1/${share.toFixed(1)} of the read`);
    const count = Math.max(...trials.map(({ elements }) => elements));
    return [
      ...[title, String(count), showMs(read.median), showRange(read)],
      ...[showMs(recognised.median), showRange(recognised), showRatio(share)],
    ];
  };
  const rows = [
    ...(first === undefined ? [] : [describe("first visit", [[first.readMs, first.recogniseMs]], false)]),
    describe(
      "after a restart",
      later.map((one) => [one.readMs, one.recogniseMs]),
      true,
    ),
    describe(
      "the same run again",
      later.map((one) => [one.readAgainMs, one.recogniseAgainMs]),
      true,
    ),
  ];
  const head = ["Firefox", "elements", "read ms", "min–max", "recognition ms", "min–max", "read : recognition"];
  return { table: formatTable({ head, rows }), misses };
}

function measureCommands(home: string): string {
  // The launcher rebuilds its executable if the source has changed.
  spawnSync(fileURLToPath(new URL("../deskmap", import.meta.url)), ["--version"]);
  const commands = [
    ["map", "list"],
    ["map", "list", "--app", "Application 7", "--role", "button"],
    ["map", "show", "500"],
    ["map", "stats"],
    ["map", "export", join(home, "export.jsonl")],
    ["map", "prune"],
    ["map", "forget", "--app", "Application 8"],
  ];
  const rows = commands.map((words) => timeCommand(home, words));
  const second = timeCommand(join(home, "second"), ["map", "import", join(home, "export.jsonl")]);
  rmSync(join(home, "second"), { recursive: true, force: true });
  return formatTable({ head: ["command", "seconds", "MB of memory"], rows: [...rows, second] });
}

function build(path: string): void {
  const startedMs = Date.now();
  mkdirSync(join(path, ".."), { recursive: true });
  const store = open(path);
  let count = 0;
  for (let window = 0; count < wantedCount; window += 1) {
    for (let app = 0; app < appCount && count < wantedCount; app += 1) {
      count += takeIn(store, crowd.makeLook(app, window)).size;
      if (app % 100 === 0)
        process.stderr.write(`\r${count} controls, ${Math.round((Date.now() - startedMs) / 1000)} s`);
    }
  }
  store.close();
  process.stderr.write("\n");
  console.log(`built from ${count} sightings in ${Math.round((Date.now() - startedMs) / 1000)} s`);
}

function describeSize(path: string): string {
  const store = open(path);
  const count = [...store.countByApplication().values()].reduce((sum, one) => sum + one, 0);
  const apps = store.countByApplication().size;
  store.close();
  const bytes = statSync(path).size;
  return `${count} controls of ${apps} applications: ${Math.round(bytes / 1e6)} MB, ${Math.round(bytes / count)} bytes each.`;
}

interface Trial {
  readonly cold: number;
  readonly warm: number;
  /** Processor time of the first one, which does not depend on other work of the machine. */
  readonly cpu: number;
  readonly elements: number;
}

function runTrial<T>(path: string, name: string, round: number): T {
  const self = fileURLToPath(import.meta.url);
  const quick = isQuick ? ["--quick"] : [];
  const { stdout, stderr } = spawnSync(process.execPath, [self, ...quick, `--trial=${name},${path},${round}`], {
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Runs in a process of its own. A practice map warms up the code, but never the pages of the measured file. */
async function measureOne(name: string, path: string, round: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-bench-practice-"));
  const practice = open(join(folder, "map.db"));
  try {
    for (let app = 0; app < 12; app += 1) takeIn(practice, crowd.makeLook(app % 6, 1, app));
    const store = open(path);
    const result = name === "real" ? await tryRealWindow(store, practice) : measureLook(store, name, round);
    store.close();
    console.log(JSON.stringify(result));
  } finally {
    practice.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function measureLook(store: SqliteStore, name: string, round: number): Trial {
  const app = round * 31 + 3;
  const looks: Record<string, (time: number) => Look> = {
    known: () => crowd.makeLook(app % appCount, 1),
    restarted: (time) => crowd.makeLook(app % appCount, 1, Date.now() + time),
    unknown: (time) => crowd.makeLook(1_000_000 + (Date.now() % 1_000_000_000) + time, 1),
  };
  const make = looks[name];
  if (make === undefined) throw new Error(`no trial is called ${name}`);
  const first = make(0);
  const before = process.cpuUsage();
  const cold = time(() => takeIn(store, first));
  const { user, system } = process.cpuUsage(before);
  const more = Array.from({ length: 5 }, (_, at) => make(at + 1));
  const warm = more.map((look) => time(() => takeIn(store, look))).sort((a, b) => a - b)[2] ?? 0;
  return { cold, warm, cpu: (user + system) / 1000, elements: first.elementCount };
}

function time(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function timeCommand(home: string, words: readonly string[]): string[] {
  const launcher = fileURLToPath(new URL("../deskmap", import.meta.url));
  const startedMs = performance.now();
  const { status, stderr } = spawnSync("/usr/bin/time", ["-f", "%M", launcher, ...words], {
    env: { ...process.env, XDG_DATA_HOME: home },
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  if (status !== 0) throw new Error(`deskmap ${words.join(" ")}: ${stderr}`);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(2);
  const memory = Math.round(Number(stderr.trim().split("\n").at(-1)) / 1024);
  const shown = words.map((word) => (word.startsWith("/") ? "FILE" : word));
  return [`deskmap ${shown.join(" ")}`, seconds, String(memory)];
}

function open(path: string): SqliteStore {
  const store = SqliteStore.open(path);
  if (!store.ok) throw new Error(store.failure.message);
  return store.value;
}
