import { connectHost } from "../src/client/connect.ts";
import { type App, apps } from "./lab/apps.ts";
import { compete, contestants } from "./lab/contestant.ts";
import { measureLines, measureLoad, readWarm } from "./lab/live.ts";
import { isQuick, onlyApps } from "./lab/options.ts";
import { installPeers, listPeers } from "./lab/peers.ts";
import { describeMisses, publish } from "./lab/results.ts";
import { openStage } from "./lab/stage.ts";
import { formatTable, showMs, showRange, showRatio, spreadOf } from "./lab/table.ts";

const warmBar = 100;
const lineBarMs = 100;
const idleBar = 0.01;
const candidates: readonly App[] = [apps.mousepad, apps.firefox, apps.calc];
const measured = candidates.filter(({ name }) => onlyApps === undefined || onlyApps.includes(name));
const rounds = isQuick ? 1 : 3;
const warmReads = isQuick ? 20 : 200;
const changes = isQuick ? 10 : 100;
/** The second read of a peer counts: whatever it keeps, it has by then. */
const peerReads = 2;
const rivals = [contestants.cua, contestants.walkFull, contestants.walkShown];

await installPeers();
const readRows: string[][] = [];
const misses: string[] = [];

async function withDaemon<T>(app: App, work: (stage: Stage, host: Daemon) => Promise<T>): Promise<T> {
  const stage = await openStage(app);
  try {
    const host = await connectHost(stage.env, { start: true });
    if (!host.ok) throw new Error(host.failure.message);
    try {
      return await work(stage, host.value);
    } finally {
      await host.value.dismiss();
    }
  } finally {
    await stage.close();
  }
}

type Stage = Awaited<ReturnType<typeof openStage>>;
type Daemon = Extract<Awaited<ReturnType<typeof connectHost>>, { ok: true }>["value"];

for (const app of measured) {
  const times = new Map<string, number[]>();
  const note = (name: string, ...ms: number[]): void => {
    times.set(name, [...(times.get(name) ?? []), ...ms]);
    console.log(`  ${app.name}  ${name}: ${showMs(spreadOf(ms).median)} ms`);
  };
  for (let round = 0; round < rounds; round += 1) {
    note("deskmap, warm", ...(await withDaemon(app, (stage, host) => readWarm(host, stage, warmReads))));
    const stage = await openStage(app);
    try {
      note("deskmap, cold", (await compete(contestants.deskmap, stage, app.toolkit, false, app.limits)).ms);
    } finally {
      await stage.close();
    }
    for (const rival of rivals) {
      const own = await openStage(app);
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

const plain = await withoutDaemon();
const live = await withDaemon(apps.mousepad, async (stage, host) => {
  const lines = (await measureLines(host, stage, changes)).toSorted((a, b) => a - b);
  const ending = new AbortController();
  const batches = host.watch({ input: { windowId: stage.subject.id, fromNow: true } }, ending.signal);
  const reading = (async () => {
    for await (const batch of batches) if (!batch.ok) throw new Error(batch.failure.message);
  })();
  const load = await measureLoad(stage, (await host.hello).pid);
  ending.abort();
  await reading.catch(() => undefined);
  return { lines, load };
});

async function withoutDaemon() {
  const stage = await openStage(apps.mousepad);
  try {
    return await measureLoad(stage, undefined);
  } finally {
    await stage.close();
  }
}

const at = (share: number): number => live.lines[Math.floor(live.lines.length * share)] ?? Number.NaN;
if (!(at(0.95) <= lineBarMs)) misses.push(`a change is in a line after ${showMs(at(0.95))} ms (p95)`);
if (!(live.load.idleShare <= idleBar))
  misses.push(`an idle watch takes ${(live.load.idleShare * 100).toFixed(1)}% of a core`);

publish("Warm read, and changes as they happen", [
  `Peers: ${listPeers()}, and pyatspi of the system.${isQuick ? " A quick run: too few trials to quote." : ""}`,
  "A warm read is a question over an open connection to the daemon, and its whole answer as JSON, marks and all, of a window " +
    "that has not changed since it was read; of the peers the second read of the same window counts. Cold is Deskmap in " +
    "process, the first read. The bar is judged against the better of cua-driver and a pyatspi walk of the whole window.",
  formatTable({ head: ["application", "contestant", "reads", "median ms", "min–max", "of warm"], rows: readRows }),
  "A change: a key typed into mousepad. Its time is when pyatspi, in another process, hears the event on the bus; a line's is " +
    "when it has come from the daemon.",
  formatTable({
    head: ["what", "figure"],
    rows: [
      ["event to line, p50", `${showMs(at(0.5))} ms`],
      ["event to line, p95", `${showMs(at(0.95))} ms`],
      ["mousepad, processor time for 100 keys, without Deskmap", `${plain.typingMs} ms`],
      ["mousepad, processor time for 100 keys, watched", `${live.load.typingMs} ms`],
      ["daemon with an idle watch, of a core", `${(live.load.idleShare * 100).toFixed(1)}%`],
    ],
  }),
  describeMisses(misses),
]);
