import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { parseMonitors } from "../../src/sandbox/index.ts";
import { casesOf } from "../tier.ts";
import { click, expectCentred, expectPresses, findLabels, type Grid, moveWindow, prepareGrid } from "./grid.ts";
import { openScene, type Scene } from "./scene.ts";

// Three monitors of different sizes; the primary is neither the leftmost nor the first.

const size = { width: 1280, height: 1024 };
const places = [
  ["DUMMY0", 100, 200],
  ["DUMMY2", 3300, 390],
  ["DUMMY1", 1900, 90],
] as const;

let scene: Scene;
beforeAll(async () => {
  const monitors = parseMonitors("1280x1024,1920x1080*,1024x768+3200+312", size);
  if (!monitors.ok) throw new Error("a layout");
  scene = await openScene({ ...size, monitors: monitors.value });
});
afterAll(() => scene.close());

type Scaled = readonly ["gtk3" | "gtk4" | "qt5", number, readonly string[]];

const once: readonly Scaled[] = [["gtk3", 1, []]];
const others: readonly Scaled[] = [
  ["gtk3", 2, ["GDK_SCALE=2"]],
  ["gtk4", 2, ["GDK_SCALE=2"]],
  ["qt5", 1.5, ["QT_SCALE_FACTOR=1.5"]],
  ["qt5", 2, ["QT_SCREEN_SCALE_FACTORS=DUMMY0=2;DUMMY1=2;DUMMY2=2"]],
];

describe.each([...casesOf(once, others)])("a window of %p at scale %p %p", (toolkit, scale, variables) => {
  let grid: Grid;
  let end: () => Promise<unknown>;
  beforeAll(async () => {
    grid = prepareGrid(toolkit, variables);
    const child = await scene.start(grid.command, grid.title);
    end = () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      return ended;
    };
  });
  afterAll(async () => {
    await end();
    grid.remove();
  });

  test("is listed on each monitor that it is moved to, and pressed there: buttons and a menu", async () => {
    for (const [monitor, x, y] of places) {
      await moveWindow(scene, grid.title, x, y);
      await scene.settle();
      expect(readMonitors()).toEqual([monitor]);
      await expectCentred(scene, grid, ["A1", "F4", "C2"], scale);
      await click(scene, "Things");
      await expectPresses(scene, grid, ["Item-3"]);
    }
  });

  test("is pressed in its visible part: across two monitors, beyond the left edge, and beside a lower monitor", async () => {
    await moveWindow(scene, grid.title, 1200, 300);
    await scene.settle();
    await expectPresses(scene, grid, ["A1", "B2", "C3", "F4"]);
    // The middle of column B is left of the screen.
    await moveWindow(scene, grid.title, -Math.round(78 * scale), 200);
    await scene.settle();
    const labels = findLabels(scene);
    expect(labels).not.toContain("A1");
    await expectPresses(scene, grid, ["C1", "F4"]);
    // Only the upper rows are on the shorter monitor, which ends at 1024 of the screen's 1080.
    await moveWindow(scene, grid.title, 100, 1024 - Math.round(70 * scale));
    await scene.settle();
    await expectPresses(scene, grid, ["A1", "F1"]);
    expect(findLabels(scene)).not.toContain("Row-1");
  });
});

function readMonitors(): string[] {
  const { stdout } = scene.deskmap("list");
  return (JSON.parse(stdout).windows as { monitor: string }[]).map(({ monitor }) => monitor);
}
