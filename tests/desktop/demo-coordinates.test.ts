import { afterAll, beforeAll, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askForElements, find } from "./listening.ts";
import { openScene, type Scene } from "./scene.ts";

// Icons that no tree tells are pressed by their coordinates, only where they are seen. The application writes what it got.

const app = join(import.meta.dir, "../fixtures/apps/drawn-gtk3.py");
let scene: Scene;
let folder: string;
let file: string;
let drawn: ChildProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-coordinates-"));
  file = join(folder, "pressed.txt");
  scene = await openScene();
  await start();
});
afterAll(async () => {
  drawn.kill();
  scene.deskmap("serve", "stop");
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  rmSync(file, { force: true });
  drawn = await scene.start(["/usr/bin/python3", app, file], "Drawn");
  await scene.settle();
}

async function restart(): Promise<void> {
  drawn.kill();
  if (drawn.exitCode === null && drawn.signalCode === null) await once(drawn, "exit");
  await start();
}

const pressed = (): string[] => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);

interface Step {
  ref?: { name?: string; role?: string; source?: string; confidence?: number; bbox?: readonly number[] };
  evidence?: unknown;
  effect?: { verdict: string; way: string };
  point?: readonly number[];
  picture?: unknown;
}

/** Records a click of an agent, and leaves only its coordinates and its picture in the demo. */
function record(name: string, ...aim: readonly string[]): string {
  expect(scene.deskmap("record", "start", name, "--agent").status).toBe(0);
  scene.deskmap("click", ...aim);
  expect(scene.deskmap("record", "stop").status).toBe(0);
  const path = join(scene.sandbox.env.XDG_DATA_HOME ?? "", "deskmap/demos", `${name}.demo.json`);
  const demo: { steps: Step[] } = JSON.parse(readFileSync(path, "utf8"));
  const [step] = demo.steps;
  if (step === undefined) throw new Error("nothing was recorded");
  expect(step.picture).toBeDefined();
  delete step.ref;
  delete step.evidence;
  step.effect = { verdict: "unverified", way: "pointer" };
  writeFileSync(path, JSON.stringify(demo));
  return path;
}

const readStep = (path: string): Step => JSON.parse(readFileSync(path, "utf8")).steps[0];

/** The middle of the second icon. */
function findBravo(): string {
  const [x = 0, y = 0] = find(askForElements(scene, drawn.pid), "drawing area", 1).extents;
  return `${x + 130 + 65},${y + 20 + 24}`;
}

test("a point is pressed where it looks as recorded, and not where it does not", async () => {
  record("bravo", "--at", findBravo(), "--app", "drawn");
  expect(pressed()).toEqual(["Bravo"]);
  await restart();
  expect(scene.deskmap("replay", "bravo", "--timeout", "2000").status).toBe(1);
  expect(pressed()).toEqual([]);
  const done = scene.deskmap("replay", "bravo", "--allow-coordinates");
  expect([done.status, pressed()], done.stdout + done.stderr).toEqual([0, ["Bravo"]]);
  // Without its icons, the canvas is another one: the same window, the same place.
  await restart();
  expect(scene.deskmap("click", "Clear", "--app", "drawn").status).toBe(0);
  scene.run("wmctrl", "-r", "Cleared", "-N", "Drawn");
  const report = join(folder, "report.html");
  const words = ["--allow-coordinates", "--timeout", "1000", "--report", "html", report];
  const stopped = scene.deskmap("replay", "bravo", ...words);
  expect([stopped.status, pressed()]).toEqual([1, []]);
  expect(stopped.stdout).toContain("does not look as it did when it was recorded");
  expect(readFileSync(report, "utf8").match(/<img src="data:image\/png/g)?.length).toBe(2);
  await restart();
});

test("annotate takes a control from the application, or reads it in the picture", async () => {
  const path = record("clear", "Clear", "--app", "drawn");
  await restart();
  const live = scene.deskmap("demo", "annotate", "clear", "--format", "json");
  expect(JSON.parse(live.stdout), live.stderr).toMatchObject({
    added: 1,
    steps: [{ by: "accessibility", confidence: 1 }],
  });
  const [x = 0, y = 0, width = 0, height = 0] = find(askForElements(scene, drawn.pid), "push button", "Clear").extents;
  expect(readStep(path).ref).toMatchObject({ role: "button", name: "Clear", bbox: [x, y, x + width, y + height] });
  // It has a ref now, which stays.
  const before = readFileSync(path, "utf8");
  expect(scene.deskmap("demo", "annotate", "clear", "--format", "text").stdout).toContain(
    "no step has coordinates only",
  );
  expect(readFileSync(path, "utf8")).toBe(before);

  const seen = record("read", "Clear", "--app", "drawn");
  drawn.kill();
  await once(drawn, "exit");
  const read = scene.deskmap("demo", "annotate", "read", "--format", "json");
  expect(JSON.parse(read.stdout), read.stderr).toMatchObject({ added: 1, steps: [{ by: "vision" }] });
  expect(readStep(seen).ref).toMatchObject({ name: "Clear", confidence: expect.any(Number) });
  const none = scene.deskmap("demo", "annotate", "bravo", "--no-vision", "--format", "json").stdout;
  expect(JSON.parse(none)).toMatchObject({
    added: 0,
    steps: [{ step: 1, why: expect.stringContaining("no text recognition") }],
  });
  await start();
});
