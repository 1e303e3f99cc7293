import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { parseMonitors } from "../../src/sandbox/index.ts";
import { click, expectCentred, expectPresses, findLabels, type Grid, moveWindow, prepareGrid } from "./grid.ts";
import { prepareChromium, prepareFirefoxPage } from "./grid-browsers.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// Three monitors of different sizes; the primary is neither the leftmost nor the first.

setDefaultTimeout(60_000);
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

const cases = [
  ["gtk3", 1, []],
  ["gtk3", 2, ["GDK_SCALE=2"]],
  ["gtk4", 2, ["GDK_SCALE=2"]],
  ["qt5", 1.5, ["QT_SCALE_FACTOR=1.5"]],
  ["qt5", 2, ["QT_SCREEN_SCALE_FACTORS=DUMMY0=2;DUMMY1=2;DUMMY2=2"]],
] as const;

describe.each(cases)("a window of %p at scale %p %p", (toolkit, scale, variables) => {
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

  test("is pressed where it is seen: across two monitors, beyond the left edge, and beside a lower monitor", async () => {
    await moveWindow(scene, grid.title, 1200, 300);
    await scene.settle();
    await expectPresses(scene, grid, ["A1", "B2", "C3", "F4"]);
    // The middle of column B stands left of the screen.
    await moveWindow(scene, grid.title, -Math.round(78 * scale), 200);
    await scene.settle();
    const labels = findLabels(scene);
    expect(labels).not.toContain("A1");
    await expectPresses(scene, grid, ["C1", "F4"]);
    // Only the upper rows are on the low monitor, which ends at 1024 of the screen's 1080.
    await moveWindow(scene, grid.title, 100, 1024 - Math.round(70 * scale));
    await scene.settle();
    await expectPresses(scene, grid, ["A1", "F1"]);
    expect(findLabels(scene)).not.toContain("Row-1");
  });
});

test.each([
  ["Chromium at 1.5", 1.5, () => prepareChromium(1.5)],
  ["Chromium at 2", 2, () => prepareChromium(2)],
  ["Firefox at 2", 2, () => prepareFirefoxPage(["GDK_SCALE=2"], {})],
] as const)(
  "%s is pressed on the monitors beside the first, in its page and in its bar",
  async (_name, scale, prepare) => {
    const grid = prepare();
    const child = await scene.start(grid.command, grid.title);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    try {
      await scene.settle();
      for (const [monitor, x, y] of places.slice(1)) {
        // Asked again until it is there: a browser that restores its window just then undoes the first move.
        await waitFor(`the window on ${monitor}`, () => {
          if (String(readMonitors()) === monitor) return true;
          scene.run("wmctrl", "-r", grid.title, "-b", "remove,maximized_vert,maximized_horz");
          scene.run("wmctrl", "-r", grid.title, "-e", `0,${x},${y},800,600`);
          return false;
        });
        await scene.settle();
        // Pages tell places in whole units of theirs.
        await expectCentred(scene, grid, ["A1", "F4", "Row-2"], scale, 3);
        const before = grid.presses().length;
        await click(scene, /^(Address and search bar|Search .*or enter address)$/);
        scene.run("xdotool", "key", "ctrl+a");
        scene.run("xdotool", "type", "--delay", "20", grid.address.replace("http://", ""));
        scene.run("xdotool", "key", "Return");
        await waitFor("the typed address", () =>
          grid
            .presses()
            .slice(before)
            .some(({ label }) => label === "typed"),
        );
        // Going back is heard only once the page is there; the window is found by its title next.
        await waitFor("the other page", () => !readTitles().includes(grid.title));
        scene.run("xdotool", "key", "alt+Left");
        await waitFor("the first page again", () => readTitles().includes(grid.title));
      }
    } finally {
      child.kill("SIGKILL");
      await ended;
      grid.remove();
    }
  },
);

function readTitles(): string {
  const { stdout } = scene.deskmap("list");
  return (JSON.parse(stdout) as { title: string }[]).map(({ title }) => title).join("\n");
}

function readMonitors(): string[] {
  const { stdout } = scene.deskmap("list");
  return (JSON.parse(stdout) as { monitor: string }[]).map(({ monitor }) => monitor);
}
