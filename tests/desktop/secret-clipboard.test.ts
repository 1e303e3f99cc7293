import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { card, findPlanted, secret } from "./planted.ts";
import { permissive, setPolicy, tryCommand } from "./policy.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

const fixture = join(import.meta.dir, "../fixtures/apps/copied-qt5.py");
let scene: Scene;
let owner: ChildProcess | undefined;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.close());

/** A new application copies a text; xclip sees it. */
async function copy(text: string, ...hint: string[]): Promise<void> {
  owner?.kill();
  owner = scene.sandbox.spawn(["/usr/bin/python3", fixture, text, ...hint], { stdio: "ignore" });
  await waitFor("xclip to see it", () => {
    return scene.run("timeout", "2", "xclip", "-o", "-selection", "clipboard").stdout === text;
  });
}

describe("the clipboard", () => {
  test("is not read while its owner says that it is secret", async () => {
    await copy(secret, "secret");
    const { status, stdout, stderr } = scene.deskmap("clipboard", "read");
    expect([status, stdout]).toEqual([3, ""]);
    expect(stderr).toContain('"reason":"secret"');
    expect(findPlanted(stderr)).toEqual([]);
  });

  test("is read when its owner says that it is not", async () => {
    await copy("an ordinary text", "public");
    expect(JSON.parse(scene.deskmap("clipboard", "read").stdout)).toMatchObject({ text: "an ordinary text" });
  });

  test("is read without card numbers, whatever program copied them", async () => {
    await copy(`pay with ${card} today`);
    for (const format of ["json", "text", "csv"]) {
      const { stdout } = scene.deskmap("clipboard", "read", "--format", format);
      expect(stdout).toContain("pay with [card number] today");
      expect(findPlanted(stdout)).toEqual([]);
    }
  });

  test("accepts a card number unchanged, and reveals none of it", () => {
    const { status, stdout } = scene.deskmap("clipboard", "write", `pay with ${card}`);
    expect(status).toBe(0);
    expect(findPlanted(stdout)).toEqual([]);
    expect(scene.run("timeout", "2", "xclip", "-o", "-selection", "clipboard").stdout).toBe(`pay with ${card}`);
  });

  test("is not read if a window of its owner has the class of a blind application", async () => {
    await copy("an ordinary text");
    expect(scene.deskmap("clipboard", "read").status).toBe(0);
    setPolicy(scene, permissive);
    expect(scene.deskmap("clipboard", "read").status).toBe(0);
    const [id = ""] = scene.run("xdotool", "search", "--name", "^Copied$").stdout.trim().split("\n");
    for (const [classes, unmapped] of [
      [["--class", "keepassxc"], false],
      [["--classname", "keepassxc", "--class", "python3"], true],
    ] as const) {
      scene.run("xdotool", "set_window", ...classes, id);
      // Closed to the tray, it is in no window list.
      if (unmapped) scene.run("xdotool", "windowunmap", "--sync", id);
      expect(tryCommand(scene, "clipboard", "read")).toMatchObject({ status: 3, reason: "blind" });
    }
  });
});
