import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { fromLocal } from "../../src/model/coordinates.ts";
import { type OverlayScene, openOverlayScene } from "./overlay-scene.ts";
import { waitFor } from "./scene.ts";
import { openThreeMonitors, threeMonitors } from "./three-monitors.ts";

// Marks and picking on three monitors, and marks while monitors, their sizes and the window manager change.

type Monitor = keyof typeof threeMonitors;
const monitors: readonly Monitor[] = ["DUMMY1", "DUMMY2", "DUMMY0"];
/** Relative to the monitor's upper left corner. */
const place = { x: 90, y: 70 };

let at: OverlayScene;
beforeAll(async () => {
  at = await openOverlayScene(await openThreeMonitors(), fromLocal({ x: 20, y: 30 }, threeMonitors.DUMMY0));
  at.deskmap("overlay", "on", "--app", "counter");
});
afterAll(() => at.close());

describe.each(monitors)("on the monitor %s", (monitor) => {
  beforeAll(() => at.move(fromLocal(place, threeMonitors[monitor])));

  test("a mark is drawn within a pixel of its control", async () => {
    await waitFor("the mark", () => at.isMarked());
  });

  test("a picked point is exactly that pixel, including the control's corners", async () => {
    const { x, y, width, height } = at.findButton("Count");
    for (const point of [
      [x, y],
      [x + width - 1, y + height - 1],
    ]) {
      const picking = at.begin("cli", "pick");
      await at.untilPicking();
      at.scene.run("xdotool", "mousemove", "--sync", String(point[0]), String(point[1]), "click", "1");
      const { code, json } = await picking.answer();
      expect([code, json]).toMatchObject([0, { at: point, mark: at.findMark(), element: { t: "Count" } }]);
    }
    expect(at.countPresses()).toBe(0);
  });
});

describe("marks stay in place", () => {
  async function change(...words: string[]): Promise<void> {
    expect(at.scene.run("xrandr", ...words)).toMatchObject({ status: 0, stderr: "" });
    await waitFor("the mark", () => at.isMarked());
  }

  test("when another monitor goes and comes back", async () => {
    await change("--output", "DUMMY2", "--off");
    await change("--output", "DUMMY2", "--auto", "--pos", "3200x312");
  });

  test("when their own monitor changes size and back", async () => {
    await change("--output", "DUMMY0", "--mode", "1024x768");
    await change("--output", "DUMMY0", "--mode", "1280x1024");
  });

  test("when their monitor moves", async () => {
    await change("--output", "DUMMY2", "--pos", "3200x0");
    await at.move({ x: 3300, y: 40 });
    await waitFor("the mark on a monitor that was moved", () => at.isMarked());
  });

  test("when the window manager is replaced", async () => {
    const findManager = (): string => at.scene.run("xprop", "-root", "_NET_SUPPORTING_WM_CHECK").stdout;
    const first = findManager();
    at.scene.sandbox.spawn(["openbox", "--replace"], { stdio: "ignore" });
    // Between the two managers, no window is in the list.
    await waitFor("the other manager", () => findManager().includes("window id") && findManager() !== first);
    await waitFor("its list", () => at.scene.run("wmctrl", "-l").stdout.includes("Counter"));
    await waitFor("the mark", () => at.isMarked());
    await at.move({ x: 300, y: 200 });
    await waitFor("the mark at another place", () => at.isMarked());
  });
});
