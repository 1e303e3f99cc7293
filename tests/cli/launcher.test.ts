import { afterAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const launcher = join(import.meta.dir, "../../deskmap");
const folder = mkdtempSync(join(tmpdir(), "deskmap-launcher-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("what lies in the folder where a command is called is neither run nor taken as its environment", () => {
  writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./preload.ts"]\n');
  writeFileSync(join(folder, "preload.ts"), 'console.log("run by a folder");\n');
  writeFileSync(join(folder, ".env"), "DESKMAP_READ_ONLY=1\n");
  const { stdout, stderr } = spawnSync(launcher, ["--help"], { cwd: folder, encoding: "utf8" });
  expect(stdout).toStartWith("Usage: deskmap ");
  expect(stdout).toContain("\n  click ");
  expect(stderr).toBe("");
});
