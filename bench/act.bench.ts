import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { compileCommit, compileThis } from "./lab/builds.ts";
import { isQuick, oldCommit, onlyApps } from "./lab/options.ts";
import { installPeers, listPeers } from "./lab/peers.ts";
import {
  byCua,
  byPlaywright,
  envOf,
  type Make,
  type Presser,
  type PressReport,
  type Programs,
  presserNames,
  throughDaemon,
  withoutDaemon,
  writeRecordForBefore,
} from "./lab/press.ts";
import { type Row, rows, type Subject } from "./lab/press-subjects.ts";
import { describeMisses, publish } from "./lab/results.ts";
import { formatTable, showMs, showRange, showRatio, spreadOf } from "./lab/table.ts";
import { openTestbed, type Testbed } from "./lab/testbed.ts";

const rounds = isQuick ? 3 : 15;
const longestWaitMs = 5000;
const folder = mkdtempSync(join(tmpdir(), "deskmap-bench-"));

interface Press extends PressReport {
  readonly isCounted: boolean;
}

/** The mark of the control, read as a user would. */
function readMark(
  { env, subject }: Testbed,
  { label, role }: Subject,
  programs: Programs,
  program: keyof Programs,
): number {
  const args = ["find", label, "--window-id", String(subject.id), "--role", role, "--format", "json"];
  const { stdout, stderr } = spawnSync(programs[program], args, { env: envOf(program, env), encoding: "utf8" });
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
  /** In the map of the old commit. */
  readonly oldMark: number;
  readonly pressers: Presser[];
}

async function openLane(row: Row, programs: Programs, choose: (subject: Subject) => readonly Make[]): Promise<Lane> {
  const subject = row.make(folder);
  const testbed = await openTestbed(subject.app);
  writePolicy(testbed);
  writeRecordForBefore(testbed.env);
  return {
    subject,
    testbed,
    mark: readMark(testbed, subject, programs, "dist"),
    oldMark: readMark(testbed, subject, programs, "before"),
    pressers: choose(subject).map((make) => make(testbed.env, programs)),
  };
}

async function closeLane({ subject, testbed, pressers }: Lane, { dist }: Programs): Promise<void> {
  for (const presser of pressers) presser.close();
  spawnSync(dist, ["serve", "stop"], { env: testbed.env });
  await testbed.close();
  subject.close();
}

async function pressOnce(presser: Presser, { testbed, mark: own, oldMark, subject }: Lane): Promise<Press> {
  const { label, command, isDead } = subject;
  const mark = presser.name === presserNames.before ? oldMark : own;
  const before = subject.countDone();
  const wanted = before + (isDead ? 0 : 1);
  const { pid, id: windowId } = testbed.subject;
  const order = { pid, windowId, label, mark, expected: subject.expect(wanted), command };
  const report = await presser.press(order);
  const deadline = performance.now() + longestWaitMs;
  while (subject.countDone() !== wanted && performance.now() < deadline) await pause(20);
  return { ...report, isCounted: subject.countDone() === wanted };
}

/**
 * The daemon follows the window, so that a count which others raise changes by itself for it and proves nothing: it has
 * an instance of its own, and so has Playwright. A contestant that fails is left out from then on.
 */
async function measure(row: Row, programs: Programs): Promise<{ toolkit: string; presses: Map<string, Press[]> }> {
  const lanes: Lane[] = [];
  const presses = new Map<string, Press[]>();
  try {
    lanes.push(await openLane(row, programs, () => throughDaemon));
    const [first] = lanes;
    const isButton = first?.subject.role === "button";
    lanes.push(await openLane(row, programs, () => [...withoutDaemon, ...(isButton ? byCua : [])]));
    if (first?.subject.findPort !== undefined) {
      lanes.push(
        await openLane(row, programs, ({ findPort }) => (findPort === undefined ? [] : byPlaywright(findPort))),
      );
    }
    for (let round = 0; round <= rounds; round += 1) {
      const turns = lanes.flatMap((lane) => lane.pressers.map((presser) => ({ lane, presser })));
      const next = round % turns.length;
      for (const { lane, presser } of [...turns.slice(next), ...turns.slice(0, next)]) {
        const where = `  ${row.name} ${round}/${rounds}  ${presser.name}:`;
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
    return { toolkit: first?.subject.app.toolkit ?? "", presses };
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
  for (const row of rows) {
    if (onlyApps !== undefined && !onlyApps.includes(row.name)) continue;
    const { toolkit, presses } = await measure(row, programs);
    // The first round is a warm-up: it is reported, but not part of the figures.
    const medianOf = (one: string): number => spreadOf((presses.get(one) ?? []).slice(1).map(({ ms }) => ms)).median;
    const judge = (what: string, isMet: boolean, bar: string): string[] => {
      if (!isMet) misses.push(`${toolkit}: ${what} where ${bar} is asked`);
      return [bar, isMet ? "met" : "NOT MET"];
    };
    for (const [one, list] of presses) {
      const spread = spreadOf(list.slice(1).map(({ ms }) => ms));
      const said = [...new Set(list.map(({ verdict }) => verdict))].join("; ");
      const counted = list.filter(({ isCounted }) => isCounted).length;
      const first = showMs(list[0]?.ms ?? Number.NaN);
      const most = { [presserNames.daemon]: row.ms, [presserNames.unverified]: row.unverifiedMs }[one];
      const told = `${showMs(spread.median)} ms (${one})`;
      const bar = most === undefined ? ["—", "—"] : judge(told, spread.median <= most, `${most} ms`);
      const right = `${counted} of ${list.length}`;
      figures.push([toolkit, one, first, showMs(spread.median), showRange(spread), right, said, ...bar]);
      if (counted < list.length)
        misses.push(`${toolkit}, ${one}: ${list.length - counted} were not counted as they should`);
    }
    for (const [ours, theirs, least] of [
      [presserNames.daemon, presserNames.before, row.ratio],
      [presserNames.alone, presserNames.before, undefined],
      [presserNames.daemon, presserNames.cuaWhole, undefined],
      [presserNames.daemon, presserNames.cua, undefined],
      [presserNames.daemon, presserNames.playwright, undefined],
    ] as const) {
      if (!presses.has(theirs)) continue;
      const ratio = medianOf(theirs) / medianOf(ours);
      const bar = least === undefined ? ["—", "—"] : judge(showRatio(ratio), ratio >= least, showRatio(least));
      verdicts.push([
        toolkit,
        ours,
        showMs(medianOf(ours)),
        theirs,
        showMs(medianOf(theirs)),
        showRatio(ratio),
        ...bar,
      ]);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

publish("A press and its verified effect", [
  `Peers: ${listPeers()}. Milliseconds, medians${isQuick ? " (a quick run: too few trials to quote)" : ""}. Load at the end ${(loadavg()[0] ?? 0).toFixed(1)}.`,
  "A window of 41 buttons, or a page of 600 controls, of which one counts its presses in a text beside it; each press is " +
    "checked in the application's own count. Other rows: beside a text that counts down every second, a button that does " +
    "nothing, and five letters typed into a field. The default policy is on, without its limit of actions a minute. The " +
    "contestants take turns, another one beginning each round; the daemon, which follows its window, and Playwright have an instance of their own, and the window is left alone between presses until it is " +
    "still. Deskmap is a whole process, timed from its start until it has reported the verified effect. cua-driver is given the " +
    "button's token from its last read, clicks it in the background, and reads the window's state again without a " +
    "screenshot, as its guide says one should verify; its whole process has to look for the token first. Playwright is connected already; it finds the button by role and name, clicks it, and waits for the new count. GTK 4 carries " +
    "out an accessible press 250 ms after it was asked for, Qt 100 ms. The first press of each is reported separately.",
  formatTable({
    head: ["toolkit", "contestant", "first ms", "median ms", "min–max", "counted", "said", "bar", "verdict"],
    rows: figures,
  }),
  formatTable({
    head: ["toolkit", "deskmap", "ms", "against", "ms", "ratio", "bar", "verdict"],
    rows: verdicts,
  }),
  describeMisses(misses),
]);
