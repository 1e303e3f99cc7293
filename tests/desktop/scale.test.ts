import { afterAll, beforeAll, describe, setDefaultTimeout, test } from "bun:test";
import { click, expectCentred, expectPresses, type Grid, moveWindow, prepareGrid } from "./grid.ts";
import { prepareChromium, prepareFirefoxPage } from "./grid-browsers.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

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
  ["gtk3", 2, ["GDK_SCALE=2", "GRID_TITLE=own"]],
  ["gtk4", 2, ["GDK_SCALE=2", "GRID_TITLE=own"]],
  ["gtk4", 1, []],
  ["gtk4", 2, ["GDK_SCALE=2"]],
  ["qt5", 1, []],
  ["qt5", 1.25, ["QT_SCALE_FACTOR=1.25"]],
  ["qt5", 1.4, ["QT_SCALE_FACTOR=1.4"]],
  ["qt5", 1.5, ["QT_SCALE_FACTOR=1.5"]],
  ["qt5", 2, ["QT_SCALE_FACTOR=2"]],
] as const)("a window of %p at scale %p %p", (toolkit, scale, variables) => {
  test("is pressed where Deskmap says: buttons, a list and a menu", async () => {
    await withWindow(prepareGrid(toolkit, variables), async (grid) => {
      await moveWindow(scene, grid.title, 333, 119);
      await scene.settle();
      await expectCentred(scene, grid, sample, scale);
      await pressMenuItems(grid);
    });
  });
});

test("a window of GTK 3 at the dots per inch that the display tells is pressed where Deskmap says", async () => {
  scene.run("sh", "-c", "echo Xft.dpi: 192 | xrdb -merge");
  await withWindow(prepareGrid("gtk3", []), async (grid) => {
    await scene.settle();
    await expectCentred(scene, grid, sample, 1);
    await pressMenuItems(grid);
  });
  scene.run("xrdb", "-remove");
});

test("a GTK 4 window at scale 2 that draws its own title is pressed where Deskmap says: keys and a menu", async () => {
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
    return scene.run("xdotool", "search", "--onlyvisible", "--pid", String(child.pid), "--name", "About").stdout !== "";
  });
  child.kill("SIGKILL");
  await ended;
});

describe.each([
  ["Chromium", 1, () => prepareChromium(1)],
  ["Chromium", 1.5, () => prepareChromium(1.5)],
  ["Chromium", 2, () => prepareChromium(2)],
  ["Firefox", 2, () => prepareFirefoxPage(["GDK_SCALE=2"], {})],
  ["Firefox", 2, () => prepareFirefoxPage([], { "layout.css.devPixelsPerPx": "2" })],
  ["Firefox", 1.5, () => prepareFirefoxPage([], { "layout.css.devPixelsPerPx": "1.5" })],
] as const)("%p at scale %p", (browser, scale, prepare) => {
  test("is pressed where Deskmap says: the page, the tabs and the address bar, and a menu of Chromium", async () => {
    await withWindow(prepare(), async (grid) => {
      await scene.settle();
      // Pages tell places in whole units of theirs.
      await expectCentred(scene, grid, sample, scale, 3);
      const names = ownControls[browser];
      await click(scene, names.newTab, "btn");
      await waitForPress(grid, "hidden-Grid");
      // Chromium adds how much memory it uses.
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

test("LibreOffice with GTK 3 at scale 2 is pressed where Deskmap says: a menu, its item and a button of the dialog", async () => {
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

async function withWindow<Kind extends Grid>(grid: Kind, work: (grid: Kind) => Promise<void>): Promise<void> {
  const child = await scene.start(grid.command, grid.title);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  try {
    await work(grid);
  } finally {
    child.kill("SIGKILL");
    await ended;
    grid.remove();
  }
}

async function pressMenuItems(grid: Grid): Promise<void> {
  for (const item of ["Item-2", "Item-7"]) {
    await click(scene, "Things");
    await expectPresses(scene, grid, [item]);
  }
}

function waitForPress(grid: Grid, label: string): Promise<void> {
  return waitFor(label, () => countPresses(grid, label) > 0, 20_000);
}

function countPresses(grid: Grid, label: string): number {
  return grid.presses().filter((press) => press.label === label).length;
}
