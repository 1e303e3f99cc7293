import { afterAll, beforeAll, test } from "bun:test";
import { parseMonitors } from "../../src/sandbox/index.ts";
import { click, expectCentred, withWindow } from "./grid.ts";
import { prepareChromium, prepareFirefoxPage } from "./grid-browsers.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// As monitors.test.ts, in browsers: three monitors of different sizes; the primary is neither the leftmost nor the first.

const size = { width: 1280, height: 1024 };
const places = [
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

test.each([
  ["Chromium at 1.5", 1.5, () => prepareChromium(1.5)],
  ["Chromium at 2", 2, () => prepareChromium(2)],
  ["Firefox at 2", 2, () => prepareFirefoxPage(["GDK_SCALE=2"], {})],
] as const)(
  "%s is pressed on the monitors beside the first, in its page and in its bar",
  async (_name, scale, prepare) => {
    await withWindow(scene, prepare(), async (grid) => {
      await scene.settle();
      for (const [monitor, x, y] of places) {
        // Requested repeatedly until it is there: a browser that is restoring its window undoes the first move.
        await waitFor(`the window on ${monitor}`, () => {
          if (String(readMonitors()) === monitor) return true;
          scene.run("wmctrl", "-r", grid.title, "-b", "remove,maximized_vert,maximized_horz");
          scene.run("wmctrl", "-r", grid.title, "-e", `0,${x},${y},800,600`);
          return false;
        });
        await scene.settle();
        // Pages report positions in whole CSS pixels.
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
        // Going back is reported only after the page has loaded; the window is found by its title next.
        await waitFor("the other page", () => !readTitles().includes(grid.title));
        scene.run("xdotool", "key", "alt+Left");
        await waitFor("the first page again", () => readTitles().includes(grid.title));
      }
    });
  },
);

function readTitles(): string {
  const { stdout } = scene.deskmap("list");
  return (JSON.parse(stdout).windows as { title: string }[]).map(({ title }) => title).join("\n");
}

function readMonitors(): string[] {
  const { stdout } = scene.deskmap("list");
  return (JSON.parse(stdout).windows as { monitor: string }[]).map(({ monitor }) => monitor);
}
