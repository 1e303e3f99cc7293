import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Bounds } from "../../src/model/bounds.ts";
import type { Drawing } from "../../src/model/drawing.ts";
import { decode, toRgb } from "../picture/pictures.ts";
import { unwrap } from "./controls-scene.ts";
import { openScene, waitFor } from "./scene.ts";
import {
  box,
  capture,
  colourAt,
  findColour,
  lime,
  listenerColour,
  notePicks,
  openSheetScene,
  type SheetScene,
  violet,
  waitUntilSeen,
} from "./sheet-scene.ts";

// A desktop without a compositor: the drawing is the shape of a window.

const screen = { x: 0, y: 0, width: 1000, height: 700 };
const mark = { x: 200, y: 160, width: 120, height: 60 };

let at: SheetScene;
beforeAll(async () => {
  const scene = await openScene(screen);
  scene.run("xsetroot", "-mod", "7", "5", "-fg", "#e01b24", "-bg", "#1a5fb4");
  at = await openSheetScene(scene);
});
afterAll(() => at.close());

/** Every kind of drawing, over the window and over the empty screen. */
function drawAll(shift = 0): Drawing[] {
  const tag = { x: 20 + shift, y: 20, ...at.sheet.measure("42") };
  return [
    box("b", { ...mark, x: mark.x + shift }),
    { kind: "tag", key: "t", bounds: tag, text: "42", colour: violet },
    {
      kind: "line",
      key: "l",
      points: [
        { x: 60 + shift, y: 600 },
        { x: 500, y: 300 },
        { x: 900, y: 300 },
      ],
      colour: lime,
      stroke: "dashed",
      arrows: "both",
    },
    {
      kind: "shape",
      key: "s",
      bounds: { x: 760, y: 420 + shift, width: 180, height: 180 },
      size: { width: 10, height: 10 },
      path: "M5 0 L10 10 L0 10 Z",
      colour: violet,
      stroke: "thin",
      isFilled: true,
    },
  ];
}

test("marks are visible exactly where requested, and nothing else changes", async () => {
  const before = at.look();
  await at.sheet.draw([box("one", mark)]);
  await waitUntilSeen(at, mark);
  const seen = at.look();
  const inside = { x: mark.x + 10, y: mark.y + 10 };
  expect(colourAt(seen, inside)).toBe(listenerColour);
  const tag = { x: 400, y: 200, ...at.sheet.measure("17") };
  await at.sheet.draw([{ kind: "tag", key: "tag", bounds: tag, text: "17", colour: violet }]);
  await waitUntilSeen(at, tag, violet);
  await at.sheet.draw([]);
  await waitFor("nothing drawn", () => at.look().rgb.equals(before.rgb));
});

/** In one of the two colours. */
function isDrawn([red, green, blue]: Uint8Array): boolean {
  return (red === 0xc8 && green === 0 && blue === 0xff) || (red === 0 && green === 0xff && blue === 0x2a);
}

test("more than one request can hold is drawn, and nothing else is hidden by it", async () => {
  const bounds = { x: 0, y: 0, width: 1000, height: 700 };
  const [size, stroke, colour, isFilled] = [{ width: 100, height: 70 }, "thin", violet, false] as const;
  const shapes = Array.from({ length: 24 }, (_, index): Drawing => {
    const path = `M${index} 0 L${100 - index} 70 M0 ${index} L100 ${70 - index} M${50 + index} 0 L${50 - index} 70`;
    return { kind: "shape", key: `shape ${index}`, bounds, size, path, colour, stroke, isFilled };
  });
  const before = at.look();
  await at.sheet.draw([...shapes, box("one", mark)]);
  await waitUntilSeen(at, mark);
  const seen = at.look();
  let [kept, drawn] = [0, 0];
  for (let place = 0; place < seen.rgb.length; place += 3) {
    const colour = seen.rgb.subarray(place, place + 3);
    if (colour.equals(before.rgb.subarray(place, place + 3))) kept += 3;
    else if (isDrawn(colour)) drawn += 3;
  }
  expect(drawn).toBeGreaterThan(0);
  expect(kept + drawn).toBe(seen.rgb.length);
  await at.sheet.draw([]);
  await waitFor("nothing drawn", () => at.look().rgb.equals(before.rgb));
});

test("no picture has it: neither the screen, nor a part, nor the window, while it is drawn and redrawn", async () => {
  await at.sheet.draw([]);
  const part: Bounds = { x: 5, y: 5, width: 700, height: 640 };
  const [whole, some] = [await capture(at.platform, screen), await capture(at.platform, part)];
  await at.sheet.draw(drawAll());
  expect(findColour(at.look(), lime)).toBeDefined();
  expect((await capture(at.platform, screen)).rgb.equals(whole.rgb)).toBe(true);
  expect((await capture(at.platform, part)).rgb.equals(some.rgb)).toBe(true);
  for (let round = 0; round < 30; round += 1) {
    const [taken] = await Promise.all([capture(at.platform, screen), at.sheet.draw(drawAll(round * 7))]);
    expect(taken.rgb.equals(whole.rgb)).toBe(true);
  }
  const [window] = unwrap(await at.platform.listWindows()).windows;
  if (window === undefined) throw new Error("no window");
  const picture = unwrap(await at.platform.captureWindow(window));
  const rgb = Buffer.from(picture.pixels).toString("hex");
  expect(rgb).not.toContain("2aff00");
  expect(rgb).not.toContain("ff00c8");
});

test("another Deskmap process, without a daemon, leaves it out too", async () => {
  await at.sheet.draw([]);
  const taken = (): Buffer => {
    const file = join(at.scene.sandbox.env.HOME ?? "/tmp", "shot.png");
    const run = at.scene.deskmap("screenshot", "--no-daemon", "--scale", "1", "--output", file);
    if (run.status !== 0) throw new Error(run.stderr + run.stdout);
    return decode(readFileSync(file), "png").rgb;
  };
  const before = taken();
  await at.sheet.draw(drawAll());
  expect(taken().equals(before)).toBe(true);
});

test("it counts as no surface, no overlay and no window under a point", async () => {
  await at.sheet.draw([]);
  const read = async () => ({
    surfaces: unwrap(await at.platform.listSurfaces()),
    overlays: unwrap(await at.platform.listPopups()),
    window: unwrap(await at.platform.findWindowAt({ x: mark.x + 1, y: mark.y + 1 })),
  });
  at.sheet.close();
  await waitFor("the sheet gone", () => !at.scene.run("xwininfo", "-root", "-tree").stdout.includes("deskmap-surface"));
  const without = await read();
  at = { ...at, sheet: unwrap(await at.platform.openDrawingSurface()) };
  await at.sheet.draw([box("one", mark)]);
  expect(await read()).toEqual(without);
  expect(without.window?.title).toBe("Listener");
});

test("presses and keys pass through it to the window below", async () => {
  await at.sheet.draw([box("one", mark)]);
  await waitUntilSeen(at, mark);
  at.takeEvents();
  for (const point of [
    [mark.x + 1, mark.y + 1],
    [mark.x + 60, mark.y + 30],
  ]) {
    at.scene.run("xdotool", "mousemove", ...point.map(String), "click", "1", "key", "a");
    const expected = [`press 1 ${point.join(" ")}`, `release 1 ${point.join(" ")}`];
    let events: string[] = [];
    await waitFor("press and key", () => {
      events.push(...at.takeEvents());
      return events.some((line) => line.startsWith("key-up"));
    });
    expect(events).toEqual(expect.arrayContaining(expected));
    events = [];
  }
});

test("picking takes all input from the application; Escape and the other button leave", async () => {
  await at.sheet.draw([box("one", mark)]);
  at.takeEvents();
  const { picker, told } = notePicks();
  unwrap(await at.sheet.pick(picker));
  at.scene.run("xdotool", "mousemove", "230", "190");
  await waitFor("a move", () => JSON.stringify(told).includes(JSON.stringify({ move: { x: 230, y: 190 } })));
  // The window under the pointer is still found, and the surface that takes its input is reported.
  expect(unwrap(await at.platform.findWindowAt({ x: 230, y: 190 }))?.title).toBe("Listener");
  expect(unwrap(await at.platform.listPopups()).filter(({ isMenu }) => isMenu)).toMatchObject([{ bounds: screen }]);
  at.scene.run("xdotool", "click", "1", "key", "b");
  await waitFor("a press", () => JSON.stringify(told).includes(JSON.stringify({ press: { x: 230, y: 190 } })));
  at.scene.run("xdotool", "mousedown", "1", "mousemove", "300", "260", "mouseup", "1");
  const part = { x: 230, y: 190, width: 71, height: 71 };
  await waitFor("a drag", () => JSON.stringify(told).includes(JSON.stringify({ drag: part, isDone: true })));
  at.scene.run("xdotool", "key", "Escape");
  await waitFor("the end", () => told.at(-1) === "left");
  const other = notePicks();
  await waitFor("a second pick", async () => (await at.sheet.pick(other.picker)).ok);
  at.scene.run("xdotool", "click", "3");
  await waitFor("the second end", () => other.told.at(-1) === "left");
  expect(at.takeEvents()).toEqual([]);
  // Input reaches the application again.
  at.scene.run("xdotool", "mousemove", "240", "200", "click", "1");
  await waitFor("a press again", () => at.takeEvents().includes("press 1 240 200"));
});

test("windows that are mapped later, or raised, stay below it", async () => {
  await at.sheet.draw([box("one", mark)]);
  await at.scene.start(
    ["xterm", "-geometry", "60x20+150+120", "-bg", "#ffffff", "-T", "Above", "-e", "sleep", "100"],
    "Above",
  );
  await waitUntilSeen(at, mark);
  at.scene.run("xdotool", "search", "--name", "Listener", "windowraise");
  await waitUntilSeen(at, mark);
});

test("a covered window is captured correctly, at once", async () => {
  await at.sheet.draw([box("one", mark)]);
  const list = async () => {
    const { windows } = unwrap(await at.platform.listWindows());
    return ["Listener", "Above"].map((title) => windows.find((window) => window.title === title));
  };
  await waitFor("two windows", async () => (await list()).every((window) => window !== undefined));
  const [listener, above] = await list();
  if (listener === undefined || above === undefined) throw new Error("two windows");
  at.scene.run("xdotool", "windowraise", String(above.id));
  const picture = unwrap(await at.platform.captureWindow(listener, { ...mark, x: 230 }));
  const { width, height } = picture.bounds;
  const rgb = toRgb({ width, height, pixels: picture.pixels });
  expect(rgb.toString("hex")).toBe(listenerColour.slice(1).repeat(width * height));
});
