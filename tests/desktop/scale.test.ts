import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { clickAt, expectCentred, expectPress, type Grid, moveWindow, prepareGrid, waitForPoint } from "./grid.ts";
import { openScene, type Scene } from "./scene.ts";

// Points are physical pixels at every scale: xdotool clicks where Deskmap says, and the application writes down what was
// pressed, and how far from its middle.

setDefaultTimeout(60_000);
const sample = ["A1", "F1", "C2", "A4", "F4", "Row-1", "Row-2"];

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ width: 1600, height: 1100 });
});
afterAll(() => scene.close());

describe.each([
  ["gtk3", 1, []],
  ["gtk3", 2, ["GDK_SCALE=2"]],
  ["gtk3", 3, ["GDK_SCALE=3"]],
  ["gtk3", 1, ["GDK_DPI_SCALE=1.5"]],
  ["gtk3", 2, ["GDK_SCALE=2", "GDK_DPI_SCALE=0.5"]],
  ["gtk4", 1, []],
  ["gtk4", 2, ["GDK_SCALE=2"]],
  ["qt5", 1, []],
  ["qt5", 1.25, ["QT_SCALE_FACTOR=1.25"]],
  ["qt5", 1.4, ["QT_SCALE_FACTOR=1.4"]],
  ["qt5", 1.5, ["QT_SCALE_FACTOR=1.5"]],
  ["qt5", 2, ["QT_SCALE_FACTOR=2"]],
] as const)("a window of %p at scale %p %p", (toolkit, scale, variables) => {
  test("is pressed where Deskmap says: buttons, a list and a menu", async () => {
    const grid = prepareGrid(toolkit, variables);
    const child = await scene.start(grid.command, grid.title);
    try {
      await moveWindow(scene, grid.title, 333, 119);
      await scene.settle();
      for (const label of sample) await expectCentred(scene, grid, label, scale);
      await pressMenuItems(grid);
    } finally {
      await endChild(child);
      grid.remove();
    }
  });
});

async function pressMenuItems(grid: Grid): Promise<void> {
  for (const item of ["Item-2", "Item-7"]) {
    clickAt(scene, await waitForPoint(scene, "Things"));
    await expectPress(scene, grid, item);
    await scene.settle();
  }
}

async function endChild(child: Awaited<ReturnType<Scene["start"]>>): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
  expect(child.killed).toBe(true);
}
