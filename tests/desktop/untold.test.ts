import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Bounds } from "../../src/model/bounds.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// What a window draws and its tree leaves out. pyatspi gives the places of widgets, ImageMagick the pixels.

interface Part {
  readonly role: string;
  readonly extents: readonly [number, number, number, number] | null;
}

interface Note {
  readonly code: string;
  readonly text: string;
  readonly areas?: readonly Bounds[];
}

let scene: Scene;
let pid = 0;
/** Where the application writes what was pressed. */
let pressed = "";
beforeAll(async () => {
  scene = await openScene({ width: 800, height: 600 });
  const app = join(import.meta.dir, "../fixtures/apps/drawn-gtk3.py");
  pressed = join(scene.sandbox.env.HOME ?? "", "pressed");
  pid = (await scene.start(["/usr/bin/python3", app, pressed], "Drawn")).pid ?? 0;
  await scene.settle();
});
afterAll(() => scene.close());

function readNotes(): readonly Note[] {
  return JSON.parse(scene.deskmap("read", "--pid", String(pid), "--format", "json").stdout).notes ?? [];
}

interface ElementData {
  readonly i: number;
  readonly r: string;
  readonly t?: string;
  readonly source?: string;
  readonly c?: readonly ElementData[];
}

function listData(...command: readonly string[]): readonly ElementData[] {
  const { stdout } = scene.deskmap(...command, "--pid", String(pid), "--format", "json");
  const flat = (list: readonly ElementData[]): ElementData[] => list.flatMap((one) => [one, ...flat(one.c ?? [])]);
  return flat(JSON.parse(stdout).elements);
}

function describe({ i, r, t = "" }: ElementData): string {
  return `${i} ${r} ${t}`;
}

/** The drawing areas of the window, from the top: the shaded bar and the icons. */
function listCanvases(): readonly Bounds[] {
  const parts = (scene.ask("walk", String(pid)) as readonly Part[]).filter(({ role }) => role === "drawing area");
  const places = parts.map(({ extents }) => extents ?? [0, 0, 0, 0]);
  return places.map(([x, y, width, height]) => ({ x, y, width, height })).sort((a, b) => a.y - b.y);
}

function countColours({ x, y, width, height }: Bounds): number {
  const crop = `${width}x${height}+${x}+${y}`;
  return Number(scene.run("import", "-window", "root", "-crop", crop, "-format", "%k", "info:-").stdout);
}

test("a read says where drawn icons are, and nothing about a gradient, a picture and an empty text", () => {
  const [bar, icons] = listCanvases();
  if (bar === undefined || icons === undefined) throw new Error("the drawing areas are not there");
  expect(countColours(bar)).toBeGreaterThan(10);
  expect(countColours(icons)).toBeGreaterThan(10);
  const notes = readNotes();
  expect(notes.map(({ code, areas }) => ({ code, areas }))).toEqual([{ code: "UNTOLD", areas: [icons] }]);
  expect(notes[0]?.text).toContain("--vision on");
  expect(scene.deskmap("get_screen_targets", "--format", "text").stdout).toContain(
    `${icons.width}x${icons.height} at ${icons.x},${icons.y}`,
  );
});

test("words that are nowhere are refused with that place, and not with a read that shows everything", () => {
  const [, icons] = listCanvases();
  for (const command of ["find", "click"]) {
    const { stderr } = scene.deskmap(command, "zeppelin", "--pid", String(pid), "--format", "text");
    expect(stderr).toContain(`at ${icons?.x},${icons?.y}`);
    expect(stderr).toContain("--vision on");
    expect(stderr).not.toContain("shows everything");
  }
});

test("their picture is read there, and words that no tree has find an icon, but never a sentence", async () => {
  const read = scene.deskmap("read", "--pid", String(pid), "--vision", "on", "--format", "text").stdout;
  for (const name of ["Alpha", "Bravo", "Charlie"]) expect(read).toMatch(new RegExp(`icon "${name}" ocr`));
  expect(read).toMatch(/txt "Delta is only mentioned/);
  expect(read).toMatch(/btn "Clear"/);
  const sentence = scene.deskmap("click", "Delta", "--pid", String(pid), "--format", "text");
  expect([sentence.status, sentence.stderr]).toEqual([1, expect.stringContaining("NOT_FOUND")]);
  expect(existsSync(pressed)).toBe(false);
  // A page behind its own alert looks the same: only who asks for pictures presses what is in no tree.
  expect(scene.deskmap("click", "Bravo", "--pid", String(pid)).status).toBe(1);
  expect(scene.deskmap("find", "Bravo", "--pid", String(pid)).status).toBe(0);
  expect(existsSync(pressed)).toBe(false);
  const text = scene.deskmap("click", "only mentioned", "--pid", String(pid), "--vision", "on", "--format", "text");
  expect([text.status, text.stderr]).toEqual([1, expect.stringContaining("NOT_FOUND")]);
  expect(existsSync(pressed)).toBe(false);
  scene.deskmap("click", "Bravo", "--pid", String(pid), "--vision", "on");
  await waitFor("the press", () => existsSync(pressed));
  expect(readFileSync(pressed, "utf8")).toBe("Bravo\n");
});

test("a picture leaves what the tree has as it is, and a selected icon keeps its mark", async () => {
  const list = (mode: string) => listData("read", "--vision", mode);
  const [told, all] = [list("off"), list("on")];
  const drawn = all.filter(({ source }) => source === "ocr");
  const rest = all.filter(({ source }) => source !== "ocr");
  expect(rest.map(describe)).toEqual(told.map(describe));
  expect(rest.map(({ t }) => t)).toContain("home");
  const charlie = drawn.find(({ t }) => t === "Charlie");
  const [, canvas] = listCanvases();
  const place = { x: canvas?.x ?? 0, y: (canvas?.y ?? 0) + 70, width: 420, height: 30 };
  const before = countColours(place);
  scene.deskmap("click", "--id", String(charlie?.i), "--pid", String(pid));
  await waitFor("the selection", () => readFileSync(pressed, "utf8").endsWith("Charlie\n"));
  await waitFor("its look", () => countColours(place) !== before);
  const again = list("on").filter(({ source }) => source === "ocr");
  expect(again.map(describe)).toEqual(drawn.map(describe));
});

test("the note goes when nothing is drawn there any more", async () => {
  const [, icons] = listCanvases();
  if (icons === undefined) throw new Error("the drawing area is not there");
  scene.deskmap("click", "Clear", "--pid", String(pid));
  await waitFor("a plain area", () => countColours(icons) === 1);
  expect(readNotes()).toEqual([]);
});
