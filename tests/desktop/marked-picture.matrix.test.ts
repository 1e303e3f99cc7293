import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bounds, containsBounds, intersect } from "../../src/model/bounds.ts";
import { grow } from "../../src/model/region.ts";
import { type Decoded, decode } from "../picture/pictures.ts";
import { findTag, isTagColour } from "../picture/tags.ts";
import { moveWindow, prepareGrid } from "./grid.ts";
import { openScene, prepareFirefox, type Scene, waitFor } from "./scene.ts";

// Marks in pictures of real windows: pyatspi says where the outlines belong; tesseract reads the numbers.

interface Mark {
  readonly id: number;
  readonly role: string;
  readonly name?: string;
  readonly bounds: readonly [number, number, number, number];
  readonly clickPoint: readonly [number, number];
}

interface Marked {
  readonly marks: readonly Mark[];
  readonly origin: { readonly x: number; readonly y: number };
  readonly scale: number;
  readonly path: string;
  readonly picture: Decoded;
}

interface Seen {
  readonly role: string;
  readonly name: string;
  readonly extents: readonly [number, number, number, number] | null;
}

const page = `<!doctype html><meta charset="utf-8"><title>Marked page</title><body style="font: 16px sans-serif">
<p style="margin: 40px"><button>First</button> &nbsp; &nbsp; &nbsp; <button>Second</button>
<p style="margin: 40px"><a href="#x">Somewhere else</a> &nbsp; &nbsp; &nbsp; <input aria-label="Words" value="typed">
<p style="margin: 40px"><input type="checkbox" aria-label="Agree"> &nbsp; &nbsp; &nbsp; <button style="width: 300px; height: 90px">Large</button>`;

const browser = prepareFirefox(page);
const grid = prepareGrid("gtk3", []);
let scene: Scene;
let folder: string;
let pids: { readonly gtk: number; readonly firefox: number };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-marked-"));
  scene = await openScene({ width: 1600, height: 900 });
  const firefox = await scene.start(browser.command, "Marked page");
  const gtk = await scene.start(grid.command, grid.title);
  pids = { gtk: gtk.pid ?? 0, firefox: firefox.pid ?? 0 };
  await moveWindow(scene, "Marked page", 0, 0);
  scene.run("xdotool", "search", "--name", "Marked page", "windowsize", "1000", "700");
  await moveWindow(scene, grid.title, 1150, 300);
  await waitFor("the page", () => scene.deskmap("read", "--app", "firefox", "--compact").stdout.includes("Large"));
  await scene.settle();
});
afterAll(async () => {
  await scene.close();
  browser.remove();
  grid.remove();
  rmSync(folder, { recursive: true, force: true });
});

const taken = new Map<string, Marked>();
/** Nothing changes in this scene, so each picture is taken once. */
function shoot(...options: string[]): Marked {
  const known = taken.get(options.join(" "));
  if (known !== undefined) return known;
  const path = join(folder, `${taken.size}.png`);
  const { status, stdout, stderr } = scene.deskmap("screenshot", "--marks", "--output", path, ...options);
  if (status !== 0) throw new Error(stderr);
  const shot = { ...JSON.parse(stdout), picture: decode(readFileSync(path), "png") };
  taken.set(options.join(" "), shot);
  return shot;
}

function toBounds([x, y, width, height]: readonly [number, number, number, number]): Bounds {
  return { x, y, width, height };
}

/** The share of an edge that has a mark's colour, on the best line within a pixel of it; a tag may cover part of the edge. */
function findEdge(picture: Decoded, mark: number, { x, y, width, height }: Bounds, isAcross: boolean): number {
  const length = isAcross ? width : height;
  const shares = [-1, 0, 1].map((aside) => {
    const hits = Array.from({ length }, (_, along) =>
      isAcross ? isTagColour(picture, x + along, y + aside, mark) : isTagColour(picture, x + aside, y + along, mark),
    );
    return hits.filter(Boolean).length / length;
  });
  return Math.max(...shares);
}

/** The bounds of every showing element according to pyatspi, by name. */
function askExtents(pid: number): ReadonlyMap<string, Bounds> {
  const seen = scene.ask("walk", String(pid)) as Seen[];
  const named = seen.filter(
    ({ name, extents, role }) => name !== "" && extents !== null && !/label|text leaf|static/.test(role),
  );
  return new Map(named.flatMap(({ name, extents }) => (extents === null ? [] : [[name, toBounds(extents)] as const])));
}

function expectOutlines(shot: Marked, names: readonly string[], extents: ReadonlyMap<string, Bounds>): void {
  for (const name of names) {
    const mark = shot.marks.find((one) => one.name === name);
    const place = extents.get(name);
    if (mark === undefined || place === undefined) throw new Error(`no mark or no extents for ${name}`);
    const scaled = (edge: number): number => Math.round(edge * shot.scale);
    const [left, top] = [scaled(place.x - shot.origin.x), scaled(place.y - shot.origin.y)];
    const right = scaled(place.x + place.width - shot.origin.x) - 1;
    const bottom = scaled(place.y + place.height - shot.origin.y) - 1;
    const across = { x: left, width: right - left + 1, height: 1 };
    const down = { y: top, width: 1, height: bottom - top + 1 };
    const edges = [
      findEdge(shot.picture, mark.id, { ...across, y: top }, true),
      findEdge(shot.picture, mark.id, { ...across, y: bottom }, true),
      findEdge(shot.picture, mark.id, { ...down, x: left }, false),
      findEdge(shot.picture, mark.id, { ...down, x: right }, false),
    ];
    expect({ name, hasOutline: edges.every((share) => share > 0.4), edges }).toEqual({ name, hasOutline: true, edges });
  }
}

/** The position of each number; every listed mark must have its own, pixel by pixel. */
function findTags({ marks, picture }: Marked): ReadonlyMap<number, Bounds> {
  return new Map(
    marks.map(({ id, name, bounds }) => {
      const tag = findTag(picture, id, grow(toBounds(bounds), 60));
      if (tag === undefined) throw new Error(`no tag ${id} beside ${name}`);
      return [id, tag] as const;
    }),
  );
}

/** Reads a number from the file with an independent program. */
function readDigits(path: string, { x, y, width, height }: Bounds): string {
  const crop = join(folder, "crop.png");
  const part = `${width}x${height}+${x}+${y}`;
  // Dark digits on a light background with a wide margin, enlarged and smoothed, as tesseract was trained on.
  const dark = ["-colorspace", "Gray", "-negate", "-normalize", "-bordercolor", "white", "-border", "20"];
  const large = ["-filter", "Triangle", "-resize", "300%", "-blur", "0x1"];
  expect(spawnSync("convert", [path, "-crop", part, "+repage", ...dark, ...large, crop]).status).toBe(0);
  const words = ["--dpi", "300", "--psm", "6", "-c", "tessedit_char_whitelist=0123456789"];
  return spawnSync("tesseract", [crop, "-", ...words], { encoding: "utf8" }).stdout.trim();
}

function readMarks(...options: string[]): ReadonlyMap<number, string | undefined> {
  const { stdout } = scene.deskmap("read", "--compact", "--interactive", ...options);
  const view = JSON.parse(stdout) as { elements: { i: number; t?: string }[] };
  return new Map(view.elements.map(({ i, t }) => [i, t]));
}

const gridNames = ["A1", "B2", "C3", "F4", "Things"];
const pageNames = ["First", "Second", "Somewhere else", "Words", "Agree", "Large"];

describe("a GTK 3 window", () => {
  test("has every outline within a pixel of pyatspi's bounds, at full and half size", () => {
    const extents = askExtents(pids.gtk);
    expectOutlines(shoot("--window", grid.title, "--scale", "1"), gridNames, extents);
    expectOutlines(shoot("--window", grid.title, "--scale", "0.5"), gridNames, extents);
  });

  test("has the same numbers as read, and tesseract reads them in the picture", () => {
    const shot = shoot("--window", grid.title, "--scale", "1");
    const told = readMarks("--window", grid.title);
    expect(shot.marks.length).toBeGreaterThan(20);
    for (const { id, name } of shot.marks) expect([id, name]).toEqual([id, told.get(id)]);
    const tags = findTags(shot);
    for (const name of ["A1", "C2", "F4"]) {
      const id = shot.marks.find((one) => one.name === name)?.id ?? 0;
      const tag = tags.get(id);
      expect([name, tag && readDigits(shot.path, tag)]).toEqual([name, String(id)]);
    }
  });
});

describe("a page in Firefox", () => {
  test("has every outline within a pixel of pyatspi's bounds, in a window, a region and the screen", () => {
    const extents = askExtents(pids.firefox);
    expectOutlines(shoot("--app", "firefox", "--scale", "1"), pageNames, extents);
    expectOutlines(shoot("--region", "0,100,1000,600", "--scale", "1"), pageNames, extents);
    expectOutlines(shoot("--scope", "screen"), pageNames, extents);
  });

  test("has the same numbers as read, no two in one place, and none on a control", () => {
    const shot = shoot("--app", "firefox", "--scale", "1");
    const told = readMarks("--app", "firefox");
    for (const { id, name } of shot.marks) expect([id, name]).toEqual([id, told.get(id)]);
    const inPage = shot.marks.filter(({ name }) => pageNames.includes(name ?? ""));
    expect(inPage.length).toBe(pageNames.length);
    const tags = findTags({ ...shot, marks: inPage });
    for (const [id, tag] of tags) {
      const others = [...tags].filter(([other, place]) => other !== id && intersect(place, tag) !== undefined);
      const hidden = inPage.filter(({ bounds }) => intersect(toBounds(bounds), tag) !== undefined);
      expect({ id, others, hidden: hidden.map(({ name }) => name) }).toEqual({ id, others: [], hidden: [] });
    }
    const large = inPage.find(({ name }) => name === "Large")?.id ?? 0;
    const tag = tags.get(large);
    expect(tag && readDigits(shot.path, tag)).toBe(String(large));
  });

  test("is captured as one element in full detail, with the requested margin", () => {
    const first = shoot("--app", "firefox", "--scale", "1").marks.find(({ name }) => name === "First");
    const place = askExtents(pids.firefox).get("First");
    if (place === undefined) throw new Error("no extents");
    const shot = shoot("--id", String(first?.id), "--margin", "30");
    expect(shot.scale).toBe(1);
    expect(shot.origin).toEqual({ x: place.x - 30, y: place.y - 30 });
    expect([shot.picture.width, shot.picture.height]).toEqual([place.width + 60, place.height + 60]);
    expectOutlines(shot, ["First"], new Map([["First", place]]));
  });
});

test("marks are in no other picture, and never on the screen", () => {
  const look = (): Buffer =>
    spawnSync("import", ["-window", "root", "ppm:-"], { env: scene.sandbox.env, maxBuffer: 64 << 20 }).stdout;
  const before = look();
  const marked = shoot("--scope", "screen", "--scale", "1");
  expect(marked.marks.length).toBeGreaterThan(25);
  const plain = join(folder, "plain.png");
  expect(scene.deskmap("screenshot", "--window", grid.title, "--scale", "1", "--output", plain).status).toBe(0);
  const picture = decode(readFileSync(plain), "png");
  for (const { id } of shoot("--window", grid.title, "--scale", "1").marks) {
    expect(findTag(picture, id, { x: 0, y: 0, width: picture.width, height: picture.height })).toBeUndefined();
  }
  expect(Buffer.compare(look(), before)).toBe(0);
});

test("the click point lies inside the outline", () => {
  const { marks, origin } = shoot("--scope", "screen", "--scale", "1");
  for (const {
    bounds,
    clickPoint: [x, y],
    name,
  } of marks) {
    const point = { x: x - origin.x, y: y - origin.y, width: 1, height: 1 };
    expect([name, containsBounds(toBounds(bounds), point)]).toEqual([name, true]);
  }
});

test("an open menu has its marks on the screen, where it hides those under it, and none in its window's own picture", async () => {
  const before = shoot("--scope", "screen", "--scale", "1");
  const [x = 0, y = 0] = before.marks.find(({ name }) => name === "Things")?.clickPoint ?? [];
  scene.run("xdotool", "mousemove", String(x), String(y), "click", "1");
  await waitFor("the menu", () => askExtents(pids.gtk).has("Item-8"));
  await scene.settle();
  taken.clear();
  const onScreen = shoot("--region", "1000,200,600,600", "--scale", "1");
  const items = Array.from({ length: 8 }, (_, at) => `Item-${at + 1}`);
  expectOutlines(onScreen, items, askExtents(pids.gtk));
  const names = onScreen.marks.map(({ name }) => name);
  expect(names).toContain("F4");
  for (const hidden of ["A1", "A4", "B2"]) expect(names).not.toContain(hidden);
  const inWindow = shoot("--window", grid.title, "--scale", "1").marks.map(({ name }) => name);
  expect(inWindow).toContain("A1");
  expect(inWindow.filter((name) => items.includes(name ?? ""))).toEqual([]);
  scene.run("xdotool", "key", "Escape");
});
