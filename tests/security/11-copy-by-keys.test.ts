import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { permissive, setPolicy, tryCommand } from "../desktop/policy.ts";
import { openScene, type Scene } from "../desktop/scene.ts";

// The letter of an open menu's entry copies as the entry does, and so does every way to press a button. xclip shows what is in the clipboard.

let scene: Scene;
let own: readonly string[];
beforeAll(async () => {
  scene = await openScene();
  setPolicy(scene, permissive);
  const { pid } = await scene.start(["/usr/bin/python3", join(import.meta.dir, "edit-menu.py")], "Vaultlike");
  own = ["--pid", String(pid)];
  await scene.settle();
});
afterAll(() => scene.close());

const readClipboard = () => scene.run("timeout", "2", "xclip", "-o", "-selection", "clipboard").stdout;

test("a shown password is not copied by the letters of a menu", () => {
  expect(tryCommand(scene, "type", "--key", "alt+e", ...own).status).toBe(0);
  for (const letter of [["--key", "c"], ["c"]]) {
    const { status, reason } = tryCommand(scene, "type", ...letter, ...own);
    expect([letter, status, reason]).toEqual([letter, 3, "secret"]);
  }
  expect(readClipboard()).not.toContain("hunter2");
  expect(tryCommand(scene, "type", "--key", "f", ...own).status).not.toBe(3);
});

test("nor by any way to press the button that copies it", () => {
  expect(tryCommand(scene, "focus", "Copy it", ...own).status).toBe(0);
  for (const args of [
    ["type", "--key", "space"],
    ["type", "--key", "enter"],
    ["type", "--text", " "],
    ["type", "--text", "\n"],
    ["click", "Copy it"],
    ["drag", "--from", "Copy it", "--to", "Copy it"],
  ]) {
    const { status, reason } = tryCommand(scene, ...args, ...own);
    expect([args, status, reason]).toEqual([args, 3, "secret"]);
  }
  expect(readClipboard()).not.toContain("hunter2");
});
