import { fileURLToPath } from "node:url";
import { colourOf } from "../src/marks/tag.ts";
import type { Bounds, Point } from "../src/model/bounds.ts";
import type { Drawing } from "../src/model/drawing.ts";
import type { Result } from "../src/model/failure.ts";
import { XConnection } from "../src/platform/linux/x11/connection.ts";
import { openLivePlatform } from "../src/platform/pick.ts";
import type { DrawingSurface, LivePlatform } from "../src/platform/port.ts";
import { openSandbox, type Sandbox } from "../src/sandbox/index.ts";
import { openScene, type Scene, waitFor } from "../tests/desktop/scene.ts";
import { readShown, type Shown } from "../tests/desktop/shown.ts";
import { isQuick } from "./lab/options.ts";
import { describeMisses, publish } from "./lab/results.ts";
import { waitUntilQuiet } from "./lab/settle.ts";
import { formatTable, type Spread, showMs, showRange, spreadOf } from "./lab/table.ts";

const rounds = isQuick ? 5 : 60;
const runIn = isQuick ? 1 : 10;
const markCount = 200;
const bars = { updateMs: 50, hoverMs: 20, followMs: 250 };
const follows = isQuick ? 2 : 20;
const observer = fileURLToPath(new URL("./contestants/see-marks.py", import.meta.url));
const screen = { x: 0, y: 0, width: 1920, height: 1080 };
const timeoutMs = 10_000;

interface Figures {
  readonly update: Spread;
  readonly hover: Spread;
  readonly bare: Spread;
  readonly empty: Spread;
  readonly marked: Spread;
}

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

async function time(work: (round: number) => Promise<void>): Promise<Spread> {
  const figures: number[] = [];
  for (let round = 0; round < rounds + runIn; round += 1) {
    const startMs = performance.now();
    await work(round);
    figures.push(performance.now() - startMs);
  }
  return spreadOf(figures.slice(runIn));
}

/** Marks with an outline and a tag, shifted as if a list had been scrolled. */
function drawMarks(surface: DrawingSurface, shift: number): Drawing[] {
  return Array.from({ length: markCount }, (_, index): Drawing[] => {
    const bounds = { x: 20 + (index % 20) * 92, y: 30 + Math.floor(index / 20) * 100 + shift, width: 80, height: 40 };
    const text = String(index + 1);
    const tag = { x: bounds.x, y: bounds.y - 8, ...surface.measure(text) };
    return [
      { kind: "box", key: `box ${index}`, bounds, colour: "#e8590c", stroke: "thin" },
      { kind: "tag", key: `tag ${index}`, bounds: tag, text, colour: "#ffd43b" },
    ];
  }).flat();
}

/** Moves the pointer by X11's WarpPointer request. */
async function warp(x: XConnection, point: Point): Promise<void> {
  const bytes = Buffer.alloc(24);
  bytes[0] = 41;
  bytes.writeUInt32LE(x.root, 8);
  bytes.writeInt16LE(point.x, 20);
  bytes.writeInt16LE(point.y, 22);
  await x.send(bytes);
}

/** From a move of the pointer until the X server has drawn the highlight. */
async function timeHover(surface: DrawingSurface, sandbox: Sandbox, marks: readonly Drawing[]): Promise<Spread> {
  const x = await XConnection.connect(sandbox.env, timeoutMs);
  let onDrawn: () => void = () => undefined;
  const around = ({ x: left, y: top }: Point): Bounds => ({ x: left - 40, y: top - 15, width: 80, height: 30 });
  const stop = unwrap(
    await surface.pick({
      onMove(point) {
        const lit: Drawing = { kind: "box", key: "lit", bounds: around(point), colour: "#c800ff", stroke: "thick" };
        void surface.draw([...marks, lit]).then(() => onDrawn());
      },
      onPress: () => undefined,
      onDrag: () => undefined,
      onLeave: () => undefined,
    }),
  );
  try {
    return await time(async (round) => {
      const drawn = new Promise<void>((resolve) => {
        onDrawn = resolve;
      });
      await warp(x, { x: 100 + ((round * 37) % 1500), y: 100 + ((round * 53) % 800) });
      await drawn;
    });
  } finally {
    stop();
    x.close();
  }
}

async function measure(platform: LivePlatform, sandbox: Sandbox): Promise<Figures> {
  const take = async (): Promise<void> => void unwrap(await platform.captureScreen(screen));
  const bare = await time(take);
  const surface = unwrap(await platform.openDrawingSurface());
  const empty = await time(take);
  const update = await time((round) => surface.draw(drawMarks(surface, round % 9)));
  const marks = drawMarks(surface, 0);
  await surface.draw(marks);
  const marked = await time(take);
  const hover = await timeHover(surface, sandbox, marks);
  surface.close();
  return { update, hover, bare, empty, marked };
}

/** Measured by another program on the screen: from a window's move or a key until the mark is drawn. */
function timeOnScreen(scene: Scene, { i, b: [x, y, , height] = [0, 0, 0, 0] }: Shown, ...way: string[]): Spread {
  const place = [String(x), String(y + Math.floor(height / 2)), colourOf(i).slice(1), String(follows)];
  const { status, stdout, stderr } = scene.run("/usr/bin/python3", observer, ...way, ...place);
  if (status !== 0) throw new Error(stderr);
  return spreadOf(stdout.trim().split("\n").map(Number));
}

/** End to end: the application, the live tree, the map, the daemon's overlay, the screen. */
async function measureFollowing(): Promise<readonly (readonly [string, Spread])[]> {
  const scene = await openScene({ width: 1280, height: 800 });
  try {
    await scene.start(["mousepad", "--disable-server"], "Mousepad");
    await scene.settle();
    const id = scene.run("xdotool", "getactivewindow").stdout.trim();
    if (scene.deskmap("overlay", "on").status !== 0) throw new Error("the overlay did not come on");
    const find = (...names: string[]): Shown | undefined =>
      readShown(scene, "--app", "mousepad").find(({ t = "" }) => names.includes(t));
    const menu = find("File");
    if (menu === undefined) throw new Error("no menu");
    const moves = timeOnScreen(scene, menu, "moves", id);
    // Opened once, so that its entries have marks and places.
    scene.run("xdotool", "key", "F10");
    await waitFor("the menu's entries", () => find("New")?.b !== undefined);
    const entry = find("New");
    scene.run("xdotool", "key", "Escape");
    await waitFor("the menu to close", () => find("New") === undefined);
    await scene.settle();
    if (entry === undefined) throw new Error("no entry");
    return [
      ["from an order to move a window to its marks at the new place", moves],
      [
        "from the key that opens a menu to the marks of its entries",
        timeOnScreen(scene, entry, "keys", "F10", "Escape"),
      ],
    ];
  } finally {
    scene.deskmap("serve", "stop");
    await scene.close();
  }
}

const results: [string, Figures][] = [];
for (const compositor of ["none", "picom"]) {
  const sandbox = await openSandbox({ ...screen, boundary: "off" });
  try {
    const child = sandbox.spawn(["zenity", "--info", "--text=Something to see", "--width=1200", "--height=800"], {
      stdio: "ignore",
    });
    await waitUntilQuiet(child.pid ?? 0);
    if (compositor === "picom") {
      const command = ["picom", "--backend", "xrender", "--config", "/dev/null"] as const;
      await waitUntilQuiet(sandbox.spawn(command, { stdio: "ignore" }).pid ?? 0);
    }
    const platform = unwrap(await openLivePlatform({ env: sandbox.env, timeoutMs }));
    results.push([compositor, await measure(platform, sandbox)]);
    platform.close();
    console.log(`  ${compositor}`);
  } finally {
    await sandbox.close();
  }
}

const following = await measureFollowing();
const misses = results.flatMap(([compositor, { update, hover }]) => [
  ...(update.median < bars.updateMs ? [] : [`${compositor}: ${showMs(update.median)} ms for ${markCount} marks`]),
  ...(hover.median < bars.hoverMs ? [] : [`${compositor}: ${showMs(hover.median)} ms from a move to the highlight`]),
]);
for (const [what, { median }] of following) {
  if (!(median < bars.followMs)) misses.push(`${what}: ${showMs(median)} ms`);
}
const names: readonly (readonly [keyof Figures, string])[] = [
  ["update", `${markCount} marks, every one of them moved`],
  ["hover", "from the pointer's move to the highlight"],
  ["bare", "a picture of the screen, no overlay"],
  ["empty", "the same, overlay on, nothing drawn"],
  ["marked", `the same, ${markCount} marks drawn and left out`],
];
publish("Overlay", [
  "A screen of 1920×1080 in a sandbox, with and without a compositor (picom, xrender); each until the X server has done it. " +
    "Marks are an outline and a number.",
  formatTable({
    head: ["what", "compositor", "median ms", "min–max"],
    rows: names.flatMap(([name, says]) =>
      results.map(([compositor, figures]) => [
        says,
        compositor,
        showMs(figures[name].median),
        showRange(figures[name]),
      ]),
    ),
  }),
  "Through the daemon, over mousepad, measured by another program on the screen (python-xlib, which polls one part of it):",
  formatTable({
    head: ["what", "median ms", "min–max"],
    rows: following.map(([what, spread]) => [what, showMs(spread.median), showRange(spread)]),
  }),
  `Bars: ${markCount} marks in under ${bars.updateMs} ms, a highlight in under ${bars.hoverMs} ms, marks that follow within ${bars.followMs} ms. ${describeMisses(misses)}`,
]);
