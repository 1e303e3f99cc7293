import { afterEach, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openScene, type Scene } from "./scene.ts";

const launcher = join(import.meta.dir, "../../deskmap");
let scene: Scene | undefined;
const home = mkdtempSync(join(tmpdir(), "deskmap-tour-"));
afterEach(async () => {
  await scene?.close();
  rmSync(home, { recursive: true, force: true });
});

test("the tour without a desktop shows a private one with real applications, ends by itself and leaves nothing behind", () => {
  const runtime = join(home, "run");
  const { status, stdout, stderr } = spawnSync(launcher, ["tour"], {
    env: { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: runtime, TMPDIR: home },
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(stdout).toContain('# Mousepad "Untitled 1 - Mousepad"');
  expect(stdout).toMatch(/^\d+ btn "7"$/m);
  expect(stdout).toMatch(/^confirmed {2}click \d+ btn "7"/m);
  expect(stdout).toMatch(/^confirmed {2}type \d+ input/m);
  expect(stdout).toContain("Try next:");
  expect(readdirSync(home).filter((name) => name.startsWith("deskmap-box"))).toEqual([]);
});

test("the tour on a running desktop reads that desktop", async () => {
  scene = await openScene();
  await scene.start(["zenity", "--question", "--text=Is this yours?"], "Question");
  await scene.settle();
  const { status, stdout } = scene.deskmap("tour");
  expect(status).toBe(0);
  expect(stdout).toStartWith("This desktop, as Deskmap reads it:");
  expect(stdout).toMatch(/^\d+ btn "Yes"/m);
});
