import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { colourOf } from "../../src/marks/tag.ts";
import type { Bounds } from "../../src/model/bounds.ts";
import { type OverlayScene, openOverlayScene } from "./overlay-scene.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// Marks, picking and annotations over a real application. Another program reads what is drawn on the screen, pyatspi gives the
// positions of controls, and the application counts its presses.

let at: OverlayScene;
let scene: Scene;

beforeAll(async () => {
  scene = await openScene({ width: 1280, height: 800 });
  at = await openOverlayScene(scene, { x: 200, y: 150 });
});
afterAll(() => at.close());

function middleOf({ x, y, width, height }: Bounds): readonly [number, number] {
  return [x + Math.floor(width / 2), y + Math.floor(height / 2)];
}

function listTopLevels(): string {
  return scene.run("xwininfo", "-root", "-tree").stdout;
}

let before = "";

describe("over a real application", () => {
  test("marks are at its controls, and no picture that Deskmap takes has them", async () => {
    before = listTopLevels();
    expect(at.deskmap("overlay", "on", "--app", "counter")).toMatchObject({ on: true, marks: 41 });
    const colour = colourOf(at.findMark());
    const box = at.findButton("Count");
    await waitFor("a frame around the button", () => at.isFramed(box, colour));
    const path = join(scene.sandbox.env.HOME ?? "", "shot.png");
    at.deskmap("screenshot", "--scale", "1", "--output", path, "--region", `${box.x - 2},${box.y},5,${box.height}`);
    expect(scene.run("convert", path, "txt:-").stdout.toLowerCase()).not.toContain(colour);
  });

  test("marks follow a window that is moved, and so does an annotation", async () => {
    const mark = at.findMark();
    const colour = colourOf(mark);
    const noted = at.deskmap("annotate", "highlight", "--id", String(mark), "--colour", "#ff00ff", "--stroke", "thick");
    expect(noted).toMatchObject({ shown: true });
    const old = at.findButton("Count");
    await waitFor("the annotation", () => at.isFramed(old, "#ff00ff"));
    await at.move({ x: 420, y: 260 });
    const now = at.findButton("Count");
    await waitFor("the annotation to follow", () => at.isFramed(now, "#ff00ff"));
    expect(at.isFramed(old, "#ff00ff") || at.isFramed(old, colour)).toBe(false);
    at.deskmap("annotate", "clear", "--annotation", String(noted.annotation));
    await waitFor("the mark alone", () => at.isFramed(now, colour) && !at.isFramed(now, "#ff00ff"));
  });

  test("marks disappear with a minimised window, and come back with it", async () => {
    const colour = colourOf(at.findMark());
    const box = at.findButton("Count");
    scene.run("xdotool", "search", "--name", "^Counter$", "windowminimize", "--sync");
    await waitFor("no frame", () => !at.isFramed(box, colour));
    scene.run("wmctrl", "-a", "Counter");
    await waitFor("the frame again", () => at.isFramed(at.findButton("Count"), colour));
  });

  test("marks are not drawn over a window that covers them, and return when it is gone", async () => {
    const colour = colourOf(at.findMark());
    const box = at.findButton("Count");
    const cover = await scene.start(
      ["xmessage", "-geometry", `900x600+${box.x - 300}+${box.y - 300}`, "over"],
      "xmessage",
    );
    await waitFor("no frame", () => !at.isFramed(box, colour));
    cover.kill("SIGTERM");
    await waitFor("the frame again", () => at.isFramed(at.findButton("Count"), colour));
  });

  test("a person who points at a control gets that control, and the press does not reach it", async () => {
    const [x, y] = middleOf(at.findButton("Count"));
    const picking = at.begin("cli", "pick");
    await at.untilPicking();
    scene.run("xdotool", "mousemove", "--sync", String(x - 3), String(y), "mousemove", "--sync", String(x), String(y));
    await waitFor("the highlight", () => at.isFramed(at.findButton("Count"), "#e8590c"));
    scene.run("xdotool", "click", "1");
    const { code, json } = await picking.answer();
    const told = scene.ask("at", String(at.pid), String(x), String(y)) as { name: string };
    expect([code, json.element.t, json.at]).toEqual([0, told.name, [x, y]]);
    expect(at.countPresses()).toBe(0);
    // The number acts on exactly that control.
    expect(at.deskmap("click", "--id", String(json.mark)).effect).toBe("confirmed");
    expect(at.countPresses()).toBe(1);
    expect(at.deskmap("overlay", "picked")).toMatchObject({ mark: json.mark });
  });

  test("Esc leaves, and so does a command that is killed", async () => {
    const picking = at.begin("unwanted", "pick");
    await at.untilPicking();
    scene.run("xdotool", "key", "Escape");
    const { code, error } = await picking.answer();
    expect([code, error]).toEqual([1, expect.stringContaining("CANCELLED")]);
    const again = await at.begin("unwanted", "pick").answer();
    expect([again.code, again.error]).toEqual([expect.any(Number), expect.stringContaining("pick with Esc")]);
    const ended = at.begin("cli", "pick");
    await at.untilPicking();
    ended.end();
    await at.untilPicking(false);
  });

  test("a region is the area drawn with the pointer, and its marks act", async () => {
    const { x, y, width, height } = at.findButton("Count");
    const region = at.begin("cli", "region", "--frame");
    await at.untilPicking();
    const [left, top, right, bottom] = [x - 4, y - 4, x + width + 4, y + height + 4];
    scene.run("xdotool", "mousemove", "--sync", String(left), String(top), "mousedown", "1");
    scene.run("xdotool", "mousemove", "--sync", String(x + 10), String(y + 10));
    scene.run("xdotool", "mousemove", "--sync", String(right), String(bottom), "mouseup", "1");
    const { json } = await region.answer();
    expect(json.region).toMatchObject({ x: left, y: top });
    expect(Math.abs(json.region.width - (right - left))).toBeLessThanOrEqual(1);
    expect(json.frame).toMatchObject({ width: json.region.width, height: json.region.height, scale: 1 });
    const [only, ...others] = json.marks;
    expect([only.t, others]).toEqual(["Count", []]);
    const presses = at.countPresses();
    expect(at.deskmap("click", "--id", String(only.i)).effect).toBe("confirmed");
    expect(at.countPresses()).toBe(presses + 1);
  });

  test("keys start picking while it is on", async () => {
    expect(at.deskmap("overlay", "status")).toMatchObject({ hotkey: "Ctrl+Alt+P" });
    scene.run("xdotool", "key", "ctrl+alt+p");
    await at.untilPicking();
    const [x, y] = middleOf(at.findButton("Other 7"));
    scene.run("xdotool", "mousemove", "--sync", String(x), String(y), "click", "1");
    await at.untilPicking(false);
    expect(at.deskmap("overlay", "picked")).toMatchObject({ element: { t: "Other 7" } });
  });

  test("off leaves nothing", async () => {
    expect(at.deskmap("overlay", "off")).toMatchObject({ on: false, marks: 0 });
    const names = (tree: string): string[] =>
      [...tree.matchAll(/0x[0-9a-f]+ .*$/gm)].map(([line]) => line.replace(/\s+\d.*$/, "")).sort();
    await waitFor(
      () => `the same windows as before: ${listTopLevels()}`,
      () => names(listTopLevels()).length <= names(before).length,
    );
    expect(at.isFramed(at.findButton("Count"), "#e8590c")).toBe(false);
  });
});
