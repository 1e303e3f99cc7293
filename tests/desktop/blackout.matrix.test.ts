import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ChildProcess, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Decoded, decode, parsePpm } from "../picture/pictures.ts";
import { casesOf } from "../tier.ts";
import { prepareChromium } from "./chromium.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// Protected content is black in every picture, and nothing else is: compared with what ImageMagick's import captures.

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface PictureAnswer {
  readonly masked: number;
  readonly covered?: readonly ({ readonly what: string; readonly app?: string } & Place)[];
}

const screen = { x: 0, y: 0, width: 1000, height: 700 };
const curtain = { x: 700, y: 500, width: 200, height: 120 };
const fixtures = join(import.meta.dir, "../fixtures/apps");

let scene: Scene;
let folder: string;
let mousepad: ChildProcess;
let places: Record<"vault" | "cover" | "terminal" | "mousepad", Place>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-blackout-"));
  scene = await openScene(screen);
  const config = join(scene.sandbox.env.XDG_CONFIG_HOME ?? "", "deskmap");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "policy.json"), JSON.stringify({ apps: { xmessage: "blind", curtain: "blind" } }));
  scene.run("xsetroot", "-solid", "#1a5fb4");
  await scene.start(["xmessage", "-bg", "#e01b24", "-title", "Vault", `${"secret ".repeat(40)}\n`.repeat(12)], "Vault");
  mousepad = await scene.start(["mousepad"], "Mousepad");
  await scene.start(["xterm", "-bg", "#33d17a", "-T", "Terminal", "-e", "sleep", "600"], "Terminal");
  await scene.start(["zenity", "--info", "--text=Cover", "--title=Cover"], "Cover");
  scene.sandbox.spawn(
    ["/usr/bin/python3", join(fixtures, "curtain.py"), "#e01b24", ...Object.values(curtain).map(String)],
    { stdio: "ignore" },
  );
  await waitFor(
    "the curtain",
    () => scene.run("xdotool", "search", "--onlyvisible", "--class", "Curtain").stdout !== "",
  );
  const at = { Vault: [20, 40], Mousepad: [400, 60], Terminal: [30, 420], Cover: [150, 120] } as const;
  for (const [title, [x, y]] of Object.entries(at)) {
    scene.run("xdotool", "search", "--onlyvisible", "--name", title, "windowmove", "--sync", String(x), String(y));
  }
  scene.run("xdotool", "search", "--onlyvisible", "--name", "Cover", "windowactivate", "--sync");
  await scene.settle();
  places = { vault: find("Vault"), cover: find("Cover"), terminal: find("Terminal"), mousepad: find("Mousepad") };
});
afterAll(async () => {
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The bounds of a window's content, from xwininfo. */
function find(title: string): Place {
  const id = scene.run("xdotool", "search", "--onlyvisible", "--name", title).stdout.trim().split("\n")[0] ?? "";
  const told = scene.run("xwininfo", "-id", id).stdout;
  const read = (words: string): number => Number(new RegExp(`${words}:\\s+(-?\\d+)`).exec(told)?.[1]);
  return {
    x: read("Absolute upper-left X"),
    y: read("Absolute upper-left Y"),
    width: read("Width"),
    height: read("Height"),
  };
}

function shoot(...args: string[]): PictureAnswer & { readonly picture: Decoded } {
  const path = join(folder, "shot.png");
  const { status, stdout, stderr } = scene.deskmap("screenshot", "--scale", "1", "--output", path, ...args);
  if (status !== 0) throw new Error(stderr);
  return { ...(JSON.parse(stdout) as PictureAnswer), picture: decode(readFileSync(path), "png") };
}

function lookAtScreen(): Decoded {
  const { stdout } = spawnSync("import", ["-window", "root", "-depth", "8", "ppm:-"], {
    env: scene.sandbox.env,
    maxBuffer: 64 << 20,
  });
  return parsePpm(stdout);
}

function pixelAt({ rgb, width }: Decoded, x: number, y: number): string {
  const at = (y * width + x) * 3;
  return Array.from(rgb.subarray(at, at + 3)).join();
}

const askForCompositor = `import gi
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk
print(Gdk.Screen.get_default().is_composited())`;

const black = "0,0,0";
const red = "224,27,36";

/** Every sixth pixel of an area that is in none of the others. */
function* listPoints(place: Place, outside: readonly Place[] = []): Generator<readonly [number, number]> {
  const isIn = (x: number, y: number, one: Place): boolean =>
    x >= one.x && y >= one.y && x < one.x + one.width && y < one.y + one.height;
  for (let y = place.y; y < place.y + place.height; y += 6) {
    for (let x = place.x; x < place.x + place.width; x += 6) {
      if (isIn(x, y, screen) && !outside.some((one) => isIn(x, y, one))) yield [x, y];
    }
  }
}

/** A window including its frame. */
function withFrame({ x, y, width, height }: Place): Place {
  return { x: x - 8, y: y - 32, width: width + 16, height: height + 48 };
}

function countUnlike(picture: Decoded, truth: Decoded, points: Iterable<readonly [number, number]>): number {
  return [...points].filter(([x, y]) => pixelAt(picture, x, y) !== pixelAt(truth, x, y)).length;
}

function countLit(picture: Decoded, points: Iterable<readonly [number, number]>): number {
  return [...points].filter(([x, y]) => pixelAt(picture, x, y) !== black).length;
}

describe("a picture of the screen", () => {
  test("is black where a blind application is visible, and unchanged where another window covers it", () => {
    const truth = lookAtScreen();
    const { picture, covered = [] } = shoot();
    const { vault, cover, terminal } = places;
    const others = [withFrame(cover), withFrame(terminal), withFrame(places.mousepad)];
    const vaultPoints = [...listPoints(vault, others)];
    expect(vaultPoints.filter(([x, y]) => pixelAt(truth, x, y) === red).length).toBeGreaterThan(50);
    expect(countLit(picture, vaultPoints)).toBe(0);
    expect(countUnlike(picture, truth, listPoints(cover))).toBe(0);
    expect(covered.every(({ what, app }) => what === "blind" && app === undefined)).toBe(true);
  });

  test("is black where a blind application has a window that bypasses the window manager", () => {
    const [truth, { picture }] = [lookAtScreen(), shoot()];
    expect(pixelAt(truth, curtain.x + 100, curtain.y + 60)).toBe(red);
    expect(countLit(picture, listPoints(curtain))).toBe(0);
    const region = shoot("--region", `${curtain.x},${curtain.y},${curtain.width},${curtain.height}`);
    expect(countLit(region.picture, listPoints({ ...curtain, x: 0, y: 0 }))).toBe(0);
  });

  test("shows an application that exposes nothing", () => {
    const [truth, { picture }] = [lookAtScreen(), shoot()];
    expect(countUnlike(picture, truth, listPoints(places.terminal, [withFrame(places.cover)]))).toBe(0);
  });

  test("is the same with a compositor", async () => {
    const picom = scene.sandbox.spawn(["picom", "--backend", "xrender", "--config", "/dev/null"], { stdio: "ignore" });
    await waitFor(
      "the compositor",
      () => scene.run("/usr/bin/python3", "-c", askForCompositor).stdout.trim() === "True",
    );
    await scene.settle();
    const [truth, { picture }] = [lookAtScreen(), shoot()];
    const others = [withFrame(places.cover), withFrame(places.terminal), withFrame(places.mousepad)];
    expect(countLit(picture, listPoints(places.vault, others))).toBe(0);
    expect(countLit(picture, listPoints(curtain))).toBe(0);
    expect(countUnlike(picture, truth, listPoints(places.terminal, [withFrame(places.cover)]))).toBe(0);
    picom.kill();
  });

  test("covers the window of an application that does not answer, and says so", () => {
    mousepad.kill("SIGSTOP");
    try {
      const { picture, covered = [] } = shoot("--timeout-ms", "3000");
      expect(
        countLit(picture, listPoints(places.mousepad, [withFrame(places.cover), withFrame(places.terminal)])),
      ).toBe(0);
      expect(covered.some(({ what, app }) => what === "unread" && app === "Mousepad")).toBe(true);
    } finally {
      mousepad.kill("SIGCONT");
    }
  });
});

test("a picture of a blind application's window is refused", () => {
  const output = join(folder, "vault.png");
  const { status, stderr } = scene.deskmap("screenshot", "--app", "xmessage", "--output", output);
  expect(status).toBe(3);
  expect(stderr).toContain('"reason":"blind"');
  // Its title matches nothing, as if the window did not exist.
  expect(scene.deskmap("screenshot", "--window", "Vault", "--output", output).status).toBe(1);
  expect(existsSync(output)).toBe(false);
});

/** Motions by the key that starts each; the first starts by itself, some time after the page is first reported. */
const motions = [
  ["e", "that was slid away and stays, though its browser tells where that began"],
  ["m", "that moves, though its browser tells where it was a moment ago"],
  ["s", "that is slid to and fro, though its browser tells of one place"],
] as const;
const movingPage = `<!doctype html><title>Still</title><style>
@keyframes move { from { margin-left: 0 } to { margin-left: 500px } }
@keyframes slide { from { transform: none } to { transform: translateX(500px) } }
.m { animation: move 2s infinite alternate linear }
.s { animation: slide 2s infinite alternate linear }
.e { animation: slide 1s 3s forwards linear }
input { background: #ff00ff; color: #ff00ff; border: 0; font-size: 24px }
</style><div class=e><label>Password <input value="hunter2"></label></div>
<script>
const box = document.querySelector("div");
box.onanimationstart = () => { if (box.className !== "e") document.title = "Moving " + box.className; };
box.onanimationend = () => { document.title = "Moving e"; };
addEventListener("keydown", ({ key }) => { box.className = key; });
</script>`;

describe("a secret field never shows", () => {
  const chromium = prepareChromium(movingPage);
  let movingScene: Scene;
  beforeAll(async () => {
    movingScene = await openScene(screen);
    await movingScene.start(chromium.command, "Still");
  });
  afterAll(async () => {
    await movingScene.close();
    chromium.remove();
  });

  test.each([...casesOf(motions.slice(0, 1), motions.slice(1))])("%s: %s", async (key) => {
    const path = join(folder, "moving.png");
    await waitFor("the field to move, and to be drawn", () => {
      if (movingScene.run("xdotool", "search", "--onlyvisible", "--name", `Moving ${key}`).stdout === "") {
        movingScene.run("xdotool", "key", key);
        return false;
      }
      movingScene.run("import", "-window", "root", path);
      return countMagenta(path) > 1000;
    });
    for (const args of [[], [], ["--app", "chromium"]]) {
      const { status, stdout } = movingScene.deskmap("screenshot", "--scale", "1", "--output", path, ...args);
      expect(status).toBe(0);
      expect((JSON.parse(stdout) as PictureAnswer).masked).toBeGreaterThanOrEqual(1);
      expect(countMagenta(path)).toBe(0);
    }
  });
});

function countMagenta(path: string): number {
  const { rgb } = decode(readFileSync(path), "png");
  let count = 0;
  for (let at = 0; at < rgb.length; at += 3)
    if (rgb[at] === 255 && rgb[at + 1] === 0 && rgb[at + 2] === 255) count += 1;
  return count;
}
