import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openScene, type Scene, waitFor } from "./scene.ts";

// An action that opens a dialog by gtk_dialog_run runs until it is closed. Keys in such a dialog froze the application
// once the connection of the action had ended (docs/decisions.md). Each command here is a process of its own.

const fixture = join(import.meta.dir, "../fixtures/apps/dialog-run.py");

let scene: Scene;
let home: string;
beforeAll(async () => {
  scene = await openScene();
  home = scene.sandbox.env.HOME ?? "";
  await scene.start(["mousepad"], "Mousepad");
  await scene.start(["/usr/bin/python3", fixture, join(home, "answers")], "Asks");
  await scene.settle();
});
afterAll(() => scene.close());

function run(...args: string[]): Record<string, unknown> {
  const { stdout, stderr } = scene.deskmap(...args);
  return JSON.parse(stdout === "" ? stderr : stdout);
}

const readAnswers = (): string =>
  existsSync(join(home, "answers")) ? readFileSync(join(home, "answers"), "utf8") : "";

test("keys in a file dialog that an entry of a closed menu opened save the file", async () => {
  const file = join(home, "saved.txt");
  expect(run("click", "Save As...", "--role", "menuitem", "--app", "mousepad")).toMatchObject({
    effect: "confirmed",
    way: "action press",
  });
  expect(run("type", file, "--window", "Save As")).toMatchObject({ effect: "confirmed" });
  run("type", "--key", "Return", "--window", "Save As");
  await waitFor("the file", () => existsSync(file));
  expect(run("read", "--app", "mousepad")).toMatchObject({ window: expect.stringContaining("saved.txt") });
});

test("keys in a dialog that a button opened answer it, each time, from several processes and from one", async () => {
  const press = (): unknown => run("click", "Ask", "--app", "dialog-run.py");
  expect(press()).toMatchObject({ effect: "confirmed", way: "action press" });
  run("type", "--key", "Escape", "--window", "Question");
  await waitFor("the first answer", () => readAnswers() === "(cancelled)\n");
  expect(press()).toMatchObject({ effect: "confirmed" });
  run("type", "yes", "--window", "Question");
  run("type", "--key", "Return", "--window", "Question");
  await waitFor("the second answer", () => readAnswers() === "(cancelled)\nyes\n");
  const steps = "click Ask --window Asks\ntype no --window Question\ntype --key Return --window Question";
  run("do", "--steps", steps);
  await waitFor("the third answer", () => readAnswers() === "(cancelled)\nyes\nno\n");
});
