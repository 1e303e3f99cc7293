import { afterAll, beforeAll, describe, test } from "bun:test";
import { click, expectCentred, type Grid, withWindow } from "./grid.ts";
import { prepareChromium, prepareFirefoxPage } from "./grid-browsers.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// As scale.test.ts, in browsers and in an office suite.

const sample = ["A1", "F1", "C2", "A4", "F4", "Row-1", "Row-2"];

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ width: 1600, height: 1100 });
});
afterAll(() => scene.close());

describe.each([
  ["Chromium", 1, () => prepareChromium(1)],
  ["Chromium", 1.5, () => prepareChromium(1.5)],
  ["Chromium", 2, () => prepareChromium(2)],
  ["Firefox", 2, () => prepareFirefoxPage(["GDK_SCALE=2"], {})],
  ["Firefox", 2, () => prepareFirefoxPage([], { "layout.css.devPixelsPerPx": "2" })],
  ["Firefox", 1.5, () => prepareFirefoxPage([], { "layout.css.devPixelsPerPx": "1.5" })],
] as const)("%p at scale %p", (browser, scale, prepare) => {
  test("is pressed at Deskmap's points: the page, the tabs and the address bar, and a menu of Chromium", async () => {
    await withWindow(scene, prepare(), async (grid) => {
      await scene.settle();
      // Pages report positions in whole CSS pixels.
      await expectCentred(scene, grid, sample, scale, 3);
      const names = ownControls[browser];
      await click(scene, names.newTab, "btn");
      await waitForPress(grid, "hidden-Grid");
      // Chromium appends its memory usage.
      await click(scene, /^Grid/, "tab");
      await waitForPress(grid, "visible-Grid");
      if (browser === "Chromium") {
        await click(scene, "Chromium", "btn");
        await click(scene, /^New tab/, "menuitem");
        await waitFor("the page hidden again", () => countPresses(grid, "hidden-Grid") === 2);
      }
      await click(scene, names.address);
      scene.run("xdotool", "key", "ctrl+a");
      scene.run("xdotool", "type", "--delay", "20", grid.address.replace("http://", ""));
      scene.run("xdotool", "key", "Return");
      await waitForPress(grid, "typed");
    });
  });
});

test("LibreOffice with GTK 3 at scale 2 is pressed at Deskmap's points: a menu, its item and a button of the dialog", async () => {
  const options = ["--norestore", "--nologo", "--nofirststartwizard", "--writer"];
  await scene.start(["env", "SAL_USE_VCLPLUGIN=gtk3", "GDK_SCALE=2", "soffice", ...options], "LibreOffice Writer");
  await scene.settle();
  const countDialogs = (): number =>
    scene.run("xdotool", "search", "--onlyvisible", "--name", "^Insert Table$").stdout.split("\n").length - 1;
  await click(scene, "Table", "menu");
  await click(scene, "Insert Table...", "menuitem");
  await waitFor("the dialog", () => countDialogs() === 1);
  await click(scene, "Cancel", "btn");
  await waitFor("no dialog", () => countDialogs() === 0);
});

const ownControls = {
  Chromium: { newTab: "New Tab", address: "Address and search bar" },
  Firefox: { newTab: "Open a new tab (Ctrl+T)", address: /^Search .*or enter address$/ },
};

function waitForPress(grid: Grid, label: string): Promise<void> {
  return waitFor(label, () => countPresses(grid, label) > 0);
}

function countPresses(grid: Grid, label: string): number {
  return grid.presses().filter((press) => press.label === label).length;
}
