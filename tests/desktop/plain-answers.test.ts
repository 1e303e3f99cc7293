import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openScene, type Scene, waitFor } from "./scene.ts";

const fixture = join(import.meta.dir, "../fixtures/apps/long-table-gtk3.py");
let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

test("scrolling to a row of a table leaves the selection as it is", async () => {
  const state = join(scene.sandbox.env.HOME ?? "", "state");
  await scene.start(["/usr/bin/python3", fixture, state, "Long table"], "Long table");
  await scene.settle();
  const found = JSON.parse(scene.deskmap("find", "Entry 60", "--window", "Long table", "--all").stdout);
  const mark = String(found.matches[0].i);
  const before = readFileSync(state, "utf8");
  expect(JSON.parse(scene.deskmap("scroll", "--to-id", mark).stdout)).toMatchObject({ effect: "confirmed" });
  const shown = scene.deskmap("read", "--window", "Long table").stdout;
  expect([shown.includes('"Entry 60"'), shown.includes('"Entry 0"')]).toEqual([true, false]);
  await scene.settle();
  expect(readFileSync(state, "utf8")).toBe(before);
});

test("a question that a program asks when its window is raised is named", async () => {
  const file = join(scene.sandbox.env.HOME ?? "", "notes.txt");
  writeFileSync(file, "first\n");
  await scene.start(["mousepad", file], "notes.txt");
  await scene.settle();
  await scene.start(["xmessage", "-geometry", "200x100+1000+600", "Other"], "xmessage");
  scene.run("xdotool", "search", "--sync", "--name", "xmessage", "windowactivate", "--sync");
  await scene.settle();
  appendFileSync(file, "second\n");
  utimesSync(file, new Date(), new Date(Date.now() + 5000));
  // The question may come after the first key; the first refusal names it, also while it takes the keyboard.
  let refusal = "";
  await waitFor("a refusal", () => {
    refusal = scene.deskmap("type", "x", "--window", "notes.txt", "--format", "json").stderr;
    return refusal !== "";
  });
  expect(JSON.parse(refusal).error.message).toContain("Externally Modified");
  expect(readFileSync(file, "utf8")).toBe("first\nsecond\n");
});
