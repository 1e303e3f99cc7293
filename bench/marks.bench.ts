import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { placeTags } from "../src/marks/place-tags.ts";
import type { Tagged } from "../src/marks/tag.ts";
import { measureTag } from "../src/picture/draw-marks.ts";
import { openSandbox, type Sandbox } from "../src/sandbox/index.ts";
import { isQuick } from "./lab/options.ts";
import { describeMisses, publish } from "./lab/results.ts";
import { waitUntilQuiet } from "./lab/settle.ts";
import { formatTable, type Spread, showMs, showRange, showRatio, spreadOf } from "./lab/table.ts";

const rounds = isQuick ? 3 : 11;
/** Placements that count, after as many as the compiler needs. */
const placements = { run: isQuick ? 20 : 60, runIn: 40 };
/** In milliseconds, code warm. */
const bars: Readonly<Record<200 | 2000, number>> = { 200: 5, 2000: 50 };
const launcher = fileURLToPath(new URL("../deskmap", import.meta.url));
const subject = fileURLToPath(new URL("../tests/fixtures/apps/grid-gtk3.py", import.meta.url));
const screen = { x: 0, y: 0, width: 1920, height: 1080 };

/** As applications have them: rows of controls with small gaps, and a box around some of them. */
function lineUp(count: number): readonly Tagged[] {
  const columns = Math.ceil(Math.sqrt(count * 2));
  const width = Math.floor(screen.width / columns);
  const height = Math.floor(screen.height / Math.ceil(count / columns));
  return Array.from({ length: count }, (_, at) => {
    const [x, y] = [(at % columns) * width, Math.floor(at / columns) * height];
    const isBox = at % 20 === 0;
    const size = isBox ? { width: 5 * width, height: 3 * height } : { width: width - 6, height: height - 6 };
    return { mark: at + 1, bounds: { x, y, ...size } };
  });
}

function measurePlacing(count: number): Spread {
  const controls = lineUp(count);
  const figures: number[] = [];
  for (let at = 0; at < placements.runIn + placements.run; at += 1) {
    const started = performance.now();
    placeTags(controls, screen, measureTag);
    figures.push(performance.now() - started);
  }
  return spreadOf(figures.slice(placements.runIn));
}

function takePicture({ env }: Sandbox, options: readonly string[]): { readonly ms: number; readonly marks: number } {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(launcher, ["screenshot", ...options], {
    env,
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
  if (status !== 0) throw new Error(stderr);
  const ms = performance.now() - started;
  const report: { readonly marks?: readonly unknown[] } = JSON.parse(stdout);
  return { ms, marks: report.marks?.length ?? 0 };
}

async function measurePictures() {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-bench-marks-"));
  const sandbox = await openSandbox({ width: screen.width, height: screen.height });
  const figures: Record<"plain" | "marked", number[]> = { plain: [], marked: [] };
  let count = 0;
  try {
    const child = sandbox.spawn(["/usr/bin/python3", subject, join(folder, "presses"), "Grid"], { stdio: "ignore" });
    await waitUntilQuiet(child.pid ?? 0);
    const options = ["--output", join(folder, "picture.png")];
    for (let round = 0; round <= rounds; round += 1) {
      const plain = takePicture(sandbox, options);
      const marked = takePicture(sandbox, [...options, "--marks"]);
      count = marked.marks;
      // The first of each fills what the machine keeps in memory.
      if (round === 0) continue;
      figures.plain.push(plain.ms);
      figures.marked.push(marked.ms);
    }
  } finally {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return { plain: spreadOf(figures.plain), marked: spreadOf(figures.marked), count };
}

const few = measurePlacing(200);
const many = measurePlacing(2000);
const { plain, marked, count } = await measurePictures();
const misses = [
  ...(few.median < bars[200] ? [] : [`200 tags take ${showMs(few.median)} ms, asked for less than ${bars[200]}`]),
  ...(many.median < bars[2000] ? [] : [`2,000 tags take ${showMs(many.median)} ms, asked for less than ${bars[2000]}`]),
];
publish("Marks in pictures", [
  `\`deskmap screenshot\` of a screen of 1920×1080 with a GTK 3 window, with --marks (${count} of them) and without, a process ` +
    `each, in turns, ${rounds} times; a picture reads the tree in any case, to find what must be covered. Placing the tags ` +
    "alone is measured with warm code, for controls in rows with small gaps and boxes around some of them.",
  formatTable({
    head: ["work", "median ms", "min–max", "ratio"],
    rows: [
      ["screenshot", showMs(plain.median), showRange(plain), "1.0×"],
      ["screenshot --marks", showMs(marked.median), showRange(marked), showRatio(marked.median / plain.median)],
      ["placing 200 tags", showMs(few.median), showRange(few), "—"],
      ["placing 2,000 tags", showMs(many.median), showRange(many), "—"],
    ],
  }),
  `Bars: 200 tags in less than ${bars[200]} ms, 2,000 in less than ${bars[2000]}. ${describeMisses(misses)}`,
]);
