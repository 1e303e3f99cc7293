import { expect } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Scene, waitFor } from "./scene.ts";

const apps = join(import.meta.dir, "../fixtures/apps");

interface JsonElement {
  readonly r: string;
  readonly t?: string;
  readonly p?: readonly [number, number];
}

/** A press as the fixture reports it: the label, and the distance from the middle in the toolkit's units. */
interface Press {
  readonly label: string;
  readonly offset: readonly [number, number] | undefined;
}

/** A window of small buttons that records the presses it really receives. */
export interface Grid {
  readonly title: string;
  readonly command: readonly [string, ...string[]];
  presses(): readonly Press[];
  remove(): void;
}

/** A grid written with a toolkit; `variables` are set for it, such as "GDK_SCALE=2". */
export function prepareGrid(toolkit: "gtk3" | "gtk4" | "qt5", variables: readonly string[], title = "Grid"): Grid {
  const directory = mkdtempSync(join(tmpdir(), "deskmap-grid-"));
  const log = join(directory, "presses");
  return {
    title,
    command: ["env", ...variables, "/usr/bin/python3", join(apps, `grid-${toolkit}.py`), log, title],
    presses: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").map(parsePress) : []),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** A page also has an address that counts as a press of "typed" when opened. */
export type PageGrid = Grid & { readonly address: string };

/** A grid as a page, which reports to a local server; `open` is the browser's command for the page's address. */
export function preparePage(
  open: (url: string) => readonly [string, ...string[]],
  removeProfile: () => void,
  title = "Grid",
): PageGrid {
  const presses: Press[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const path = new URL(request.url).pathname;
      if (path === "/grid.html") return new Response(Bun.file(join(apps, "grid.html")));
      if (path !== "/favicon.ico") presses.push(parsePress(decodeURIComponent(path.slice(1))));
      return new Response("");
    },
  });
  const tell = `http://127.0.0.1:${server.port}`;
  return {
    title,
    command: open(`${tell}/grid.html?title=${title}&tell=${tell}`),
    presses: () => presses,
    address: `${tell}/typed`,
    remove: () => {
      server.stop(true);
      removeProfile();
    },
  };
}

function parsePress(line: string): Press {
  const [label = "", x, y] = line.split(" ");
  return { label, offset: x === undefined ? undefined : [Number(x), Number(y)] };
}

type Point = readonly [number, number];
type Label = string | RegExp;

function readElements(scene: Scene): JsonElement[] {
  const { stdout, stderr, status } = scene.deskmap("read", "--compact", "--points", "--timeout-ms", "8000");
  if (status !== 0) throw new Error(stderr);
  const view = JSON.parse(stdout) as { elements?: JsonElement[]; windows?: { elements: JsonElement[] }[] };
  return view.elements ?? view.windows?.flatMap((window) => window.elements) ?? [];
}

/** The labels of all elements for which Deskmap gives a point. */
export function findLabels(scene: Scene): string[] {
  return readElements(scene).flatMap(({ t, p }) => (t === undefined || p === undefined ? [] : [t]));
}

/** Deskmap's points for these labels; undefined while one of them has none. */
function findPoints(scene: Scene, labels: readonly Label[], role: string | undefined): Point[] | undefined {
  const elements = readElements(scene);
  const points = labels.map((label) => {
    const isWanted = ({ r, t }: JsonElement): boolean =>
      (typeof label === "string" ? t === label : label.test(t ?? "")) && (role === undefined || r === role);
    return elements.find((element) => element.p !== undefined && isWanted(element))?.p;
  });
  const found = points.filter((point) => point !== undefined);
  return found.length === labels.length ? found : undefined;
}

/** Waits until Deskmap has all points and they are stable: menus slide open. */
async function waitForPoints(scene: Scene, labels: readonly Label[], role?: string): Promise<Point[]> {
  let points = findPoints(scene, labels, role);
  await waitFor(`points for ${labels}`, () => {
    const before = points;
    points = findPoints(scene, labels, role);
    return points !== undefined && String(points) === String(before);
  });
  return points ?? [];
}

/** Clicks with xdotool at Deskmap's points. */
export async function click(scene: Scene, label: Label, role?: string): Promise<void> {
  for (const point of await waitForPoints(scene, [label], role)) clickAt(scene, point);
}

function clickAt(scene: Scene, [x, y]: Point): void {
  scene.run("xdotool", "mousemove", String(x), String(y), "click", "1");
}

/** Clicks at Deskmap's points, and expects that each control, and no other, was pressed. */
export async function expectPresses(scene: Scene, grid: Grid, labels: readonly string[]): Promise<readonly Press[]> {
  const before = grid.presses().length;
  for (const [index, point] of (await waitForPoints(scene, labels)).entries()) {
    clickAt(scene, point);
    const what = `a press of "${labels[index]}" at ${point}`;
    await waitFor(what, () => grid.presses().length > before + index);
  }
  const pressed = grid.presses().slice(before);
  expect(pressed.map(({ label }) => label)).toEqual([...labels]);
  return pressed;
}

/** The same for controls fully in view: each press must be within `tolerancePx` pixels of the control's middle. */
export async function expectCentred(
  scene: Scene,
  grid: Grid,
  labels: readonly string[],
  scale: number,
  tolerancePx = 2,
): Promise<void> {
  for (const { label, offset } of await expectPresses(scene, grid, labels)) {
    const offsetPx = Math.max(...(offset ?? [Number.NaN]).map((part) => Math.abs(part * scale)));
    expect({ label, offsetPx, isNear: offsetPx <= tolerancePx }).toEqual({ label, offsetPx, isNear: true });
  }
}

/** Moves a window with xdotool and waits, checking with xwininfo, until it is there. */
export async function moveWindow(scene: Scene, title: string, x: number, y: number): Promise<void> {
  const id = scene.run("xdotool", "search", "--onlyvisible", "--name", title).stdout.trim().split("\n").at(-1) ?? "";
  scene.run("xdotool", "windowmove", id, String(x), String(y));
  await waitFor(`"${title}" at ${x},${y}`, () => {
    const report = scene.run("xwininfo", "-id", id).stdout;
    const read = (side: string): number =>
      Number(new RegExp(`Absolute upper-left ${side}:\\s+(-?\\d+)`).exec(report)?.[1]);
    // The window manager's frame may shift it.
    return Math.abs(read("X") - x) <= 40 && Math.abs(read("Y") - y) <= 60;
  });
}

/** Shows a grid while `work` runs. */
export async function withWindow<Kind extends Grid>(
  scene: Scene,
  grid: Kind,
  work: (grid: Kind) => Promise<void>,
): Promise<void> {
  const child = await scene.start(grid.command, grid.title);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  try {
    await work(grid);
  } finally {
    child.kill("SIGKILL");
    await ended;
    grid.remove();
  }
}
