import { expect } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Scene, waitFor } from "./scene.ts";

const apps = join(import.meta.dir, "../fixtures/apps");

interface JsonElement {
  readonly t?: string;
  readonly p?: readonly [number, number];
}

/** What a fixture says was pressed: the label, and how far from the middle, in units of its toolkit. */
interface Press {
  readonly label: string;
  readonly offset: readonly [number, number] | undefined;
}

/** A window of small buttons that writes down what is really pressed in it. */
export interface Grid {
  readonly title: string;
  readonly command: readonly [string, ...string[]];
  presses(): readonly Press[];
  remove(): void;
}

/** One written with a toolkit; `variables` are set for it, such as "GDK_SCALE=2". */
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

/** One as a page, which tells a server on this machine; `open` is the browser's command for the page's address. */
export function preparePage(open: (url: string) => readonly [string, ...string[]], title = "Grid"): Grid {
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
    remove: () => server.stop(true),
  };
}

function parsePress(line: string): Press {
  const [label = "", x, y] = line.split(" ");
  return { label, offset: x === undefined ? undefined : [Number(x), Number(y)] };
}

export function findPoint(scene: Scene, label: string): readonly [number, number] | undefined {
  const { stdout, stderr, status } = scene.deskmap("read", "--compact", "--points", "--timeout-ms", "8000");
  if (status !== 0) throw new Error(stderr);
  const found = (JSON.parse(stdout) as { elements: JsonElement[] }).elements.filter(({ t, p }) => t === label && p);
  if (found.length > 1) throw new Error(`${found.length} of "${label}"`);
  return found[0]?.p;
}

/** Waits until Deskmap has a point for it, and until that stays: menus slide open. */
export async function waitForPoint(scene: Scene, label: string): Promise<readonly [number, number]> {
  let point = findPoint(scene, label);
  await waitFor(`a point for "${label}"`, () => {
    const before = point;
    point = findPoint(scene, label);
    return point !== undefined && before !== undefined && String(point) === String(before);
  });
  if (point === undefined) throw new Error(label);
  return point;
}

export function clickAt(scene: Scene, [x, y]: readonly [number, number]): void {
  scene.run("xdotool", "mousemove", String(x), String(y), "click", "1");
}

/** Clicks with xdotool where Deskmap says, and demands that this control, and no other, was pressed. */
export async function expectPress(scene: Scene, grid: Grid, label: string): Promise<Press> {
  const before = grid.presses().length;
  const point = await waitForPoint(scene, label);
  clickAt(scene, point);
  await waitFor(`a press of "${label}" at ${point}`, () => grid.presses().length > before, 8000);
  const pressed = grid.presses().slice(before);
  expect(pressed.map((press) => press.label)).toEqual([label]);
  return pressed[0] as Press;
}

/** The same for a control that is wholly in view, pressed within `tolerancePx` pixels of its middle. */
export async function expectCentred(
  scene: Scene,
  grid: Grid,
  label: string,
  scale: number,
  tolerancePx = 2,
): Promise<void> {
  const { offset } = await expectPress(scene, grid, label);
  const offsetPx = Math.max(...(offset ?? [Number.NaN]).map((part) => Math.abs(part * scale)));
  expect({ label, offsetPx, isNear: offsetPx <= tolerancePx }).toEqual({ label, offsetPx, isNear: true });
}

/** Moves a window with xdotool and waits, by xwininfo, until it stands there. */
export async function moveWindow(scene: Scene, title: string, x: number, y: number): Promise<void> {
  const id = scene.run("xdotool", "search", "--onlyvisible", "--name", title).stdout.trim().split("\n").at(-1) ?? "";
  scene.run("xdotool", "windowmove", id, String(x), String(y));
  await waitFor(`"${title}" at ${x},${y}`, () => {
    const report = scene.run("xwininfo", "-id", id).stdout;
    const read = (side: string): number =>
      Number(new RegExp(`Absolute upper-left ${side}:\\s+(-?\\d+)`).exec(report)?.[1]);
    // The window manager's frame may come between.
    return Math.abs(read("X") - x) <= 40 && Math.abs(read("Y") - y) <= 60;
  });
}
