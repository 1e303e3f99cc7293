import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSandbox } from "../src/sandbox/index.ts";
import { isQuick } from "./lab/options.ts";
import { describeMisses, publish } from "./lab/results.ts";
import { waitUntilQuiet } from "./lab/settle.ts";
import { formatTable, showMs, showRange, spreadOf } from "./lab/table.ts";

const repeats = isQuick ? 5 : 30;
const bars = { updateMs: 50, hoverMs: 20, staleMs: 250 };
const own = fileURLToPath(new URL("./contestants/marks-own.ts", import.meta.url));
const fixture = fileURLToPath(new URL("../tests/fixtures/apps/counter.py", import.meta.url));
const toolkits = ["gtk3", "gtk3", "gtk3", "gtk3", "qt5"] as const;

interface Report {
  readonly marks: number;
  readonly gone: readonly number[];
  readonly back: readonly number[];
  readonly hover: readonly number[];
  readonly update: readonly number[];
}

async function measure(): Promise<Report> {
  const sandbox = await openSandbox({ width: 1920, height: 1200, boundary: "off" });
  const run = (command: string, ...args: string[]) => spawnSync(command, args, { env: sandbox.env, encoding: "utf8" });
  try {
    for (const [at, toolkit] of toolkits.entries()) {
      const state = join(sandbox.env.HOME ?? "", `state-${at}`);
      const child = sandbox.spawn(["/usr/bin/python3", fixture, state, `Counter ${at}`, toolkit], { stdio: "ignore" });
      run("xdotool", "search", "--sync", "--onlyvisible", "--name", `^Counter ${at}$`);
      await waitUntilQuiet(child.pid ?? 0);
      const [x, y] = [20 + (at % 3) * 560, 60 + Math.floor(at / 3) * 520];
      run("xdotool", "search", "--name", `^Counter ${at}$`, "windowmove", "--sync", String(x), String(y));
    }
    const { status, stdout, stderr } = run(process.execPath, own, "Counter 0", String(repeats));
    if (status !== 0) throw new Error(`it ended with ${status}: ${stderr.slice(-1000)}`);
    return JSON.parse(stdout);
  } finally {
    await sandbox.close();
  }
}

const report = await measure();
const [update, hover] = [spreadOf(report.update), spreadOf(report.hover)];
const [gone, back] = [spreadOf(report.gone), spreadOf(report.back)];
const misses = [
  ...(update.median < bars.updateMs ? [] : [`all marks take ${showMs(update.median)} ms, asked for ${bars.updateMs}`]),
  ...(hover.median < bars.hoverMs ? [] : [`a hover takes ${showMs(hover.median)} ms, asked for ${bars.hoverMs}`]),
  ...(gone.max < bars.staleMs ? [] : [`a mark stayed ${showMs(gone.max)} ms over a moved window`]),
  ...(back.median < bars.staleMs ? [] : [`marks follow in ${showMs(back.median)} ms, asked for ${bars.staleMs}`]),
];
publish("Marks that follow the screen", [
  `${report.marks} marks on four windows of GTK 3 and one of Qt 5, openbox without a compositor, until the display has what is ` +
    `drawn; ${repeats} times each. A window is moved by xdotool, whose end is when the time begins.`,
  formatTable({
    head: ["what", "median ms", "min–max"],
    rows: [
      [`all ${report.marks} marks placed and drawn elsewhere`, showMs(update.median), showRange(update)],
      ["the control under the pointer, found and shown", showMs(hover.median), showRange(hover)],
      ["marks of a window that moves, gone", showMs(gone.median), showRange(gone)],
      ["and there again, when it is still", showMs(back.median), showRange(back)],
    ],
  }),
  `Bars: ${bars.updateMs} ms for all marks, ${bars.hoverMs} ms for a hover, ${bars.staleMs} ms until marks have followed. ` +
    describeMisses(misses),
]);
