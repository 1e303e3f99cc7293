import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SqliteStore } from "../src/map/store/sqlite.ts";
import { type Look, makeCrowd, takeIn } from "../tests/map/crowd.ts";

/**
 * `npm run bench -- map [--quick] [--keep=FOLDER]`: a map of a million controls in 500 applications. It is built by the way
 * that every read goes (recognise: describe, match, allot, learn), window by window, from trees of real applications and
 * pages; then each figure is taken in a process of its own, as a command pays for it. --keep leaves the map in a folder, and
 * uses the one that is there.
 */
const isQuick = process.argv.includes("--quick");
const wantedCount = isQuick ? 20_000 : 1_000_000;
const appCount = isQuick ? 10 : 500;
const rounds = isQuick ? 3 : 9;
const crowd = makeCrowd();

const trial = process.argv.find((word) => word.startsWith("--trial="))?.slice("--trial=".length);
if (trial === undefined) measureAll();
else measureOne(trial.split(",")[0] ?? "", trial.split(",")[1] ?? "", Number(trial.split(",")[2]));

function measureAll(): void {
  const kept = process.argv.find((word) => word.startsWith("--keep="))?.slice("--keep=".length);
  const home = kept ?? mkdtempSync(join(tmpdir(), "deskmap-bench-map-"));
  const path = join(home, "deskmap", "map.db");
  try {
    if (!existsSync(path)) build(path);
    tellSize(path);
    for (const [name, title] of [
      ["known", "recognition of a known window, nothing new"],
      ["restarted", "the same after a restart of its application (new objects)"],
      ["unknown", "recognition of a window of an unknown application"],
    ] as const) {
      const times = Array.from({ length: rounds }, (_, round) => runTrial(path, name, round));
      const [cold, warm] = [times.map((one) => one.cold), times.map((one) => one.warm)];
      const count = Math.round(times.reduce((sum, one) => sum + one.elements, 0) / times.length);
      const cpu = show(times.map((one) => one.cpu));
      console.log(`${title} (${count} elements): ${show(cold)} first in a process, ${show(warm)} after that;`);
      console.log(`    ${cpu} of the processor first in a process`);
    }
    // The launcher builds its executable when the source is new.
    spawnSync(fileURLToPath(new URL("../deskmap", import.meta.url)), ["--version"]);
    for (const words of [
      ["map", "list"],
      ["map", "list", "--app", "Application 7", "--role", "button"],
      ["map", "show", "500"],
      ["map", "stats"],
      ["map", "export", join(home, "export.jsonl")],
      ["map", "prune"],
      ["map", "forget", "--app", "Application 8"],
    ]) {
      timeCommand(home, words);
    }
    timeCommand(join(home, "second"), ["map", "import", join(home, "export.jsonl")]);
    rmSync(join(home, "second"), { recursive: true, force: true });
  } finally {
    if (kept === undefined) rmSync(home, { recursive: true, force: true });
  }
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

function tellSize(path: string): void {
  const store = open(path);
  const count = [...store.countByApplication().values()].reduce((sum, one) => sum + one, 0);
  const apps = store.countByApplication().size;
  store.close();
  const bytes = statSync(path).size;
  console.log(
    `${count} targets of ${apps} applications: ${Math.round(bytes / 1e6)} MB, ${Math.round(bytes / count)} bytes each`,
  );
}

interface Trial {
  readonly cold: number;
  readonly warm: number;
  /** Of the first one, whatever else the machine has to do. */
  readonly cpu: number;
  readonly elements: number;
}

function runTrial(path: string, name: string, round: number): Trial {
  const self = fileURLToPath(import.meta.url);
  const quick = isQuick ? ["--quick"] : [];
  const { stdout, stderr } = spawnSync(process.execPath, [self, ...quick, `--trial=${name},${path},${round}`], {
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

/** In a process of its own: what is warm is the code, by a map of its own, and never this file's pages. */
function measureOne(name: string, path: string, round: number): void {
  const practice = open(join(mkdtempSync(join(tmpdir(), "deskmap-bench-practice-")), "map.db"));
  for (let app = 0; app < 12; app += 1) takeIn(practice, crowd.makeLook(app % 6, 1, app));
  practice.close();
  const app = round * 31 + 3;
  const looks: Record<string, (time: number) => Look> = {
    known: () => crowd.makeLook(app % appCount, 1),
    restarted: (time) => crowd.makeLook(app % appCount, 1, Date.now() + time),
    unknown: (time) => crowd.makeLook(1_000_000 + (Date.now() % 1_000_000_000) + time, 1),
  };
  const make = looks[name];
  if (make === undefined) throw new Error(`no trial is called ${name}`);
  const store = open(path);
  const first = make(0);
  const before = process.cpuUsage();
  const cold = time(() => takeIn(store, first));
  const { user, system } = process.cpuUsage(before);
  const more = Array.from({ length: 5 }, (_, at) => make(at + 1));
  const warm = more.map((look) => time(() => takeIn(store, look))).sort((a, b) => a - b)[2] ?? 0;
  store.close();
  console.log(JSON.stringify({ cold, warm, cpu: (user + system) / 1000, elements: first.elementCount }));
}

function time(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function show(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return `${middle.toFixed(1)} ms (${(sorted[0] ?? 0).toFixed(1)}–${(sorted.at(-1) ?? 0).toFixed(1)})`;
}

function timeCommand(home: string, words: readonly string[]): void {
  const launcher = fileURLToPath(new URL("../deskmap", import.meta.url));
  const startedMs = performance.now();
  const { status, stderr } = spawnSync("/usr/bin/time", ["-f", "%M", launcher, ...words], {
    env: { ...process.env, XDG_DATA_HOME: home },
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(2);
  const memory = Math.round(Number(stderr.trim().split("\n").at(-1)) / 1024);
  console.log(
    `deskmap ${words.join(" ")}: ${seconds} s, ${memory} MB of memory${status === 0 ? "" : ` FAILED ${stderr}`}`,
  );
}

function open(path: string): SqliteStore {
  const store = SqliteStore.open(path);
  if (!store.ok) throw new Error(store.failure.message);
  return store.value;
}
