import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { guardScene } from "./guarded-scene.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// The ways to point at a control (tests/tools/pointing.test.ts), on real applications.

let scene: Scene;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-pointing-"));
  scene = await openScene();
  guardScene(scene, { actionsPerMinute: 0, hotkey: false });
});
afterAll(async () => {
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a button is pressed by its role and order, by words and by its point", async () => {
  const state = join(folder, "state.json");
  const counter = join(import.meta.dir, "../fixtures/apps/counter.py");
  await scene.start(["/usr/bin/python3", counter, state, "Counter", "gtk3"], "Counter");
  const countPresses = (): number => JSON.parse(readFileSync(state, "utf8")).presses.length;
  const json = (...args: string[]) => JSON.parse(scene.deskmap(...args, "--app", "counter", "--format", "json").stdout);
  const [count] = json("find", "count").matches;
  const buttons: readonly { readonly i: number }[] = json("find", "--role", "btn", "--max", "50").matches;
  const at = buttons.findIndex(({ i }) => i === count.i);
  const ways = [
    ["--role", "btn", "--nth", String(at + 1)],
    ["--role", "button", "--nth", String(at - buttons.length)],
    ["--on", "count"],
    ["--at", count.p.join(",")],
  ];
  for (const [index, way] of ways.entries()) {
    scene.deskmap("click", ...way, "--app", "counter");
    await waitFor(`a press by ${way.join(" ")}`, () => countPresses() === index + 1);
  }
});

test("a window scrolls where it is largest, if nothing else is named", async () => {
  const file = join(folder, "long.txt");
  writeFileSync(file, Array.from({ length: 400 }, (_, index) => `line ${index}`).join("\n"));
  await scene.start(["mousepad", file], "long.txt");
  expect(scene.deskmap("scroll", "--window", "long.txt", "--amount", "10").status).toBe(0);
  expect(scene.deskmap("scroll", "--window", "long.txt", "--percent", "100").status).toBe(0);
});

test("words mean the entry of a closed menu, not the button of a tool bar that is switched off", async () => {
  const file = join(folder, "long.txt");
  scene.deskmap("type", "changed ", "--role", "input,document", "--nth", "1", "--window", "long.txt");
  const saved = JSON.parse(scene.deskmap("click", "save", "--app", "mousepad", "--format", "json").stdout);
  expect(saved.target).toMatchObject({ r: "menuitem", t: "Save" });
  await waitFor("the saved file", () => readFileSync(file, "utf8").includes("changed"));
  const buttons = scene.deskmap("find", "save", "--role", "btn", "--app", "mousepad", "--format", "json").stdout;
  expect(JSON.parse(buttons).matches[0]).toMatchObject({ r: "btn", t: "Save" });
});

test("a control is found within another", async () => {
  const find = (...args: string[]) =>
    JSON.parse(scene.deskmap("find", ...args, "--app", "mousepad", "--format", "json").stdout).matches;
  const [bar] = find("--role", "menubar");
  const [menu] = find("file", "--within", String(bar.i));
  expect(menu).toMatchObject({ r: "menu", t: "File" });
  const [text] = find("--role", "input,document", "--nth", "1");
  const none = scene.deskmap("find", "file", "--within", String(text.i), "--app", "mousepad");
  expect(none.stderr).toContain("in that part of");
});
