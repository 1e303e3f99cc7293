import { afterAll, beforeAll, describe, test } from "bun:test";
import { casesOf, matrix } from "../tier.ts";
import { click, expectCentred, expectPresses, type Grid, moveWindow, prepareGrid, withWindow } from "./grid.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// Points are physical pixels at every scale: xdotool clicks at Deskmap's points, and the application records which control was
// pressed, and how far from its middle.

const sample = ["A1", "F1", "C2", "A4", "F4", "Row-1", "Row-2"];

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ width: 1600, height: 1100 });
});
afterAll(() => scene.close());

type Scaled = readonly ["gtk3" | "gtk4" | "qt5", number, readonly string[]];

const once: readonly Scaled[] = [
  ["gtk3", 2, ["GDK_SCALE=2"]],
  ["qt5", 1.5, ["QT_SCALE_FACTOR=1.5"]],
];
const others: readonly Scaled[] = [
  ["gtk3", 1, []],
  ["gtk3", 3, ["GDK_SCALE=3"]],
  ["gtk3", 1, ["GDK_DPI_SCALE=1.5"]],
  ["gtk3", 2, ["GDK_SCALE=2", "GRID_TITLE=own"]],
  ["gtk4", 2, ["GDK_SCALE=2", "GRID_TITLE=own"]],
  ["gtk4", 1, []],
  ["gtk4", 2, ["GDK_SCALE=2"]],
  ["qt5", 1, []],
  ["qt5", 1.25, ["QT_SCALE_FACTOR=1.25"]],
  ["qt5", 1.4, ["QT_SCALE_FACTOR=1.4"]],
  ["qt5", 2, ["QT_SCALE_FACTOR=2"]],
];

describe.each([...casesOf(once, others)])("a window of %p at scale %p %p", (toolkit, scale, variables) => {
  test("is pressed at Deskmap's points: buttons, a list and a menu", async () => {
    await withWindow(scene, prepareGrid(toolkit, variables), async (grid) => {
      await moveWindow(scene, grid.title, 333, 119);
      await scene.settle();
      await expectCentred(scene, grid, sample, scale);
      await pressMenuItems(grid);
    });
  });
});

matrix.test("a GTK 3 window at the display's DPI is pressed at Deskmap's points", async () => {
  scene.run("sh", "-c", "echo Xft.dpi: 192 | xrdb -merge");
  await withWindow(scene, prepareGrid("gtk3", []), async (grid) => {
    await scene.settle();
    await expectCentred(scene, grid, sample, 1);
    await pressMenuItems(grid);
  });
  scene.run("xrdb", "-remove");
});

matrix.test(
  "a GTK 4 window at scale 2 with its own title bar is pressed at Deskmap's points: keys and a menu",
  async () => {
    const child = await scene.start(["env", "GDK_SCALE=2", "gnome-calculator"], "Calculator");
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await moveWindow(scene, "Calculator", 431, 117);
    await scene.settle();
    for (const key of ["1", "2", "3", "+", "4", "5", "6", "−", "7", "8", "9"]) await click(scene, key, "btn");
    await waitFor("the display to show what was clicked", () => {
      return (scene.ask("text", String(child.pid), "text") as string[]).includes("123+456−789");
    });
    await click(scene, "Primary menu", "btn");
    await click(scene, "About Calculator", "menuitem");
    await waitFor("a second window", () => {
      return (
        scene.run("xdotool", "search", "--onlyvisible", "--pid", String(child.pid), "--name", "About").stdout !== ""
      );
    });
    child.kill("SIGKILL");
    await ended;
  },
);

async function pressMenuItems(grid: Grid): Promise<void> {
  for (const item of ["Item-2", "Item-7"]) {
    await click(scene, "Things");
    await expectPresses(scene, grid, [item]);
  }
}
