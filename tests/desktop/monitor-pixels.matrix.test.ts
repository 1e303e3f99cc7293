import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bounds, containsBounds, type Point } from "../../src/model/bounds.ts";
import { frameToScreen, fromLocal, toLocal } from "../../src/model/coordinates.ts";
import { decode, parsePpm } from "../picture/pictures.ts";
import { findTag, isTagColour } from "../picture/tags.ts";
import { moveWindow, prepareGrid } from "./grid.ts";
import { openInput } from "./input-scene.ts";
import type { Scene } from "./scene.ts";
import { waitFor } from "./scene.ts";
import { openThreeMonitors, threeMonitors } from "./three-monitors.ts";

// Every pixel of three monitors: pictures, marks and presses, each verified by another program.

type Monitor = keyof typeof threeMonitors;
const monitors: readonly Monitor[] = ["DUMMY0", "DUMMY1", "DUMMY2"];
/** Relative to the monitor's upper left corner. */
const gridPlace = { x: 60, y: 80 };
const listenerPlace = { x: 700, y: 500, width: 200, height: 160 };

interface Mark {
  readonly id: number;
  readonly name?: string;
  readonly bounds: readonly [number, number, number, number];
  readonly clickPoint: readonly [number, number];
}

interface Frame {
  readonly origin: Point;
  readonly scale: number;
  readonly width: number;
  readonly height: number;
  readonly monitor?: string;
  readonly marks?: readonly Mark[];
  readonly file: Buffer;
}

const grid = prepareGrid("gtk3", []);
let scene: Scene;
let folder: string;
let pid: number;
let hands: Awaited<ReturnType<typeof openInput>>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-pixels-"));
  scene = await openThreeMonitors();
  pid = (await scene.start(grid.command, grid.title)).pid ?? 0;
  await Promise.all(monitors.map(startListener));
  hands = await openInput(scene);
});
afterAll(async () => {
  hands.close();
  await scene.close();
  grid.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** xev: a window that logs the screen position of each press. */
async function startListener(monitor: Monitor): Promise<void> {
  const { x, y } = fromLocal(listenerPlace, threeMonitors[monitor]);
  const geometry = `${listenerPlace.width}x${listenerPlace.height}+${x}+${y}`;
  const command = `exec stdbuf -oL xev -event button -name "${monitor}" -geometry ${geometry} >"$0"`;
  await scene.start(["sh", "-c", command, logOf(monitor)], monitor);
}

/** Inside the frame that the window manager added. */
function findListener(monitor: Monitor): Bounds {
  const report = scene.run("xwininfo", "-name", monitor).stdout;
  const read = (side: string): number =>
    Number(new RegExp(`Absolute upper-left ${side}:\\s+(-?\\d+)`).exec(report)?.[1]);
  return { ...listenerPlace, x: read("X"), y: read("Y") };
}

function logOf(monitor: Monitor): string {
  return join(folder, `${monitor}.log`);
}

function readPresses(monitor: Monitor): readonly Point[] {
  const log = existsSync(logOf(monitor)) ? readFileSync(logOf(monitor), "utf8") : "";
  const presses = [...log.matchAll(/ButtonPress event.*\n.*root:\((-?\d+),(-?\d+)\)/g)];
  return presses.map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
}

function shoot(...options: string[]): Frame {
  const path = join(folder, "shot.png");
  const { status, stdout, stderr } = scene.deskmap("screenshot", "--output", path, ...options);
  if (status !== 0) throw new Error(stderr);
  return { ...JSON.parse(stdout), file: readFileSync(path) };
}

/** ImageMagick's capture of the screen. */
function importPart({ x, y, width, height }: Bounds) {
  const options = ["-window", "root", "-crop", `${width}x${height}+${x}+${y}`, "+repage", "-depth", "8", "ppm:-"];
  return parsePpm(spawnSync("import", options, { env: scene.sandbox.env, maxBuffer: 64 << 20 }).stdout);
}

function askPlace(name: string): Bounds {
  const found = scene.ask("first", String(pid), "push button", name) as { extents: [number, number, number, number] };
  const [x, y, width, height] = found.extents;
  return { x, y, width, height };
}

describe.each(monitors)("on the monitor %s", (monitor) => {
  const place = threeMonitors[monitor];
  beforeAll(async () => {
    const { x, y } = fromLocal(gridPlace, place);
    await moveWindow(scene, grid.title, x, y);
    await scene.settle();
  });

  test("windows are listed under its name, within its bounds", () => {
    const { windows } = JSON.parse(scene.deskmap("list").stdout) as { windows: { title: string; monitor: string }[] };
    const own = windows.filter((one) => one.monitor === monitor).map(({ title }) => title);
    expect(own.toSorted()).toEqual([monitor, grid.title].toSorted());
  });

  test("a picture of it, and of a region on it, has the same pixels as another program's capture", () => {
    const whole = shoot("--monitor", monitor, "--scale", "1");
    expect(whole).toMatchObject({
      monitor,
      origin: { x: place.x, y: place.y },
      width: place.width,
      height: place.height,
    });
    expect(Buffer.compare(decode(whole.file, "png").rgb, importPart(place).rgb)).toBe(0);
    const region = fromLocal({ x: 50, y: 40, width: 333, height: 217 }, place);
    const part = shoot("--region", [region.x, region.y, region.width, region.height].join());
    expect(part).toMatchObject({ scale: 1, origin: { x: region.x, y: region.y }, width: 333, height: 217 });
    expect(Buffer.compare(decode(part.file, "png").rgb, importPart(region).rgb)).toBe(0);
  });

  test("marks are drawn within a pixel of their controls, and only for controls on it", () => {
    const { marks = [], file, origin } = shoot("--monitor", monitor, "--marks", "--scale", "1");
    const picture = decode(file, "png");
    for (const name of ["A1", "D3", "F4"]) {
      const mark = marks.find((one) => one.name === name);
      if (mark === undefined) throw new Error(`no mark for ${name}`);
      const [x, y, width, height] = mark.bounds;
      const told = toLocal(askPlace(name), origin);
      const differences = [x - told.x, y - told.y, x + width - told.x - told.width, y + height - told.y - told.height];
      expect({ name, farthest: Math.max(...differences.map(Math.abs)) <= 1 }).toEqual({ name, farthest: true });
      expect(isTagColour(picture, x, y + Math.floor(height / 2), mark.id)).toBe(true);
      expect(isTagColour(picture, x + width - 1, y + Math.floor(height / 2), mark.id)).toBe(true);
      const around = { x: x - 60, y: y - 60, width: width + 120, height: height + 120 };
      expect(findTag(picture, mark.id, around)).toBeDefined();
    }
    for (const { clickPoint, name } of marks) {
      const point = { x: clickPoint[0], y: clickPoint[1], width: 1, height: 1 };
      expect([name, containsBounds(place, point)]).toEqual([name, true]);
    }
    for (const other of monitors.filter((one) => one !== monitor)) {
      expect(shoot("--monitor", other, "--marks").marks?.filter(({ name }) => name === "A1")).toEqual([]);
    }
  });

  test("a press on a mark lands on the exact pixel", async () => {
    const { marks = [] } = shoot("--monitor", monitor, "--marks");
    const told = askPlace("C2");
    const before = grid.presses().length;
    const id = marks.find(({ name }) => name === "C2")?.id;
    scene.deskmap("click", "--id", String(id), "--at", "5,8");
    await waitFor("the press", () => grid.presses().length > before);
    const { label, offset } = grid.presses().at(-1) ?? {};
    // The button reports the distance from its middle.
    const at = offset && { x: told.width / 2 + offset[0], y: told.height / 2 + offset[1] };
    expect({ label, at }).toEqual({ label: "C2", at: { x: 5, y: 8 } });
  });

  test("a pixel of a picture is pressed as that pixel of the screen, including its corners", async () => {
    const listener = findListener(monitor);
    const points = [
      { x: listener.x, y: listener.y },
      { x: listener.x + 101, y: listener.y + 77 },
      { x: listener.x + listener.width - 1, y: listener.y + listener.height - 1 },
    ];
    for (const [at, point] of points.entries()) {
      const inFrame = toLocal(point, shootPlace(monitor));
      const back = frameToScreen(inFrame, { origin: shootPlace(monitor), scale: 1 });
      expect(back).toEqual(point);
      expect(await hands.input({ kind: "click", point: back, button: "left", count: 1 })).toMatchObject({ ok: true });
      await waitFor("the press", () => readPresses(monitor).length > at);
    }
    expect(readPresses(monitor)).toEqual(points);
  });
});

const origins = new Map<Monitor, Point>();
/** The origin of a monitor's picture, according to its answer. */
function shootPlace(monitor: Monitor): Point {
  const known = origins.get(monitor) ?? shoot("--monitor", monitor).origin;
  origins.set(monitor, known);
  return known;
}

test("a picture of all three has each in its place, and nothing between them", () => {
  const { marks = [], width, height, origin } = shoot("--scope", "screen", "--marks", "--scale", "1");
  expect({ width, height, origin }).toEqual({ width: 4224, height: 1080, origin: { x: 0, y: 0 } });
  const [x, y, wide, high] = marks.find(({ name }) => name === "A1")?.bounds ?? [0, 0, 0, 0];
  expect({ x, y, width: wide, height: high }).toEqual(askPlace("A1"));
});
