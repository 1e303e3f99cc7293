import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launcher, startAtTerminal, type TerminalSession } from "../guard/terminal-session.ts";
import { parsePpm } from "../picture/pictures.ts";
import { type GuardedScene, guardScene } from "./guarded-scene.ts";
import { askForElements, find, pointAt, work } from "./listening.ts";
import { openScene, type Scene } from "./scene.ts";

// Pictures of the steps of agents and of a person. Where the password is, pyatspi tells; what is in the files, ImageMagick.

const form = join(import.meta.dir, "../fixtures/apps/form-gtk3.py");
let scene: Scene;
let guarded: GuardedScene;
let folder: string;
let opened: ChildProcess;
let terminal: TerminalSession | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-demo-pictures-"));
  scene = await openScene();
  guarded = guardScene(scene, { sensitive: "allow", actionsPerMinute: 0, hotkey: false });
  opened = await scene.start(["/usr/bin/python3", form, join(folder, "form.json"), "Form"], "Form");
  await scene.settle();
  // A password that can be seen in pixels.
  const told = askForElements(scene, opened.pid);
  work(scene, [...pointAt(find(told, "password text", 0)), "click", 1], ["type", "--delay", "20", "Hunter2!swordfish"]);
});
afterEach(async () => {
  await terminal?.leave();
  guarded.resume();
  scene.deskmap("record", "stop", "--discard");
});
afterAll(async () => {
  opened.kill();
  scene.deskmap("serve", "stop");
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Recorded {
  readonly file: string;
  readonly steps: readonly {
    readonly tool: string;
    readonly picture?: { readonly file: string; readonly bbox: readonly [number, number, number, number] };
    readonly ref?: { readonly name?: string; readonly bbox?: readonly number[] };
  }[];
}

function readDemo(name: string): Recorded {
  const file = join(scene.sandbox.env.XDG_DATA_HOME ?? "", "deskmap/demos", `${name}.demo.json`);
  return { file, ...JSON.parse(readFileSync(file, "utf8")) };
}

const picturesOf = ({ file }: Recorded): string => file.replace(".demo.json", ".pictures");

/** How many colours the picture of a step has in a part of the screen. */
function countColours(demo: Recorded, step: Recorded["steps"][number], extents: readonly number[]): number {
  const [x = 0, y = 0, width = 0, height = 0] = extents;
  const { file = "", bbox: [left, top] = [0, 0] } = step.picture ?? {};
  const crop = `${width}x${height}+${x - left}+${y - top}`;
  const made = Bun.spawnSync([
    "convert",
    join(picturesOf(demo), file),
    "-crop",
    crop,
    "+repage",
    "-depth",
    "8",
    "ppm:-",
  ]);
  const { rgb } = parsePpm(Buffer.from(made.stdout));
  const colours = new Set<string>();
  for (let at = 0; at + 2 < rgb.length; at += 3) colours.add(rgb.toString("hex", at, at + 3));
  return colours.size;
}

/** Every step has its control in its picture, and none has the password. */
function checkPictures(demo: Recorded, least: number): void {
  const [x = 0, y = 0, width = 0, height = 0] = find(askForElements(scene, opened.pid), "password text", 0).extents;
  const inner = [x + 3, y + 3, width - 6, height - 6];
  expect(statSync(picturesOf(demo)).mode & 0o777).toBe(0o700);
  const placed = demo.steps.filter(({ ref, picture }) => ref?.bbox !== undefined && picture !== undefined);
  expect(placed.length).toBeGreaterThanOrEqual(least);
  for (const step of placed) {
    const { file = "", bbox = [0, 0, 0, 0] } = step.picture ?? {};
    expect(file).toMatch(/^\d{4}\.png$/);
    expect(statSync(join(picturesOf(demo), file)).mode & 0o777).toBe(0o600);
    const [left = 0, top = 0, right = 0, bottom = 0] = step.ref?.bbox ?? [];
    expect([left >= bbox[0], top >= bbox[1], right <= bbox[2], bottom <= bbox[3]]).toEqual([true, true, true, true]);
    expect(countColours(demo, step, inner), `${step.tool} ${file}`).toBe(1);
    const { elements } = JSON.parse(readFileSync(join(picturesOf(demo), file.replace(".png", ".json")), "utf8"));
    expect(elements).toContainEqual({ role: "button", name: "Save", bbox: expect.any(Array) });
    expect(
      countColours(demo, step, elements.find(({ name }: { name: string }) => name === "Save").bbox.map(toSize)),
    ).toBeGreaterThan(3);
  }
}

const toSize = (value: number, at: number, box: number[]): number => (at < 2 ? value : value - (box[at - 2] ?? 0));

test("an agent's steps have pictures without the password; rename and delete take them along", () => {
  const run = (...args: string[]) => scene.deskmap(...args).status;
  expect(run("record", "start", "agent", "--agent")).toBe(0);
  expect(run("set-value", "Ada", "--on", "Name", "--app", "form-gtk3")).toBe(0);
  expect(run("check", "Agree", "--app", "form-gtk3")).toBe(0);
  expect(run("record", "stop")).toBe(0);
  const demo = readDemo("agent");
  checkPictures(demo, 2);
  const page = scene.deskmap("demo", "show", "agent", "--format", "html").stdout;
  expect(page.match(/<img src="data:image\/png;base64,/g)?.length).toBe(demo.steps.length);
  expect(scene.deskmap("demo", "show", "agent", "--format", "html", "--no-pictures").stdout).not.toContain("<img");
  expect(run("demo", "rename", "agent", "renamed")).toBe(0);
  expect([existsSync(picturesOf(demo)), readdirSync(picturesOf(readDemo("renamed"))).length]).toEqual([false, 4]);
  const renamed = picturesOf(readDemo("renamed"));
  expect(run("demo", "delete", "renamed")).toBe(0);
  expect(existsSync(renamed)).toBe(false);
});

test("without pictures, none are taken", () => {
  const run = (...args: string[]) => scene.deskmap(...args).status;
  expect(run("record", "start", "plain", "--agent", "--no-pictures")).toBe(0);
  expect(run("uncheck", "Agree", "--app", "form-gtk3")).toBe(0);
  expect(run("record", "stop")).toBe(0);
  const demo = readDemo("plain");
  expect(demo.steps.map(({ picture }) => picture)).toEqual([undefined]);
  expect(existsSync(picturesOf(demo))).toBe(false);
});

test("a person's steps have pictures from the press, without the password", async () => {
  const begun = startAtTerminal([launcher, "record", "start", "person"], scene.sandbox.env);
  terminal = begun;
  await begun.see("work as usual");
  const told = askForElements(scene, opened.pid);
  work(
    scene,
    [...pointAt(find(told, "check box", "Agree")), "click", 1],
    [...pointAt(find(told, "text", 0)), "click", 1],
    ["type", "--delay", "60", "Grace"],
    [...pointAt(find(told, "radio button", "Large")), "click", 1],
  );
  await begun.see('"Large"');
  begun.type("\u0003");
  await begun.see("person.demo.json");
  const demo = readDemo("person");
  // On a busy machine one may still be taken when the next step begins, which then has none.
  checkPictures(demo, 1);
  const used = demo.steps.flatMap(({ picture }) => picture?.file ?? []);
  const files = readdirSync(picturesOf(demo)).filter((name) => name.endsWith(".png"));
  expect(files.toSorted()).toEqual(used);
});
