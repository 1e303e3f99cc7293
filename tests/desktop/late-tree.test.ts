import { expect, test } from "bun:test";
import { join } from "node:path";
import { openScene } from "./scene.ts";

// A program that has just been started may show its window before it is known to accessibility. Its picture would give
// its controls other marks than its tree.

const program = join(import.meta.dir, "../fixtures/apps/late-gtk3.py");

test.each([["--no-daemon"], ["--daemon"]])("a window is read when its application has registered, %s", async (how) => {
  const scene = await openScene();
  try {
    if (how === "--daemon") expect(scene.deskmap("serve", "--detach").status).toBe(0);
    await scene.start(["env", "NO_AT_BRIDGE=1", "/usr/bin/python3", program], "Late");
    const options = how === "--daemon" ? [] : [how];
    const { stdout } = scene.deskmap("read", "--window", "Late", "--format", "text", ...options);
    expect(stdout).toContain('btn "Here"');
    expect(stdout).not.toMatch(/ocr|NO_TREE/);
  } finally {
    scene.deskmap("serve", "stop");
    await scene.close();
  }
});
