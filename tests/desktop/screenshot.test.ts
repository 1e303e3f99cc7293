import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Decoded, decode, parsePpm } from "../picture/pictures.ts";
import { casesOf, matrix } from "../tier.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// Pictures of real windows, compared pixel by pixel with what ImageMagick's import captures from the screen.

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Frame {
  readonly scope: string;
  readonly window?: { readonly id: number; readonly app: string };
  readonly monitor?: string;
  readonly mark?: number;
  readonly origin: { readonly x: number; readonly y: number };
  readonly width: number;
  readonly height: number;
  readonly path: string;
}

/** Places the applications side by side. The cover always has the focus, so that no other caret blinks. */
const subjects = [
  ["GTK 3", "mousepad", 60, 40],
  ["Qt", "featherpad", 800, 40],
  ["GTK 4", "gnome-calculator", 1620, 40],
  ["Xaw, with windows inside the window,", "xmessage", 60, 700],
] as const;
const aside = { x: 1200, y: 900 };
const screen = { x: 0, y: 0, width: 2100, height: 1300 };

const launcher = join(import.meta.dir, "../../deskmap");

let scene: Scene;
let folder: string;
let mousepad: ChildProcess;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-shots-"));
  scene = await openScene(screen);
  scene.run("xsetroot", "-solid", "#1a5fb4");
  mousepad = await scene.start(["mousepad"], "Mousepad");
  await scene.start(["gnome-calculator"], "Calculator");
  await scene.start(["featherpad", "--standalone"], "Untitled");
  await scene.start(["xmessage", "-bg", "#e01b24", "-fg", "white", "-title", "Hint", "hello ".repeat(12)], "Hint");
  await scene.start(["zenity", "--info", "--text=Cover", "--title=Cover"], "Cover");
  for (const [, app, x, y] of subjects) await move(app, x, y);
  await uncover();
  await scene.settle();
});
afterAll(async () => {
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

function shoot(...args: string[]): Frame & { readonly picture: Decoded } {
  const path = join(folder, "shot.png");
  const { status, stdout, stderr } = scene.deskmap("screenshot", "--scale", "1", "--output", path, ...args);
  if (status !== 0) throw new Error(stderr);
  const frame: Frame = JSON.parse(stdout);
  return { ...frame, picture: decode(readFileSync(frame.path), "png") };
}

/** The current screen, captured by import. */
function lookAt({ x, y, width, height }: Place): Decoded {
  const { status, stdout, stderr } = spawnSync(
    "import",
    ["-window", "root", "-crop", `${width}x${height}+${x}+${y}`, "+repage", "-depth", "8", "ppm:-"],
    { env: scene.sandbox.env, maxBuffer: 64 << 20 },
  );
  if (status !== 0) throw new Error(String(stderr));
  return parsePpm(stdout);
}

function countDifferent(a: Decoded, b: Decoded): number {
  expect([a.width, a.height]).toEqual([b.width, b.height]);
  let different = 0;
  for (let at = 0; at < a.rgb.length; at += 3) if (a.rgb.compare(b.rgb, at, at + 3, at, at + 3) !== 0) different += 1;
  return different;
}

function placeOf(app: string): Place & { readonly id: number } {
  const [window] = JSON.parse(scene.deskmap("list", "--app", app).stdout).windows;
  const [x, y, width, height] = window.bounds;
  return { id: window.id, x, y, width, height };
}

/** Moves a window and waits until it is there; returns its new bounds. */
async function move(app: string, x: number, y: number): Promise<Place & { readonly id: number }> {
  const before = placeOf(app);
  scene.run("wmctrl", "-i", "-r", String(before.id), "-e", `0,${x},${y},-1,-1`);
  await waitFor(`${app} near ${x},${y}`, () => {
    const now = placeOf(app);
    return Math.abs(now.x - x) < 60 && Math.abs(now.y - y) < 60;
  });
  return placeOf(app);
}

async function uncover(): Promise<void> {
  await move("zenity", aside.x, aside.y);
}

/** Puts the cover over a window; returns how the window looked before. */
async function cover(app: string): Promise<Decoded> {
  await uncover();
  const place = placeOf(app);
  const look = lookAt(place);
  await move("zenity", place.x + 20, place.y + 20);
  await waitFor("the cover to be seen", () => countDifferent(lookAt(place), look) > 1000);
  return look;
}

/** The picture shows the window as it looked before or as it looks afterwards: featherpad hides a bar by itself. */
async function expectSeen(picture: Decoded, before: Decoded, place: Place): Promise<void> {
  if (countDifferent(picture, before) === 0) return;
  await uncover();
  expect(countDifferent(picture, lookAt(place))).toBe(0);
}

/** A picture taken while the screen did not change: import captures the same before and after it. */
async function shootStill(place: Place, ...args: string[]) {
  for (;;) {
    const before = lookAt(place);
    const frame = shoot(...args);
    const after = lookAt(place);
    if (countDifferent(before, after) === 0) return { frame, seen: after };
    await scene.settle();
  }
}

describe("a picture", () => {
  test("of the screen matches import, pixel for pixel", async () => {
    const { frame, seen } = await shootStill(screen);
    expect(frame).toMatchObject({ scope: "screen", origin: { x: 0, y: 0 }, width: 2100, height: 1300 });
    expect(countDifferent(frame.picture, seen)).toBe(0);
    expect([...frame.picture.rgb.subarray(-3)]).toEqual([0x1a, 0x5f, 0xb4]);
  });

  test("of a region and of a monitor is that part of it", async () => {
    const part = { x: 333, y: 222, width: 301, height: 207 };
    const region = await shootStill(part, "--region", "333,222,301,207");
    expect(region.frame).toMatchObject({ scope: "region", origin: { x: 333, y: 222 } });
    expect(countDifferent(region.frame.picture, region.seen)).toBe(0);
    const monitor = await shootStill(screen, "--scope", "monitor");
    expect(monitor.frame.monitor).not.toBe("");
    expect(countDifferent(monitor.frame.picture, monitor.seen)).toBe(0);
  });

  test("as JPEG is nearly the same, and the default is half the size", () => {
    const path = join(folder, "half.jpg");
    expect(scene.deskmap("screenshot", "--output", path, "--quality", "90").status).toBe(0);
    const half = decode(readFileSync(path), "jpg");
    expect([half.width, half.height]).toEqual([1050, 650]);
    const png = scene.deskmap("screenshot");
    const exact = decode(Buffer.from(JSON.parse(png.stdout).data, "base64"), "png");
    const error = half.rgb.reduce((sum, value, at) => sum + Math.abs(value - (exact.rgb[at] ?? -999)), 0);
    expect(error / half.rgb.length).toBeLessThan(4);
  });

  test("is told of in the requested format; png and jpg are its own", () => {
    const path = join(folder, "told.jpg");
    const tell = (format: string, output: string) =>
      scene.deskmap("screenshot", "--output", output, "--format", format);
    expect(tell("text", path).stdout).toMatch(
      /\/told\.jpg {2}1050x650 jpg, \d+ KB {2}screen {2}from 0,0 at scale 0\.5\n/,
    );
    expect(tell("csv", path).stdout).toStartWith(
      "scope,format,width,height,scale,x,y,path\nscreen,jpg,1050,650,0.5,0,0,",
    );
    expect(JSON.parse(tell("json", path).stdout)).toMatchObject({ format: "jpg", path });
    expect(JSON.parse(tell("jpg", join(folder, "told")).stdout)).toMatchObject({ format: "jpg" });
    expect(tell("xml", path).stderr).toContain('--format \\"xml\\": takes one of png, jpg');
  });

  test("is refused on a terminal without --output, and accepted with it", () => {
    const onTerminal = (command: string): string => scene.run("script", "-qec", command, "/dev/null").stdout;
    expect(onTerminal(`${launcher} screenshot`)).toContain("USAGE  a picture cannot be shown on a terminal");
    expect(onTerminal(`${launcher} screenshot --output ${join(folder, "t.png")}`)).toContain("1050x650 png");
    expect(decode(readFileSync(join(folder, "t.png")), "png").width).toBe(1050);
  });

  test("that does not fit on the disk leaves the old file unchanged, and nothing else", () => {
    const own = join(folder, "full");
    mkdirSync(own);
    writeFileSync(join(own, "a.png"), Buffer.from("\x89PNG old", "latin1"));
    // No file may grow beyond 4 KB, which the log needs and the picture exceeds.
    const state = `XDG_STATE_HOME=${join(folder, "state")}`;
    const command = `ulimit -f 8; ${state} exec ${launcher} screenshot --scale 1 --output ${join(own, "a.png")}`;
    const { status, stderr } = scene.run("sh", "-c", command);
    expect(status).toBe(1);
    expect(JSON.parse(stderr).error).toMatchObject({ code: "FAILED", done: "no file was written." });
    expect(readdirSync(own)).toEqual(["a.png"]);
    expect(readFileSync(join(own, "a.png"), "latin1")).toBe("\x89PNG old");
  });
});

function describeCovered(title: string): void {
  describe(title, () => {
    test.each([...casesOf(subjects.slice(0, 1), subjects.slice(1))])(
      "a covered %s window is captured as itself: %s",
      async (_toolkit, app) => {
        const look = await cover(app);
        const { id, ...place } = placeOf(app);
        const { x, y, width, height } = place;
        const frame = shoot("--app", app);
        expect(frame).toMatchObject({ scope: "window", window: { id }, origin: { x, y }, width, height });
        await expectSeen(frame.picture, look, place);
      },
    );

    test.each([...casesOf(subjects.slice(0, 1), subjects.slice(1))])(
      "a %s window partly off the screen is captured whole: %s",
      async (_toolkit, app, x, y) => {
        await uncover();
        const look = lookAt(placeOf(app));
        const place = await move(app, -90, 600);
        expect(place.x).toBeLessThan(0);
        const frame = shoot("--app", app);
        expect(frame).toMatchObject({ origin: { x: place.x, y: place.y }, width: place.width, height: place.height });
        await expectSeen(frame.picture, look, await move(app, x, y));
      },
    );

    test("an element is cut out of its covered window", async () => {
      const look = await cover("mousepad");
      const place = placeOf("mousepad");
      const { elements } = JSON.parse(scene.deskmap("read", "--app", "mousepad", "--roles", "menu").stdout);
      const menu = elements.find((one: { t: string }) => one.t === "Document");
      const [x, y, width, height] = menu.b;
      const frame = shoot("--id", String(menu.i));
      expect(frame).toMatchObject({ scope: "element", mark: menu.i, origin: { x, y }, width, height });
      const expected = cut(look, { x: x - place.x, y: y - place.y, width, height });
      expect(countDifferent(frame.picture, expected)).toBe(0);
    });
  });
}

function cut({ width: whole, rgb }: Decoded, { x, y, width, height }: Place): Decoded {
  const rows = Array.from({ length: height }, (_, row) => {
    const start = ((y + row) * whole + x) * 3;
    return rgb.subarray(start, start + width * 3);
  });
  return { width, height, rgb: Buffer.concat(rows) };
}

describeCovered("without a compositor");

describe("a window without a picture", () => {
  test("is minimised: the answer says so, and no file is left", async () => {
    const { id } = placeOf("xmessage");
    scene.run("xdotool", "windowminimize", "--sync", String(id));
    await waitFor("minimised", () => scene.deskmap("list", "--app", "xmessage").stdout.includes("minimised"));
    const before = readdirSync(folder);
    const { status, stderr } = scene.deskmap("screenshot", "--app", "xmessage", "--output", join(folder, "none.png"));
    expect(status).toBe(1);
    expect(JSON.parse(stderr).error).toMatchObject({ code: "UNAVAILABLE" });
    expect(JSON.parse(stderr).error.message).toContain('"Hint" is minimised');
    expect(readdirSync(folder)).toEqual(before);
    scene.run("xdotool", "windowactivate", "--sync", String(id));
    scene.run("xdotool", "windowactivate", "--sync", String(placeOf("zenity").id));
  });

  test("is covered and does not answer: the answer says so, and it is captured when it answers again", async () => {
    const look = await cover("mousepad");
    mousepad.kill("SIGSTOP");
    try {
      const { status, stderr } = scene.deskmap("screenshot", "--app", "mousepad");
      expect(status).toBe(1);
      expect(JSON.parse(stderr).error).toMatchObject({ code: "TIMEOUT" });
    } finally {
      mousepad.kill("SIGCONT");
    }
    await scene.settle();
    expect(countDifferent(shoot("--app", "mousepad").picture, look)).toBe(0);
  });
});

test("an item of an open menu is cut out of the menu, which is a separate window", async () => {
  await uncover();
  scene.run("xdotool", "windowactivate", "--sync", String(placeOf("mousepad").id));
  const { elements } = JSON.parse(scene.deskmap("read", "--app", "mousepad", "--roles", "menu", "--points").stdout);
  const [x, y] = elements.find((one: { t: string }) => one.t === "File").p;
  scene.run("xdotool", "mousemove", String(x), String(y), "click", "1");
  const findItem = () =>
    JSON.parse(scene.deskmap("read", "--app", "mousepad", "--roles", "menuitem").stdout).elements.find(
      (one: { t: string; b?: number[] }) => one.t === "Save As..." && one.b !== undefined,
    );
  await waitFor("the menu", () => findItem() !== undefined);
  await scene.settle();
  const item = findItem();
  const frame = shoot("--id", String(item.i));
  const [left, top, width, height] = item.b;
  expect(frame).toMatchObject({ origin: { x: left, y: top }, width, height });
  expect(countDifferent(frame.picture, lookAt({ x: left, y: top, width, height }))).toBe(0);
  scene.run("xdotool", "key", "Escape");
  await waitFor("no menu", () => findItem() === undefined);
  scene.run("xdotool", "windowactivate", "--sync", String(placeOf("zenity").id));
});

matrix.describe("with a compositor", () => {
  beforeAll(async () => {
    scene.sandbox.spawn(["picom", "--backend", "xrender", "--config", "/dev/null"], { stdio: "ignore" });
    // picom gives its window this name when it takes over the screen.
    await waitFor("picom", () => scene.run("xdotool", "search", "--name", "^picom$").stdout.trim() !== "");
    await scene.settle();
  });

  describeCovered("picom");
});
