import { describe, expect, test } from "bun:test";
import { unwrap } from "./controls-scene.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import {
  box,
  capture,
  colourAt,
  findColour,
  lime,
  listenerColour,
  notePicks,
  openSheetScene,
  readDepth,
  violet,
  waitUntilSeen,
} from "./sheet-scene.ts";

const size = { width: 1000, height: 700 };

const desktops = [
  ["openbox with picom", "openbox", startPicom, "32"],
  ["xfwm4 with its compositor", "xfwm4", async () => undefined, "32"],
  ["xfwm4 without its compositor", "xfwm4", endCompositing, "24"],
  ["mutter", "mutter", async () => undefined, "32"],
] as const;

async function startPicom(scene: Scene): Promise<void> {
  scene.sandbox.spawn(["picom", "--backend", "xrender", "--config", "/dev/null"], { stdio: "ignore" });
  await waitFor("picom", () => scene.run("xdotool", "search", "--name", "^picom$").stdout.trim() !== "");
}

async function endCompositing(scene: Scene): Promise<void> {
  const words = ["-c", "xfwm4", "-p", "/general/use_compositing", "-n", "-t", "bool", "-s", "false"];
  expect(scene.run("xfconf-query", ...words).status).toBe(0);
}

describe.each(desktops)("on %s", (_name, manager, prepare, depth) => {
  test("marks are in place, presses pass through, picking takes them, and pictures show none of it", async () => {
    const scene = await openScene({ ...size, manager });
    await prepare(scene);
    const at = await openSheetScene(scene);
    try {
      const { place, sheet, platform } = at;
      await waitFor(`a window of depth ${depth}`, () => readDepth(scene) === depth);
      const mark = { x: place.x + 40, y: place.y + 50, width: 160, height: 70 };
      const inside = { x: mark.x + 30, y: mark.y + 30 };
      const before = await capture(platform, place);
      await sheet.draw([box("one", mark)]);
      await waitUntilSeen(at, mark);
      expect(colourAt(at.look(), inside)).toBe(listenerColour);

      // Inside the window, exact to the pixel; around it, where compositors draw shadows, none of our colours.
      expect((await capture(platform, place)).rgb.equals(before.rgb)).toBe(true);
      const edge = { x: place.x - 60, y: place.y - 40, width: 300, height: 300 };
      for (let round = 0; round < 20; round += 1) {
        const moved = { ...mark, x: mark.x + round * 9 };
        const drawn = sheet.draw([box("one", moved), box("edge", { ...edge, width: 300 - round }, violet)]);
        const [taken, whole] = await Promise.all([
          capture(platform, place),
          capture(platform, { x: 0, y: 0, ...size }),
          drawn,
        ]);
        expect(taken.rgb.equals(before.rgb)).toBe(true);
        expect([findColour(whole, lime), findColour(whole, violet)]).toEqual([undefined, undefined]);
      }
      await sheet.draw([box("one", mark)]);
      await waitUntilSeen(at, mark);

      const word = ["mousemove", String(mark.x + 1), String(mark.y + 1), "click", "1"] as const;
      scene.run("xdotool", ...word);
      await waitFor("a press", () => at.takeEvents().includes(`press 1 ${mark.x + 1} ${mark.y + 1}`));
      await waitFor("all of it", () => at.takeEvents().length === 0);

      const { picker, told } = notePicks();
      unwrap(await sheet.pick(picker));
      scene.run("xdotool", "mousemove", String(inside.x), String(inside.y), "click", "1", "key", "a");
      await waitFor("a pick", () => JSON.stringify(told).includes(JSON.stringify({ press: inside })));
      scene.run("xdotool", "key", "Escape");
      await waitFor("the end", () => told.at(-1) === "left");
      expect(at.takeEvents()).toEqual([]);
    } finally {
      await at.close();
    }
  });
});
