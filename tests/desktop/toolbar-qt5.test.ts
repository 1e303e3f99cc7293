import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openScene, type Scene, waitFor } from "./scene.ts";

const fixture = join(import.meta.dir, "../fixtures/apps/toolbar-qt5.py");
let scene: Scene;

beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.close());

test("a button of a Qt toolbar that can be on or off is pressed, not only switched", async () => {
  const file = join(scene.sandbox.env.HOME ?? "", "presses.txt");
  await scene.start(["/usr/bin/python3", fixture, file], "Toolbar");
  await scene.settle();
  const presses = (): string => (existsSync(file) ? readFileSync(file, "utf8") : "");
  for (const [verb, told] of [
    ["click", "True\n"],
    ["uncheck", "True\nFalse\n"],
    ["toggle", "True\nFalse\nTrue\n"],
  ] as const) {
    const { status, stdout } = scene.deskmap(verb, "Details", "--window", "Toolbar");
    expect([status, JSON.parse(stdout).effect]).toEqual([0, "confirmed"]);
    await waitFor("the press", () => presses() === told);
  }
});
