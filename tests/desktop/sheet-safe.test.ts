import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Bounds } from "../../src/model/bounds.ts";
import { XConnection } from "../../src/platform/linux/x11/connection.ts";
import { openLinuxDrawingSurface } from "../../src/platform/linux/x11/drawing-surface/open-surface.ts";
import { XScreen } from "../../src/platform/linux/x11/screen.ts";
import {
  createGc,
  createPixmap,
  createWindow,
  fillRectangles,
  mapWindow,
  restackWindow,
  setForeground,
} from "../../src/platform/linux/x11/wire.ts";
import type { DrawingSurface } from "../../src/platform/port.ts";
import { toRgb } from "../picture/pictures.ts";
import { unwrap } from "./controls-scene.ts";
import { box, findColour, lime } from "./sheet-scene.ts";

// Content hidden under a window stays hidden, whatever goes wrong while the drawing surface is left out of a picture.

const [secret, cover] = ["#ff0000", "#0000ff"];
const whole = { x: 0, y: 0, width: 640, height: 480 };
const place = { x: 100, y: 100, width: 300, height: 200 };
const mark = { x: 150, y: 150, width: 100, height: 60 };
const opcode = { getSelectionOwner: 23, grabServer: 36, ungrabServer: 37, nameWindowPixmap: 6 };

const folder = mkdtempSync(join(tmpdir(), "deskmap-safe-"));
let [server, env]: [ChildProcess | undefined, Record<string, string>] = [undefined, {}];
let [other, x]: XConnection[] = [];
let sheet: DrawingSurface;
let windows = { secret: 0, cover: 0 };
let request: XConnection["request"];

beforeAll(async () => {
  server = spawn("Xvfb", ["-displayfd", "1", "-nolisten", "tcp", "-noreset", "-screen", "0", "640x480x24"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (server.stdout === null) throw new Error("no output");
  const [number] = await once(createInterface(server.stdout), "line");
  env = { DISPLAY: `:${number}`, XDG_RUNTIME_DIR: folder, HOME: folder };
  [other, x] = [await XConnection.connect(env, 10_000), await XConnection.connect(env, 10_000)];
  request = x.request.bind(x);
  windows = { secret: await openWindow(other, secret), cover: await openWindow(other, cover) };
  sheet = unwrap(await openLinuxDrawingSurface({ env, timeoutMs: 10_000 }));
  await sheet.draw([box("one", mark)]);
});
afterEach(() => {
  if (x !== undefined) x.request = request;
});
afterAll(() => {
  sheet.close();
  other?.close();
  x?.close();
  server?.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** A window in one colour, painted by the server itself. */
async function openWindow(on: XConnection, colour: string): Promise<number> {
  const [id, pixmap, gc] = [on.allotId(), on.allotId(), on.allotId()];
  await on.sendAll([
    createPixmap(pixmap, on.root, 24, place),
    createGc(gc, pixmap),
    setForeground(gc, Number.parseInt(colour.slice(1), 16)),
    fillRectangles(pixmap, gc, [{ ...place, x: 0, y: 0 }]),
    createWindow(id, on.root, place, 0, { depth: 24, visual: on.server.rootVisual, colormap: 0, pixmap }),
    mapWindow(id),
  ]);
  return id;
}

async function look(): Promise<{ find(colour: string): Bounds | undefined; covered: unknown }> {
  if (x === undefined) throw new Error("no display");
  const screen = new XScreen(x, 10_000);
  const { pixels, covered } = unwrap(await screen.captureScreen(whole));
  screen.close();
  const rgb = toRgb({ ...whole, pixels });
  const find = (colour: string): Bounds | undefined => findColour({ ...whole, rgb }, colour);
  return { find, covered };
}

test("under the drawing, a picture shows the topmost window", async () => {
  const { find, covered } = await look();
  expect([find(cover), find(lime), find(secret), covered]).toEqual([place, undefined, undefined, undefined]);
});

test("a window whose pixels cannot be read does not reveal what it hides", async () => {
  if (x === undefined) throw new Error("no display");
  const composite = (await x.findExtension("Composite"))?.opcode;
  x.request = (bytes) => {
    const isNaming = bytes[0] === composite && bytes[1] === opcode.nameWindowPixmap;
    if (isNaming && bytes.readUInt32LE(4) === windows.cover) bytes.writeUInt32LE(0, 4);
    return request(bytes);
  };
  const { find, covered } = await look();
  expect([find(lime), find(secret)]).toEqual([undefined, undefined]);
  expect(covered).toEqual([{ what: "unread", bounds: mark, app: "" }]);
});

test("windows that keep changing their order reveal nothing that was covered", async () => {
  let swaps = 0;
  if (x === undefined) throw new Error("no display");
  // Between reading the window list and taking the picture.
  x.request = (bytes) => {
    if (bytes[0] !== opcode.getSelectionOwner) return request(bytes);
    swaps += 1;
    const upper = swaps % 2 === 0 ? windows.cover : windows.secret;
    return (other?.send(restackWindow(upper, "above")) ?? Promise.resolve()).then(() => request(bytes));
  };
  const { find, covered } = await look();
  // Each is shown whole or not at all: only one is on top.
  expect([find(secret), find(cover)].filter((one) => one !== undefined)).toHaveLength(1);
  expect(find(lime)).toBeUndefined();
  expect(covered).toEqual([{ what: "unread", bounds: mark, app: "" }]);
  await other?.send(restackWindow(windows.cover, "above"));
});

test("all requests made while the server is grabbed are sent at once", async () => {
  const [held, atOnce]: [number[], boolean[]] = [[], []];
  let isHeld = false;
  if (x === undefined) throw new Error("no display");
  x.request = (bytes) => {
    if (bytes[0] === opcode.grabServer) {
      isHeld = true;
      // Runs before anything is sent.
      queueMicrotask(() => void atOnce.push(!isHeld));
    }
    if (isHeld) held.push(bytes.length);
    if (bytes[0] === opcode.ungrabServer) isHeld = false;
    return request(bytes);
  };
  await look();
  expect(atOnce).toEqual([true]);
  expect(held.reduce((sum, length) => sum + length, 0)).toBeLessThan(100_000);
});

test("a closed surface does not affect the next", async () => {
  for (let round = 0; round < 5; round += 1) {
    sheet.close();
    sheet = unwrap(await openLinuxDrawingSurface({ env, timeoutMs: 10_000 }));
    await sheet.draw([box("one", mark)]);
  }
  const [first, second] = [sheet, openLinuxDrawingSurface({ env, timeoutMs: 10_000 })];
  setTimeout(() => first.close(), 50);
  sheet = unwrap(await second);
});
