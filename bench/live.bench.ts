import { connectHost } from "../src/client/connect.ts";
import { type FieldName, openField } from "../tests/desktop/input-scene.ts";
import { type App, apps } from "./lab/apps.ts";
import { compete, contestants } from "./lab/contestant.ts";
import { measureLines, readWarm, underLoad } from "./lab/live.ts";
import { isQuick, onlyApps } from "./lab/options.ts";
import { installPeers, listPeers } from "./lab/peers.ts";
import { describeMisses, publish } from "./lab/results.ts";
import { formatTable, showMs, showRange, showRatio, spreadOf } from "./lab/table.ts";
import { openTestbed } from "./lab/testbed.ts";

const warmBar = 100;
const lineBarsMs = { quiet: 100, loaded: 250 };
/** A contestant that exceeds this deadline is more than 100 times slower in any case. */
const calc: App = { ...apps.calc, limits: { ...apps.calc.limits, deadlineMs: 30_000 } };
const candidates: readonly App[] = [apps.mousepad, apps.firefox, calc];
const measured = candidates.filter(({ name }) => onlyApps === undefined || onlyApps.includes(name));
const rounds = isQuick ? 1 : 3;
const warmReads = isQuick ? 20 : 200;
const changes = isQuick ? 5 : 60;
const fields: readonly (readonly [FieldName, string])[] = [
  ["mousepad", "mousepad (GTK 3)"],
  ["gtk4", "text view (GTK 4)"],
  ["qt5", "text field (Qt 5)"],
  ["firefox", "a page's field (Firefox)"],
  ["chromium", "a page's field (Chromium)"],
];
/** The second read of a peer counts: its caches are filled by then. */
const peerReads = 2;
const rivals = [contestants.cua, contestants.walkFull, contestants.walkShown];

await installPeers();
const readRows: string[][] = [];
const misses: string[] = [];

async function withDaemon<T>(app: App, work: (testbed: Testbed, host: Daemon) => Promise<T>): Promise<T> {
  const testbed = await openTestbed(app);
  try {
    return await connected(testbed.env, (host) => work(testbed, host));
  } finally {
    await testbed.close();
  }
}

async function connected<T>(env: Record<string, string>, work: (host: Daemon) => Promise<T>): Promise<T> {
  const host = await connectHost(env, { start: true });
  if (!host.ok) throw new Error(host.failure.message);
  try {
    return await work(host.value);
  } finally {
    await host.value.dismiss();
  }
}

type Testbed = Awaited<ReturnType<typeof openTestbed>>;
type Daemon = Extract<Awaited<ReturnType<typeof connectHost>>, { ok: true }>["value"];

for (const app of measured) {
  const times = new Map<string, number[]>();
  const note = (name: string, ...ms: number[]): void => {
    times.set(name, [...(times.get(name) ?? []), ...ms]);
    console.log(`  ${app.name}  ${name}: ${showMs(spreadOf(ms).median)} ms`);
  };
  for (let round = 0; round < (app === calc ? 1 : rounds); round += 1) {
    note("deskmap, warm", ...(await withDaemon(app, (testbed, host) => readWarm(host, testbed, warmReads))));
    const testbed = await openTestbed(app);
    try {
      note("deskmap, cold", (await compete(contestants.deskmap, testbed, app.toolkit, false, app.limits)).ms);
    } finally {
      await testbed.close();
    }
    for (const rival of rivals) {
      const own = await openTestbed(app);
      try {
        note(rival.name, (await compete(rival, own, app.toolkit, false, app.limits, peerReads)).ms);
      } catch (error) {
        console.error(`  ${app.name}  ${rival.name}: FAILED ${error instanceof Error ? error.message : error}`);
      } finally {
        await own.close();
      }
    }
  }
  const medianOf = (name: string): number => spreadOf(times.get(name) ?? []).median;
  const warm = medianOf("deskmap, warm");
  const best = Math.min(...[contestants.cua.name, contestants.walkFull.name].map(medianOf).filter(Number.isFinite));
  if (!(best / warm >= warmBar))
    misses.push(`${app.name}: ${showRatio(best / warm)} where ${showRatio(warmBar)} is asked`);
  for (const [name, list] of times) {
    const spread = spreadOf(list);
    readRows.push([
      app.name,
      name,
      String(list.length),
      showMs(spread.median),
      showRange(spread),
      showRatio(spread.median / warm),
    ]);
  }
}

const lineRows: string[][] = [];
for (const [name, shown] of fields) {
  const field = await openField(name);
  try {
    const { env } = field.scene.sandbox;
    const ask = (...words: string[]): number => Number(field.scene.run("xdotool", ...words).stdout);
    const windowId = ask("getactivewindow");
    const written = { env, windowId, pid: ask("getwindowpid", String(windowId)) };
    const [quiet, loaded] = await connected(env, async (host) => {
      const measured = await measureLines(host, written, changes);
      return [measured, await underLoad(() => measureLines(host, written, changes))] as const;
    });
    lineRows.push([shown, ...showShares(quiet), ...showShares(loaded)]);
    console.log(`  ${lineRows.at(-1)?.join("  ")}`);
    if (!(at(quiet, 0.95) <= lineBarsMs.quiet))
      misses.push(`${shown}: a line after ${showMs(at(quiet, 0.95))} ms (p95)`);
    if (!(at(loaded, 0.95) <= lineBarsMs.loaded))
      misses.push(`${shown}: a line after ${showMs(at(loaded, 0.95))} ms (p95) under load`);
  } finally {
    await field.close();
  }
}

function at(figures: readonly number[], share: number): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length * share)] ?? Number.NaN;
}

function showShares(figures: readonly number[]): string[] {
  return [0.5, 0.95].map((share) => showMs(at(figures, share)));
}

publish("Warm read, and changes as they happen", [
  `Peers: ${listPeers()}, and pyatspi of the system.${isQuick ? " A quick run: too few trials to quote." : ""}`,
  "A warm read is a question over an open connection to the daemon, and its whole answer as JSON, marks and all, of a window " +
    "that has not changed since it was read; of the peers the second read of the same window counts. Cold is Deskmap in " +
    "process, the first read. The bar is judged against the better of cua-driver and a pyatspi walk of the whole window; 30000 is the " +
    "deadline of one that did not come to an end.",
  formatTable({ head: ["application", "contestant", "reads", "median ms", "min–max", "of warm"], rows: readRows }),
  "A change: a key typed into a field. Its time is when pyatspi, in another process, receives the event on the bus; a line's is " +
    "when it has come from the daemon. Milliseconds between the two (less than 0: the line came first); under load every core has a " +
    `busy process besides. Bars: ${lineBarsMs.quiet} and ${lineBarsMs.loaded} ms (p95).`,
  formatTable({ head: ["field", "p50", "p95", "p50 under load", "p95 under load"], rows: lineRows }),
  describeMisses(misses),
]);
