import { afterAll, beforeAll, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Bounds } from "../../src/model/bounds.ts";
import { waitFor } from "./scene.ts";
import {
  box,
  capture,
  colourAt,
  findColour,
  lime,
  openSheetScene,
  readDepth,
  type SheetScene,
  waitUntilSeen,
} from "./sheet-scene.ts";
import { openThreeMonitors, threeMonitors } from "./three-monitors.ts";

// Three monitors, and changes while a drawing surface is on.

let at: SheetScene;
let renewals = 0;
beforeAll(async () => {
  at = await openSheetScene(await openThreeMonitors(), { x: 1400, y: 100, width: 500, height: 400 });
  at.sheet.onRenewed(() => {
    renewals += 1;
  });
});
afterAll(() => at.close());

const mark = { x: 1500, y: 200, width: 120, height: 60 };

test("marks are exactly in place on every monitor", async () => {
  for (const { x, y, width, height } of Object.values(threeMonitors)) {
    for (const place of [
      { x, y, width: 50, height: 40 },
      { x: x + width - 50, y: y + height - 40, width: 50, height: 40 },
    ]) {
      await at.sheet.draw([box("one", place)]);
      await waitUntilSeen(at, place);
    }
  }
});

/** Waits until the surface has adapted; it checks once a second. */
async function waitForRenewal(before: number): Promise<void> {
  await waitFor("the sheet renewed", () => renewals > before);
}

async function expectSeenAndHidden(part: Bounds): Promise<void> {
  await waitUntilSeen(at, mark);
  const taken = await capture(at.platform, part);
  expect(findColour(taken, lime)).toBeUndefined();
}

test("the surface follows a compositor that starts and stops, and no picture has a mark meanwhile", async () => {
  await at.sheet.draw([box("one", mark)]);
  await waitUntilSeen(at, mark);
  let picom: ChildProcess | undefined;
  let isOver = false;
  const part = { x: 1400, y: 100, width: 500, height: 400 };
  const watching = (async () => {
    while (!isOver) expect(findColour(await capture(at.platform, part), lime)).toBeUndefined();
  })();
  for (let round = 0; round < 2; round += 1) {
    let before = renewals;
    picom = at.scene.sandbox.spawn(["picom", "--backend", "xrender", "--config", "/dev/null"], { stdio: "ignore" });
    await waitForRenewal(before);
    await waitUntilSeen(at, mark);
    await waitFor("pixels with alpha", () => readDepth(at.scene) === "32");
    before = renewals;
    picom.kill();
    await once(picom, "exit");
    await waitForRenewal(before);
    await waitUntilSeen(at, mark);
    await waitFor("pixels without alpha", () => readDepth(at.scene) === "24");
  }
  isOver = true;
  await watching;
});

test("the surface follows a monitor that goes and comes back", async () => {
  await at.sheet.draw([box("one", mark)]);
  for (const words of [
    ["--output", "DUMMY2", "--off"],
    ["--output", "DUMMY2", "--auto", "--pos", "3200x312"],
  ]) {
    const before = renewals;
    expect(at.scene.run("xrandr", ...words)).toMatchObject({ status: 0, stderr: "" });
    await waitForRenewal(before);
    await expectSeenAndHidden({ x: 1400, y: 100, width: 500, height: 400 });
  }
  const { x, y, width, height } = threeMonitors.DUMMY2;
  const corner = { x: x + width - 60, y: y + height - 50, width: 60, height: 50 };
  await at.sheet.draw([box("one", corner)]);
  await waitUntilSeen(at, corner);
});

test("a window manager that is replaced changes nothing", async () => {
  await at.sheet.draw([box("one", mark)]);
  at.scene.sandbox.spawn(["openbox", "--replace"], { stdio: "ignore" });
  await waitFor("the other manager", () => at.scene.run("wmctrl", "-m").status === 0);
  await expectSeenAndHidden({ x: 1400, y: 100, width: 500, height: 400 });
});

test("a window that only claims to be a drawing surface is an ordinary window", async () => {
  at.sheet.close();
  await waitFor("the sheet gone", () => readDepth(at.scene) === undefined);
  const impostor = `
import time
from Xlib import X, display
from Xlib.ext import shape
d = display.Display()
root = d.screen().root
w = root.create_window(1500, 200, 80, 60, 0, d.screen().root_depth, background_pixel=0x00ff2a, override_redirect=True)
w.shape_rectangles(shape.SO.Set, shape.SK.Input, 0, 0, 0, [])
w.set_wm_name("Deskmap surface")
w.set_wm_class("deskmap-surface", "Deskmap-surface")
w.set_selection_owner(d.intern_atom("_DESKMAP_SURFACE"), X.CurrentTime)
w.map()
d.sync()
time.sleep(100)
`;
  at.scene.sandbox.spawn(["/usr/bin/python3", "-c", impostor], { stdio: "ignore" });
  const place = { x: 1500, y: 200, width: 80, height: 60 };
  await waitUntilSeen(at, place);
  const part = { x: 1490, y: 190, width: 100, height: 80 };
  expect(colourAt(await capture(at.platform, part), { x: 20, y: 20 })).toBe(lime);
  const surfaces = await at.platform.listSurfaces();
  expect(surfaces.ok && surfaces.value.some(({ bounds }) => JSON.stringify(bounds) === JSON.stringify(place))).toBe(
    true,
  );
  expect(await at.platform.openDrawingSurface()).toMatchObject({
    ok: false,
    failure: {
      code: "UNAVAILABLE",
      message: "nothing can be drawn over the screen: another process already draws over this screen",
    },
  });
});
