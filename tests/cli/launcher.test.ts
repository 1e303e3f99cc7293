import { afterAll, expect, test } from "bun:test";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const launcher = join(import.meta.dir, "../../deskmap");
const folder = mkdtempSync(join(tmpdir(), "deskmap-launcher-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a program that still runs is kept when a newer one is compiled, and one that does not is not", async () => {
  const tree = join(folder, "tree");
  const cache = join(tree, "node_modules/.cache/deskmap");
  mkdirSync(join(tree, "src/cli"), { recursive: true });
  mkdirSync(cache, { recursive: true });
  cpSync(launcher, join(tree, "deskmap"));
  symlinkSync(join(import.meta.dir, "../../node_modules/bun"), join(tree, "node_modules/bun"));
  for (const [name, text] of Object.entries({
    "package-lock.json": "{}",
    "node_modules/.cache/deskmap/deskmap.ended": "",
    "src/cli/main.ts": 'console.log("runs"); if (process.argv[2] === "stay") setInterval(() => {}, 1000);',
  })) {
    writeFileSync(join(tree, name), text);
  }
  const staying = spawn(join(tree, "deskmap"), ["stay"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    await once(staying.stdout, "data");
    const running = readlinkSync(`/proc/${staying.pid}/exe`);
    const longAgo = new Date(Date.now() - 7_200_000);
    for (const path of [running, join(cache, "deskmap.ended"), join(cache, "stamp")])
      utimesSync(path, longAgo, longAgo);
    expect(spawnSync(join(tree, "deskmap"), [], { encoding: "utf8" }).stdout).toBe("runs\n");
    const left = readdirSync(cache).filter((name) => name.startsWith("deskmap."));
    expect(left).toHaveLength(2);
    expect(left).toContain(basename(running));
  } finally {
    staying.kill("SIGKILL");
  }
});

test("what lies in the folder where a command is called is neither run nor taken as its environment", () => {
  writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./preload.ts"]\n');
  writeFileSync(join(folder, "preload.ts"), 'console.log("run by a folder");\n');
  writeFileSync(join(folder, ".env"), "DESKMAP_READ_ONLY=1\n");
  const { stdout, stderr } = spawnSync(launcher, ["--help"], { cwd: folder, encoding: "utf8" });
  expect(stdout).toStartWith("Usage: deskmap ");
  expect(stdout).toContain("\n  click ");
  expect(stderr).toBe("");
});
