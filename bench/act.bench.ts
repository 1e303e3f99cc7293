import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type App, apps } from "./lab/apps.ts";
import { compileCommit, compileThis } from "./lab/builds.ts";
import { isQuick, onlyApps } from "./lab/options.ts";
import { installPeers, listPeers } from "./lab/peers.ts";
import { makePressers, type Presser, type PressReport, type Programs, presserNames } from "./lab/press.ts";
import { describeMisses, publish } from "./lab/results.ts";
import { formatTable, showMs, showRange, showRatio, spreadOf } from "./lab/table.ts";
import { openTestbed, type Testbed } from "./lab/testbed.ts";

const rounds = isQuick ? 3 : 15;
const title = "Counts its presses";
const label = "Count";
const longestWaitMs = 5000;
const pageRows = 300;
/** A commit from before actions went through the daemon. */
const oldCommit = "3a303d8";

const fixture = fileURLToPath(new URL("../tests/fixtures/apps/counter.py", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "deskmap-bench-"));

interface Subject {
  readonly app: App;
  /** Counted by the application itself. */
  countPresses(): number;
  close(): void;
}

let instances = 0;

function makeToolkit(name: string, toolkit: string): Subject {
  instances += 1;
  const state = join(folder, `${name}-${instances}.json`);
  return {
    app: {
      name,
      toolkit,
      title: new RegExp(`^${title}$`),
      prepare: () => ["/usr/bin/python3", fixture, state, title, name],
    },
    countPresses: () => JSON.parse(readFileSync(state, "utf8")).presses.length,
    close: () => undefined,
  };
}

/** A page of 600 controls, of which one counts its presses in a text beside it and reports each to a server. */
function makePage(name: "chromium" | "firefox"): Subject {
  let presses = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => {
      presses += 1;
      return new Response("", { headers: { "access-control-allow-origin": "*" } });
    },
  });
  const count = `n++; shown.textContent = n + " presses"; fetch("http://127.0.0.1:${server.port}/")`;
  const rows = Array.from(
    { length: pageRows },
    (_, row) => `<p><a href="#${row}">Link ${row}</a> <button>Other ${row}</button></p>`,
  );
  const page = `<!doctype html><meta charset=utf-8><title>${title}</title><script>let n = 0</script>
<button onclick='${count}'>${label}</button> <span id=shown>0 presses</span>${rows.join("\n")}`;
  const base = apps[name];
  return {
    app: {
      ...base,
      title: new RegExp(title),
      prepare: (own) => {
        const command = base.prepare(own);
        writeFileSync(join(own, "page.html"), page);
        return command;
      },
    },
    countPresses: () => presses,
    close: () => server.stop(true),
  };
}

/** Each with how many times as fast as before a press through the daemon is to be; 1: not slower. */
const makers: readonly (readonly [name: string, bar: number, make: () => Subject])[] = [
  ["gtk3", 1.5, () => makeToolkit("gtk3", "GTK 3")],
  ["gtk4", 1.5, () => makeToolkit("gtk4", "GTK 4")],
  ["qt5", 1, () => makeToolkit("qt5", "Qt 5")],
  ["chromium", 1.5, () => makePage("chromium")],
  ["firefox", 1, () => makePage("firefox")],
];

interface Press extends PressReport {
  readonly isCounted: boolean;
}

/** The mark of the button, read as a user would. */
function readMark({ env, subject }: Testbed, program: string): number {
  const args = ["find", label, "--window-id", String(subject.id), "--role", "button", "--format", "json"];
  const { stdout, stderr } = spawnSync(program, args, { env, encoding: "utf8" });
  const mark = Number(/"i":(\d+)/.exec(stdout)?.[1]);
  if (Number.isNaN(mark)) throw new Error(`deskmap find: ${stdout}${stderr}`);
  return mark;
}

/** The default policy, without its limit of actions per minute. */
function writePolicy({ env }: Testbed): void {
  const config = join(env.XDG_CONFIG_HOME ?? folder, "deskmap");
  mkdirSync(config, { recursive: true, mode: 0o700 });
  writeFileSync(join(config, "policy.json"), JSON.stringify({ actionsPerMinute: 0 }), { mode: 0o600 });
}

/** One instance of the application on a desktop of its own, and those who press its button. */
interface Lane {
  readonly subject: Subject;
  readonly testbed: Testbed;
  readonly mark: number;
  readonly pressers: Presser[];
}

async function openLane(make: () => Subject, programs: Programs, isOurs: (name: string) => boolean): Promise<Lane> {
  const subject = make();
  const testbed = await openTestbed(subject.app);
  writePolicy(testbed);
  const mark = readMark(testbed, programs.dist);
  const pressers = makePressers(testbed.env, programs).filter((presser) => {
    if (!isOurs(presser.name)) presser.close();
    return isOurs(presser.name);
  });
  return { subject, testbed, mark, pressers };
}

async function closeLane({ subject, testbed, pressers }: Lane, { dist }: Programs): Promise<void> {
  for (const presser of pressers) presser.close();
  spawnSync(dist, ["serve", "stop"], { env: testbed.env });
  await testbed.close();
  subject.close();
}

async function pressOnce(presser: Presser, { testbed, mark, subject }: Lane): Promise<Press> {
  const before = subject.countPresses();
  const { pid, id: windowId } = testbed.subject;
  const report = await presser.press({ pid, windowId, label, mark, expected: `${before + 1} presses` });
  const deadline = performance.now() + longestWaitMs;
  while (subject.countPresses() === before && performance.now() < deadline) await pause(20);
  return { ...report, isCounted: subject.countPresses() === before + 1 };
}

/**
 * The daemon follows the window, so that a count which others raise changes by itself for it and proves nothing: it has
 * an instance of its own. A contestant that fails is left out from then on.
 */
async function measure(
  make: () => Subject,
  programs: Programs,
): Promise<{ toolkit: string; presses: Map<string, Press[]> }> {
  const isDaemon = (name: string): boolean => name === presserNames.daemon;
  const lanes = [await openLane(make, programs, isDaemon), await openLane(make, programs, (name) => !isDaemon(name))];
  const presses = new Map<string, Press[]>();
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const turns = lanes.flatMap((lane) => lane.pressers.map((presser) => ({ lane, presser })));
      const first = round % turns.length;
      for (const { lane, presser } of [...turns.slice(first), ...turns.slice(0, first)]) {
        const where = `  ${lane.subject.app.name} ${round}/${rounds}  ${presser.name}:`;
        try {
          const press = await pressOnce(presser, lane);
          await lane.testbed.waitUntilQuiet();
          presses.set(presser.name, [...(presses.get(presser.name) ?? []), press]);
          const { ms, verdict, isCounted } = press;
          console.log(`${where} ${showMs(ms)} ms, ${verdict}${isCounted ? "" : ", NOT COUNTED"}`);
        } catch (error) {
          console.log(`${where} FAILED, left out from now on: ${error instanceof Error ? error.message : error}`);
          lane.pressers.splice(lane.pressers.indexOf(presser), 1);
        }
      }
    }
    return { toolkit: lanes[0]?.subject.app.toolkit ?? "", presses };
  } finally {
    for (const lane of lanes) await closeLane(lane, programs);
  }
}

await installPeers();
const figures: string[][] = [];
const verdicts: string[][] = [];
const misses: string[] = [];
try {
  const programs = { dist: compileThis(folder), before: compileCommit(oldCommit, folder) };
  for (const [name, least, make] of makers) {
    if (onlyApps !== undefined && !onlyApps.includes(name)) continue;
    const { toolkit, presses } = await measure(make, programs);
    // The first round is a warm-up: it is reported, but not part of the figures.
    const medianOf = (one: string): number => spreadOf((presses.get(one) ?? []).slice(1).map(({ ms }) => ms)).median;
    for (const [one, list] of presses) {
      const spread = spreadOf(list.slice(1).map(({ ms }) => ms));
      const said = [...new Set(list.map(({ verdict }) => verdict))].join("; ");
      const counted = list.filter(({ isCounted }) => isCounted).length;
      const first = showMs(list[0]?.ms ?? Number.NaN);
      const share = `${counted} of ${list.length}`;
      figures.push([toolkit, one, first, showMs(spread.median), showRange(spread), share, said]);
      if (counted < list.length) misses.push(`${toolkit}, ${one}: ${list.length - counted} presses were not counted`);
    }
    for (const [ours, theirs, bar] of [
      [presserNames.daemon, presserNames.before, least],
      [presserNames.alone, presserNames.before, undefined],
      [presserNames.daemon, presserNames.cuaWhole, undefined],
      [presserNames.daemon, presserNames.cua, undefined],
    ] as const) {
      const ratio = medianOf(theirs) / medianOf(ours);
      const verdict = bar === undefined ? "—" : ratio >= bar ? "met" : "NOT MET";
      const asked = bar === undefined ? "—" : showRatio(bar);
      const [own, other] = [showMs(medianOf(ours)), showMs(medianOf(theirs))];
      verdicts.push([toolkit, ours, own, theirs, other, showRatio(ratio), asked, verdict]);
      if (verdict === "NOT MET") misses.push(`${toolkit}: ${showRatio(ratio)} where ${asked} is asked`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

publish("A press and its verified effect", [
  `Peers: ${listPeers()}. Milliseconds, medians${isQuick ? " (a quick run: too few trials to quote)" : ""}.`,
  "A window of 41 buttons, or a page of 600 controls, of which one counts its presses in a text beside it; each press is " +
    "checked in the application's own count. The default policy is on, without its limit of actions a minute. The " +
    "contestants take turns, another one beginning each round; the daemon, which follows its window, has an instance of its own, and the window is left alone between presses until it is " +
    "still. Deskmap is a whole process, timed from its start until it has reported the verified effect. cua-driver is given the " +
    "button's token from its last read, clicks it in the background, and reads the window's state again without a " +
    "screenshot, as its guide says one should verify; its whole process has to look for the token first. GTK 4 carries " +
    "out an accessible press 250 ms after it was asked for, Qt 100 ms. The first press of each is reported separately.",
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
