import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bounds, Point } from "../../src/model/bounds.ts";
import type { Drawing } from "../../src/model/drawing.ts";
import { openLivePlatform } from "../../src/platform/pick.ts";
import type { DrawingSurface, LivePlatform, Picker } from "../../src/platform/port.ts";
import { type Decoded, parsePpm, toRgb } from "../picture/pictures.ts";
import { unwrap } from "./controls-scene.ts";
import { type Scene, waitFor } from "./scene.ts";

const fixtures = join(import.meta.dir, "../fixtures/apps");

/** Colours that nothing else on these desktops has. */
export const lime = "#00ff2a";
export const violet = "#c800ff";
export const listenerColour = "#3a4750";

/** A desktop with a window that logs the input it receives, and a drawing surface over it. */
export interface SheetScene {
  readonly scene: Scene;
  readonly platform: LivePlatform;
  readonly sheet: DrawingSurface;
  /** The listener's client area on the screen. */
  readonly place: Bounds;
  /** The events the listener received since the last call, except motion. */
  takeEvents(): string[];
  /** The whole screen, as captured by ImageMagick's import. */
  look(): Decoded;
  close(): Promise<void>;
}

export async function openSheetScene(
  scene: Scene,
  at: Bounds = { x: 120, y: 90, width: 600, height: 400 },
): Promise<SheetScene> {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-sheet-"));
  const file = join(folder, "events");
  writeFileSync(file, "");
  const numbers = [at.x, at.y, at.width, at.height].map(String);
  const listener = join(fixtures, "press-listener.py");
  await scene.start(["/usr/bin/python3", listener, file, ...numbers, listenerColour, "Listener"], "Listener");
  await scene.settle();
  const place = findPlace(scene);
  const platform = unwrap(await openLivePlatform({ env: scene.sandbox.env, timeoutMs: 10_000 }));
  const sheet = unwrap(await platform.openDrawingSurface());
  let taken = 0;
  return {
    scene,
    platform,
    sheet,
    place,
    takeEvents() {
      const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
      const fresh = lines.slice(taken).filter((line) => !line.startsWith("motion"));
      taken = lines.length;
      return fresh;
    },
    look() {
      return importRoot(scene);
    },
    async close() {
      sheet.close();
      platform.close();
      await scene.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function importRoot(scene: Scene): Decoded {
  // As text: a picture through `run` would be decoded as UTF-8.
  const file = join(mkdtempSync(join(tmpdir(), "deskmap-import-")), "root.ppm");
  const { status, stderr } = scene.run("import", "-window", "root", "-depth", "8", file);
  if (status !== 0) throw new Error(stderr);
  const seen = parsePpm(readFileSync(file));
  rmSync(join(file, ".."), { recursive: true });
  return seen;
}

/** The client area, from xwininfo. */
function findPlace(scene: Scene): Bounds {
  const { stdout } = scene.run("xwininfo", "-name", "Listener");
  const take = (what: string): number => Number(new RegExp(`${what}:\\s+(-?\\d+)`).exec(stdout)?.[1]);
  const [x, y] = [take("Absolute upper-left X"), take("Absolute upper-left Y")];
  return { x, y, width: take("Width"), height: take("Height") };
}

/** The colour depth of the drawing surface, from xwininfo: 32 bits include alpha, which a compositor uses. */
export function readDepth(scene: Scene): string | undefined {
  return /Depth: (\d+)/.exec(scene.run("xwininfo", "-name", "Deskmap surface").stdout)?.[1];
}

export function colourAt({ rgb, width }: Decoded, { x, y }: Point): string {
  return `#${rgb.subarray((y * width + x) * 3, (y * width + x) * 3 + 3).toString("hex")}`;
}

/** The bounding box of all pixels of a colour; undefined if there are none. */
export function findColour(picture: Decoded, colour: string): Bounds | undefined {
  const [red, green, blue] = Buffer.from(colour.slice(1), "hex");
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, -1, -1];
  for (let at = 0; at < picture.rgb.length; at += 3) {
    if (picture.rgb[at] !== red || picture.rgb[at + 1] !== green || picture.rgb[at + 2] !== blue) continue;
    const [x, y] = [(at / 3) % picture.width, Math.floor(at / 3 / picture.width)];
    [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
  }
  return right < 0 ? undefined : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

export function box(key: string, bounds: Bounds, colour: Drawing["colour"] = lime): Drawing {
  return { kind: "box", key, bounds, colour, stroke: "thick" };
}

/** Deskmap's capture of a part of the screen. */
export async function capture(platform: LivePlatform, part: Bounds): Promise<Decoded> {
  const picture = unwrap(await platform.captureScreen(part));
  const { width, height } = part;
  return { width, height, rgb: toRgb({ width, height, pixels: picture.pixels }) };
}

/** Whether a box is visible exactly where it was requested; a compositor shows it with a delay. */
export async function waitUntilSeen(at: SheetScene, bounds: Bounds, colour: string = lime): Promise<void> {
  let seen: Bounds | undefined;
  await waitFor(
    () => `a box at ${JSON.stringify(bounds)}, seen is ${JSON.stringify(seen)}`,
    () => {
      seen = findColour(at.look(), colour);
      return JSON.stringify(seen) === JSON.stringify(bounds);
    },
  );
}

/** Records what a person picks. */
export function notePicks(): { readonly picker: Picker; readonly told: unknown[] } {
  const told: unknown[] = [];
  const picker: Picker = {
    onMove: (point) => void told.push({ move: point }),
    onPress: (point) => void told.push({ press: point }),
    onDrag: (part, isDone) => void told.push({ drag: part, isDone }),
    onLeave: () => void told.push("left"),
  };
  return { picker, told };
}
