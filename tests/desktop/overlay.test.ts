import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { colourOf } from "../../src/marks/colour.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// Marks, picking and annotations over a real application. What is drawn is read from the screen by another program, where
// controls are from pyatspi, and what was pressed from the application's own count.

const fixture = join(import.meta.dir, "../fixtures/apps/counter.py");
const launcher = join(import.meta.dir, "../../deskmap");
let scene: Scene;
let pid = 0;
let state = "";

beforeAll(async () => {
  scene = await openScene({ width: 1280, height: 800 });
  state = join(scene.sandbox.env.HOME ?? "", "state.json");
  pid = (await scene.start(["/usr/bin/python3", fixture, state, "Counter", "gtk3"], "Counter")).pid ?? 0;
  scene.run("xdotool", "search", "--name", "^Counter$", "windowmove", "--sync", "200", "150");
  await scene.settle();
});
afterAll(async () => {
  scene.deskmap("overlay", "off");
  scene.deskmap("serve", "stop");
  await scene.close();
});

function deskmap(...args: string[]): Record<string, unknown> {
  const { status, stdout, stderr } = scene.deskmap(...args);
  if (status !== 0) throw new Error(`${args.join(" ")}: ${status} ${stderr}`);
  return JSON.parse(stdout);
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where pyatspi says that a button is. */
function findButton(name: string): Box {
  const found = scene.ask("first", String(pid), "push button", name) as { extents: [number, number, number, number] };
  const [x, y, width, height] = found.extents;
  return { x, y, width, height };
}

function middleOf({ x, y, width, height }: Box): readonly [number, number] {
  return [x + Math.floor(width / 2), y + Math.floor(height / 2)];
}

/** The colours of a part of the screen, as another program takes it. */
function readColours(x: number, y: number, width: number, height: number): string {
  const part = `${width}x${height}+${x}+${y}`;
  return scene.run("import", "-window", "root", "-crop", part, "+repage", "-depth", "8", "txt:-").stdout.toLowerCase();
}

/** Whether a line of this colour runs along the left edge of a box, a pixel more or less. */
function isFramed({ x, y, height }: Box, colour: string): boolean {
  return readColours(x - 2, y + Math.floor(height / 2), 5, 1).includes(colour);
}

function countPresses(): number {
  return JSON.parse(readFileSync(state, "utf8")).presses?.length ?? 0;
}

function listTopLevels(): string {
  return scene.run("xwininfo", "-root", "-tree").stdout;
}

/** A command that waits for a person. */
function begin(...args: string[]) {
  return beginAs("cli", ...args);
}

function beginAs(client: string, ...args: string[]) {
  const child = Bun.spawn([launcher, "overlay", ...args, "--format", "json"], {
    env: { ...scene.sandbox.env, DESKMAP_CLIENT: client },
    stdout: "pipe",
    stderr: "pipe",
  });
  return {
    child,
    async answer() {
      const [out, error, code] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ]);
      return { code, error, json: out === "" ? {} : JSON.parse(out) };
    },
  };
}

async function untilPicking(isPicking = true): Promise<void> {
  await waitFor(`picking: ${isPicking}`, () => (deskmap("overlay", "status").picking ?? false) === isPicking);
}

let before = "";

describe("over a real application", () => {
  test("marks stand at its controls, and no picture that Deskmap takes has them", async () => {
    before = listTopLevels();
    expect(deskmap("overlay", "on", "--app", "counter")).toMatchObject({ on: true, marks: 41 });
    const { matches } = deskmap("find", "Count", "--role", "button", "--app", "counter") as {
      matches: { i: number }[];
    };
    const colour = colourOf(matches[0]?.i ?? 0);
    const box = findButton("Count");
    await waitFor("a frame around the button", () => isFramed(box, colour));
    const path = join(scene.sandbox.env.HOME ?? "", "shot.png");
    deskmap("screenshot", "--scale", "1", "--output", path, "--region", `${box.x - 2},${box.y},5,${box.height}`);
    expect(scene.run("convert", path, "txt:-").stdout.toLowerCase()).not.toContain(colour);
  });

  test("marks follow a window that is moved, and so does an annotation", async () => {
    const { matches } = deskmap("find", "Count", "--role", "button", "--app", "counter") as {
      matches: { i: number }[];
    };
    const mark = matches[0]?.i ?? 0;
    const colour = colourOf(mark);
    const noted = deskmap("annotate", "highlight", "--id", String(mark), "--colour", "#ff00ff", "--stroke", "thick");
    expect(noted).toMatchObject({ shown: true });
    const old = findButton("Count");
    await waitFor("the annotation", () => isFramed(old, "#ff00ff"));
    scene.run("xdotool", "search", "--name", "^Counter$", "windowmove", "--sync", "420", "260");
    await waitFor("the button to be elsewhere", () => findButton("Count").x !== old.x);
    const now = findButton("Count");
    await waitFor("the annotation to follow", () => isFramed(now, "#ff00ff"));
    expect(isFramed(old, "#ff00ff") || isFramed(old, colour)).toBe(false);
    deskmap("annotate", "clear", "--annotation", String(noted.annotation));
    await waitFor("the mark alone", () => isFramed(now, colour) && !isFramed(now, "#ff00ff"));
  });

  test("marks go with what is minimised, and come back with it", async () => {
    const { matches } = deskmap("find", "Count", "--role", "button", "--app", "counter") as {
      matches: { i: number }[];
    };
    const colour = colourOf(matches[0]?.i ?? 0);
    const box = findButton("Count");
    scene.run("xdotool", "search", "--name", "^Counter$", "windowminimize", "--sync");
    await waitFor("no frame", () => !isFramed(box, colour));
    scene.run("wmctrl", "-a", "Counter");
    await waitFor("the frame again", () => isFramed(findButton("Count"), colour));
  });

  test("marks are not drawn over a window that lies over them, and are there again when it is gone", async () => {
    const { matches } = deskmap("find", "Count", "--role", "button", "--app", "counter") as {
      matches: { i: number }[];
    };
    const colour = colourOf(matches[0]?.i ?? 0);
    const box = findButton("Count");
    const cover = await scene.start(
      ["xmessage", "-geometry", `900x600+${box.x - 300}+${box.y - 300}`, "over"],
      "xmessage",
    );
    await waitFor("no frame", () => !isFramed(box, colour));
    cover.kill("SIGTERM");
    await waitFor("the frame again", () => isFramed(findButton("Count"), colour));
  });

  test("a person who points at a control gives that control, and the press does not reach it", async () => {
    const [x, y] = middleOf(findButton("Count"));
    const picking = begin("pick");
    await untilPicking();
    scene.run("xdotool", "mousemove", "--sync", String(x - 3), String(y), "mousemove", "--sync", String(x), String(y));
    await waitFor("the highlight", () => isFramed(findButton("Count"), "#e8590c"));
    scene.run("xdotool", "click", "1");
    const { code, json } = await picking.answer();
    const told = scene.ask("at", String(pid), String(x), String(y)) as { name: string };
    expect([code, json.element.t, json.at]).toEqual([0, told.name, [x, y]]);
    expect(countPresses()).toBe(0);
    // The number acts on the very control.
    expect(deskmap("click", "--id", String(json.mark)).effect).toBe("confirmed");
    expect(countPresses()).toBe(1);
    expect(deskmap("overlay", "picked")).toMatchObject({ mark: json.mark });
  });

  test("Esc leaves, and so does whoever is ended", async () => {
    const picking = beginAs("unwanted", "pick");
    await untilPicking();
    scene.run("xdotool", "key", "Escape");
    const { code, error } = await picking.answer();
    expect([code, error]).toEqual([1, expect.stringContaining("CANCELLED")]);
    const again = await beginAs("unwanted", "pick").answer();
    expect([again.code, again.error]).toEqual([expect.any(Number), expect.stringContaining("left with Esc")]);
    const ended = begin("pick");
    await untilPicking();
    ended.child.kill("SIGTERM");
    await untilPicking(false);
  });

  test("a region is what is drawn with the pointer, and its marks act", async () => {
    const { x, y, width, height } = findButton("Count");
    const region = begin("region", "--frame");
    await untilPicking();
    const [left, top, right, bottom] = [x - 4, y - 4, x + width + 4, y + height + 4];
    scene.run("xdotool", "mousemove", "--sync", String(left), String(top), "mousedown", "1");
    scene.run("xdotool", "mousemove", "--sync", String(x + 10), String(y + 10));
    scene.run("xdotool", "mousemove", "--sync", String(right), String(bottom), "mouseup", "1");
    const { json } = await region.answer();
    expect(json.region).toMatchObject({ x: left, y: top });
    expect(Math.abs(json.region.width - (right - left))).toBeLessThanOrEqual(1);
    expect(json.frame).toMatchObject({ width: json.region.width, height: json.region.height, scale: 1 });
    const [only, ...others] = json.marks;
    expect([only.t, others]).toEqual(["Count", []]);
    const presses = countPresses();
    expect(deskmap("click", "--id", String(only.i)).effect).toBe("confirmed");
    expect(countPresses()).toBe(presses + 1);
  });

  test("keys begin to pick while it is on", async () => {
    expect(deskmap("overlay", "status")).toMatchObject({ hotkey: "Ctrl+Alt+P" });
    scene.run("xdotool", "key", "ctrl+alt+p");
    await untilPicking();
    const [x, y] = middleOf(findButton("Other 7"));
    scene.run("xdotool", "mousemove", "--sync", String(x), String(y), "click", "1");
    await untilPicking(false);
    expect(deskmap("overlay", "picked")).toMatchObject({ element: { t: "Other 7" } });
  });

  test("off leaves nothing", async () => {
    expect(deskmap("overlay", "off")).toMatchObject({ on: false, marks: 0 });
    const names = (tree: string): string[] =>
      [...tree.matchAll(/0x[0-9a-f]+ .*$/gm)].map(([line]) => line.replace(/\s+\d.*$/, "")).sort();
    await waitFor(
      () => `the same windows as before: ${listTopLevels()}`,
      () => names(listTopLevels()).length <= names(before).length,
    );
    expect(isFramed(findButton("Count"), "#e8590c")).toBe(false);
  });
});
