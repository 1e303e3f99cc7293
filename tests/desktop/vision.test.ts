import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSession } from "../../src/host/session.ts";
import type { Bounds } from "../../src/model/bounds.ts";
import type { Detection } from "../../src/model/detection.ts";
import { flatten } from "../../src/model/element.ts";
import type { Result } from "../../src/model/failure.ts";
import type { Picture } from "../../src/model/frame.ts";
import { compareHashes, hashRegion } from "../../src/picture/visual-hash.ts";
import type { Platform } from "../../src/platform/port.ts";
import { mergePicture } from "../../src/sources/merge.ts";
import { describePictured } from "../../src/sources/vision/describe-window.ts";
import { pickVision } from "../../src/sources/vision/pick.ts";
import type { Session } from "../../src/tools/session.ts";
import { draw, parsePpm } from "../picture/pictures.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// Applications without an accessibility tree, read from the redacted pictures that every client gets. X gives the real
// positions of windows, ImageMagick's import those of colours.

const screen = { x: 0, y: 0, width: 900, height: 600 };
const answers = ["Save", "Discard", "Cancel"];
const words = { red: "Departures", card: "4242 4242 4242 4242" } as const;

let scene: Scene;
let session: Session;
let platform: Platform;
beforeAll(async () => {
  scene = await openScene(screen);
  const config = join(scene.sandbox.env.XDG_CONFIG_HOME ?? "", "deskmap");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "policy.json"), JSON.stringify({ apps: { Vault: "blind" } }));
  scene.run("xsetroot", "-solid", "#1a5fb4");
  const buttons = answers.map((answer, at) => `${answer}:${10 + at}`).join();
  await scene.start(["xmessage", "-title", "Ask", "-buttons", buttons, "Do you want to keep\nyour changes?"], "Ask");
  await scene.start(
    ["xmessage", "-name", "Vault", "-title", "Hidden", "-buttons", "Withdraw:1", "Seventeen million"],
    "Hidden",
  );
  const script = `printf '\\033[38;2;255;0;0m${words.red}\\033[0m\\n\\n${words.card}\\n'; exec sleep 600`;
  await scene.start(
    ["xterm", "-fa", "DejaVu Sans Mono", "-fs", "11", "-T", "Terminal", "-e", "sh", "-c", script],
    "Terminal",
  );
  const places = { Ask: [40, 60], Hidden: [400, 60], Terminal: [60, 250] } as const;
  for (const [title, [x, y]] of Object.entries(places)) {
    scene.run("xdotool", "search", "--onlyvisible", "--name", title, "windowmove", "--sync", String(x), String(y));
  }
  await scene.settle();
  session = openSession(scene.sandbox.env, 5000);
  platform = take(await session.openPlatform());
});
afterAll(async () => {
  session.close();
  await scene.close();
});

function take<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.failure.message}: ${result.failure.suggestion}`);
  return result.value;
}

async function shoot(title: string): Promise<Picture> {
  const window = take(await platform.listWindows()).windows.find((one) => one.title === title);
  if (window === undefined) throw new Error(`no window ${title}`);
  return take(await platform.captureWindow(window));
}

async function look(picture: Picture, scale = 1): Promise<readonly Detection[]> {
  const vision = take(await pickVision(process.env));
  if (vision === undefined) throw new Error("nobody looks at pictures");
  return take(await vision.detect(picture, { app: "", windowTitle: "", knownLabels: [], scale }));
}

/** The bounds of xmessage's buttons: each is a separate window. */
function listButtons(): Bounds[] {
  const id = scene.run("xdotool", "search", "--onlyvisible", "--name", "^Ask$").stdout.trim().split("\n")[0] ?? "";
  const { stdout } = scene.run("xwininfo", "-id", id, "-tree");
  const windows = Array.from(stdout.matchAll(/\s(\d+)x(\d+)\+-?\d+\+-?\d+\s+\+(\d+)\+(\d+)/g), (match) => {
    const [width = 0, height = 0, x = 0, y = 0] = match.slice(1).map(Number);
    return { x, y, width, height };
  });
  const row = Math.max(...windows.map(({ y }) => y));
  return windows.filter(({ y }) => y === row).sort((a, b) => a.x - b.x);
}

/** The unredacted screen, captured by another program. */
function lookAtScreen(): Picture {
  const { stdout } = spawnSync("import", ["-window", "root", "-depth", "8", "ppm:-"], {
    env: scene.sandbox.env,
    maxBuffer: 64 << 20,
  });
  const { rgb, width, height } = parsePpm(stdout);
  const { pixels } = draw(width, height, (x, y) =>
    Array.from(rgb.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)),
  );
  return { pixels, bounds: screen };
}

/** Where the screen shows red letters: at their edges the white background shows through. */
function findRed(): Bounds {
  const { pixels } = lookAtScreen();
  const [xs, ys]: [number[], number[]] = [[], []];
  for (let at = 0; at < pixels.length; at += 4) {
    const [blue = 0, green = 0, red = 0] = pixels.subarray(at, at + 3);
    if (red !== 255 || green !== blue || green > 150) continue;
    xs.push((at / 4) % screen.width);
    ys.push(Math.floor(at / 4 / screen.width));
  }
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x + 1, height: Math.max(...ys) - y + 1 };
}

/** The largest difference between the edges of two rectangles, in pixels. */
function compareEdges(one: Bounds, other: Bounds): number {
  const edges = ({ x, y, width, height }: Bounds): number[] => [x, y, x + width, y + height];
  const others = edges(other);
  return Math.max(...edges(one).map((edge, at) => Math.abs(edge - (others[at] ?? Number.NaN))));
}

interface ElementData {
  readonly i: number;
  readonly r: string;
  readonly t?: string;
  readonly source?: string;
  readonly confidence?: number;
  readonly c?: readonly ElementData[];
}

function listData({ elements }: { readonly elements: readonly ElementData[] }): ElementData[] {
  const flat = (list: readonly ElementData[]): ElementData[] => list.flatMap((one) => [one, ...flat(one.c ?? [])]);
  return flat(elements);
}

describe("an application without a tree", () => {
  test("exposes nothing to the platform, and its buttons and texts are read at their real places", async () => {
    const window = take(await platform.listWindows()).windows.filter(({ title }) => title === "Ask");
    const [read] = take(
      await platform.readWindows({ windows: window, includeHidden: false, timeoutMs: 2000, vision: "off" }),
    );
    expect(read?.root?.children ?? []).toEqual([]);
    const found = await look(await shoot("Ask"));
    const buttons = found.filter(({ role }) => role === "button");
    expect(buttons.map(({ label }) => label)).toEqual(answers);
    const truth = listButtons();
    expect(truth).toHaveLength(answers.length);
    for (const [at, { bounds, confidence }] of buttons.entries()) {
      expect(compareEdges(bounds, truth[at] ?? screen)).toBeLessThanOrEqual(3);
      expect(confidence).toBeGreaterThan(0.6);
    }
    const texts = found.filter(({ role }) => role === "text").map(({ label }) => label);
    expect(texts).toContain("Do you want to keep");
    expect(texts).toContain("your changes?");
  });

  test("is read, found and pressed by words, and each element says that it comes from a picture", async () => {
    const log = join(scene.sandbox.env.XDG_CONFIG_HOME ?? "", "answer");
    const ask = `xmessage -title Again -buttons Yes:7,Later:8,Never:9 "Shall we go on\nwith all of this?"; printf $? > '${log}'`;
    await scene.start(["sh", "-c", ask], "Again");
    scene.run("xdotool", "search", "--onlyvisible", "--name", "Again", "windowmove", "--sync", "600", "400");
    await scene.settle();
    const here = ["--window", "Again"];
    const read = JSON.parse(scene.deskmap("read", ...here, "--format", "json").stdout);
    const buttons = listData(read).filter(({ r }) => r === "btn");
    expect(buttons).toMatchObject(["Yes", "Later", "Never"].map((t) => ({ t, source: "ocr" })));
    for (const { confidence } of buttons) {
      expect(confidence).toBeGreaterThan(0.5);
      expect(confidence).toBeLessThanOrEqual(0.8);
    }
    expect(read.notes).toMatchObject([{ code: "NO_TREE" }]);
    const later = buttons.find(({ t }) => t === "Later");
    const found = JSON.parse(scene.deskmap("find", "later", ...here, "--format", "json").stdout);
    expect(found.matches[0]).toMatchObject({ i: later?.i, t: "Later", source: "ocr" });
    const [x = 0, y = 0] = found.matches[0].p;
    const at = JSON.parse(scene.deskmap("at", String(x), String(y), "--format", "json").stdout);
    expect(at.element).toMatchObject({ i: later?.i, t: "Later", source: "ocr" });
    const off = JSON.parse(scene.deskmap("read", ...here, "--vision", "off", "--format", "json").stdout);
    expect(off.elements).toEqual([]);
    scene.deskmap("wait", "--for", 'button "Never" appears', ...here);
    const done = scene.deskmap("click", "later", ...here);
    expect(done.status).toBe(0);
    await waitFor("the answer", () => existsSync(log) && readFileSync(log, "utf8") !== "");
    expect(readFileSync(log, "utf8")).toBe("8");
  });

  test("is read in a terminal within two pixels of where the word's colour is", async () => {
    const found = await look(await shoot("Terminal"));
    const word = found.find(({ label }) => label === words.red);
    expect(compareEdges(word?.bounds ?? screen, findRed())).toBeLessThanOrEqual(2);
  });

  test("reveals no card number, though it is readable", async () => {
    const labels = (await look(await shoot("Terminal"))).map(({ label }) => label);
    expect(labels).toContain("[card number]");
    expect(labels.join()).not.toContain("4242");
  });
});

test("at double scale, a picture confirms each button of the tree, and adds none", async () => {
  const command = ["env", "GDK_SCALE=2", "zenity", "--question", "--title=Twice", "--text=Shall we go?"] as const;
  await scene.start([...command, "--ok-label=Forward", "--cancel-label=Back"], "Twice");
  scene.run("xdotool", "search", "--onlyvisible", "--name", "Twice", "windowmove", "--sync", "300", "200");
  await scene.settle();
  const windows = take(await platform.listWindows()).windows.filter(({ title }) => title === "Twice");
  const [read] = take(await platform.readWindows({ windows, includeHidden: false, timeoutMs: 5000 }));
  const told = flatten(read?.root === undefined ? [] : [read.root]).filter(({ role }) => role === "button");
  const found = await look(await shoot("Twice"), 2);
  for (const { name, bounds = screen } of told) {
    const button = found.find(({ label }) => label === name);
    expect(button?.role).toBe("button");
    expect(compareEdges(button?.bounds ?? screen, bounds)).toBeLessThanOrEqual(6);
  }
  const [window] = windows;
  if (read?.root === undefined || window === undefined) throw new Error("no tree");
  const pictured = describePictured(found, window).children;
  const merged = mergePicture({ ...read.root, children: told }, pictured, 2).children;
  const buttons = merged.filter(({ role }) => role === "button");
  expect(buttons.map(({ name, source }) => [name, source]).sort()).toEqual([
    ["Back", "a11y+vision"],
    ["Forward", "a11y+vision"],
  ]);
  expect(merged.map(({ name, source }) => [name, source])).toContainEqual(["Shall we go?", "ocr"]);
  const ofTree = (mode: string): ElementData[] =>
    listData(JSON.parse(scene.deskmap("read", "--window", "Twice", "--vision", mode, "--format", "json").stdout));
  expect(ofTree("auto").filter(({ source }) => source !== undefined)).toEqual([]);
  const forward = ofTree("on").find(({ t }) => t === "Forward");
  expect(forward).toMatchObject({ source: "a11y+vision", confidence: 0.99 });
});

test("redacted content is not read, though it could be", async () => {
  const readAll = async (picture: Picture): Promise<string> =>
    (await look(picture)).map(({ label }) => label).join("\n");
  const [all, veiled] = [await readAll(lookAtScreen()), await readAll(take(await platform.captureScreen(screen)))];
  for (const answer of answers) expect(veiled).toContain(answer);
  for (const word of ["Withdraw", "million"]) {
    expect(all).toContain(word);
    expect(veiled).not.toContain(word);
  }
});

test("a button looks the same a pixel away, and unlike its neighbours", async () => {
  const picture = await shoot("Ask");
  const [save, discard, cancel] = listButtons().map((place) => ({ place, look: hashRegion(picture, place) }));
  if (save === undefined || discard === undefined || cancel === undefined) throw new Error("no buttons");
  // The letters of Discard touch its round ends: no other button is harder to distinguish. Measured: 11 at most, 15 at least.
  const near = 12;
  const others: number[] = [];
  for (const { place, look: own } of [save, discard, cancel]) {
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      const moved = hashRegion(picture, { ...place, x: place.x + dx, y: place.y + dy });
      expect(compareHashes(own, moved)).toBeLessThanOrEqual(near);
    }
  }
  for (const [one, other] of [
    [save, discard],
    [save, cancel],
    [discard, cancel],
  ] as const) {
    others.push(compareHashes(one.look, other.look));
  }
  expect(Math.min(...others)).toBeGreaterThan(near);
});
