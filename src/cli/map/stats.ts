import * as z from "zod/mini";
import { driftTable } from "../../map/keep/drift-table.ts";
import type { Figures } from "../../map/keep/keeper.ts";
import { succeed } from "../../model/failure.ts";
import { showLocalTime } from "../../model/local-time.ts";
import { quoteName } from "../../model/plain-text.ts";
import { joinRows } from "../../show/csv.ts";
import type { DataOf } from "../../show/output.ts";
import { roundShare } from "../../show/remembered.ts";
import { alignRows } from "../../show/text.ts";
import { defineAnswer } from "../define.ts";
import { withKeeper } from "./open.ts";

const none: Figures = { apps: [], targetCount: 0, placeCount: 0, lastMark: 0, bytes: 0, reliability: [], aside: [] };
const shownApps = 50;

const statsOutput = () => {
  const rate = z.nullable(z.number());
  const suiteBin = z.looseObject({ rightRate: z.number() });
  return z.strictObject({
    targets: z.number(),
    places: z.number(),
    lastMark: z.number(),
    bytes: z.number(),
    bytesPerTarget: rate,
    acts: z.strictObject({ hits: z.number(), misses: z.number(), hitRate: rate, wrongRate: rate }),
    reliability: z.array(
      z.strictObject({ from: z.number(), to: z.number(), right: z.number(), wrong: z.number(), rightRate: z.number() }),
    ),
    suite: z.strictObject({
      right: z.number(),
      wrong: z.number(),
      refused: z.number(),
      rightRate: z.number(),
      wrongRate: z.number(),
      reliability: z.array(suiteBin),
    }),
    setAside: z.array(z.strictObject({ kind: z.string(), why: z.string(), count: z.number() })),
    apps: z.array(
      z.strictObject({
        app: z.string(),
        targets: z.number(),
        taught: z.number(),
        hits: z.number(),
        misses: z.number(),
        lastSeen: z.string(),
      }),
    ),
  });
};

export const stats = defineAnswer({
  name: "stats",
  summary: "How much is remembered of what, how often it was right, and how large the file is.",
  output: statsOutput,
  forms: {
    data: toData,
    text: showFigures,
    csv: ({ apps }: Figures) => joinRows("app,targets,taught,hits,misses,lastSeen", apps.map(cellsOf)),
  },
  encloses: () => true,
  run: () => withKeeper(async (keeper) => succeed((await keeper?.readFigures()) ?? none)),
});

function sumActs({ apps }: Figures) {
  const hits = apps.reduce((sum, one) => sum + one.hits, 0);
  const misses = apps.reduce((sum, one) => sum + one.misses, 0);
  const all = hits + misses;
  return {
    hits,
    misses,
    hitRate: all === 0 ? null : roundShare(hits / all),
    wrongRate: all === 0 ? null : roundShare(misses / all),
  };
}

function toData(figures: Figures): DataOf<typeof statsOutput> {
  const { apps, targetCount, placeCount, lastMark, bytes, reliability, aside } = figures;
  return {
    targets: targetCount,
    places: placeCount,
    lastMark,
    bytes,
    bytesPerTarget: targetCount === 0 ? null : Math.round(bytes / targetCount),
    acts: sumActs(figures),
    reliability: reliability.map(({ bin, hits, misses }) => ({
      ...{ from: bin / 10, to: (bin + 1) / 10, right: hits, wrong: misses },
      rightRate: roundShare(hits / Math.max(1, hits + misses)),
    })),
    suite: driftToData(),
    setAside: aside,
    apps: apps.map(({ lastSeenMs, ...one }) => ({ ...one, lastSeen: new Date(lastSeenMs).toISOString() })),
  };
}

function driftToData() {
  const { right, wrong, refused, bins } = driftTable;
  const all = right + wrong + refused;
  return {
    ...{ right, wrong, refused, rightRate: roundShare(right / all), wrongRate: roundShare(wrong / all) },
    reliability: bins.map((bin) => ({ ...bin, rightRate: roundShare(bin.right / Math.max(1, bin.all)) })),
  };
}

/** How well the resolver did in our own measurements: a new map has few actions of its own to judge by. */
function showDrift(): string[] {
  const { right, wrong, refused, bins } = driftTable;
  const all = right + wrong + refused;
  const rows = bins.map((bin, at) => [
    `${bin.from}–${bins[at + 1]?.from ?? 1}`,
    ...[String(bin.right), String(bin.all - bin.right), percent(bin.right / Math.max(1, bin.all))],
  ]);
  const shares = [right, wrong, refused].map((count) => percent(count / Math.max(1, all)));
  return [
    `measured over ${all} controls of changed applications and pages: ${shares[0]} right, ${shares[1]} wrong, ${shares[2]} refused`,
    "",
    alignRows([["how sure", "right", "wrong", "right of all"], ...rows]),
  ];
}

function cellsOf({ app, targets, taught, hits, misses, lastSeenMs }: Figures["apps"][number]): string[] {
  return [app, ...[targets, taught, hits, misses].map(String), new Date(lastSeenMs).toISOString()];
}

function showFigures(figures: Figures): string {
  const { apps, targetCount, placeCount, lastMark, bytes } = figures;
  if (targetCount === 0) {
    return [`nothing is remembered; ${lastMark} marks were given out so far`, "", ...showDrift()].join("\n");
  }
  const each = Math.round(bytes / targetCount);
  const rows = apps
    .slice(0, shownApps)
    .map((one) => [
      quoteName(one.app),
      ...[one.targets, one.taught, one.hits, one.misses].map((amount) => (amount === 0 ? "" : String(amount))),
      showLocalTime(one.lastSeenMs).slice(0, 16),
    ]);
  const more = apps.length > shownApps ? [`${apps.length - shownApps} more applications: --format json has all`] : [];
  return [
    `${targetCount} controls in ${placeCount} containers of ${apps.length} applications; the last mark is ${lastMark}`,
    `${showBytes(bytes)}, ${each} bytes a control`,
    ...showAside(figures),
    ...showActs(figures),
    "",
    alignRows([["application", "controls", "taught", "hits", "misses", "last seen"], ...rows]),
    ...more,
    "",
    ...showDrift(),
  ].join("\n");
}

/** Rows that the server of a shared map does not accept. */
function showAside({ aside }: Figures): string[] {
  return aside.map(({ kind, why, count }) => {
    const what = count === 1 ? `1 ${kind}` : `${count} rows (${kind})`;
    return `set aside: ${what} that the shared map does not take (${why}); it is sent again when it changes`;
  });
}

/** How often each tenth of confidence was right. */
function showActs(figures: Figures): string[] {
  const { hits, misses, hitRate, wrongRate } = sumActs(figures);
  if (hitRate === null || wrongRate === null) return ["nothing was done by these marks yet"];
  const rows = figures.reliability.map(({ bin, hits: right, misses: wrong }) => {
    const share = right / Math.max(1, right + wrong);
    return [`${(bin / 10).toFixed(1)}–${((bin + 1) / 10).toFixed(1)}`, String(right), String(wrong), percent(share)];
  });
  return [
    `${hits} acts came out as wanted (${percent(hitRate)}), ${misses} did not (${percent(wrongRate)})`,
    "",
    alignRows([["confidence before", "right", "wrong", "right of all"], ...rows]),
  ];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

function showBytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
