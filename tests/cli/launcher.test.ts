import { afterAll, expect, test } from "bun:test";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
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

/** A source tree with the launcher, Bun, and a one-line program. */
function plantTree(name: string, main: string): string {
  const tree = join(folder, name);
  mkdirSync(join(tree, "src/cli"), { recursive: true });
  mkdirSync(join(tree, "web"));
  mkdirSync(join(tree, "node_modules/.cache/deskmap"), { recursive: true });
  cpSync(launcher, join(tree, "deskmap"));
  symlinkSync(join(import.meta.dir, "../../node_modules/bun"), join(tree, "node_modules/bun"));
  writeFileSync(join(tree, "package.json"), '{\n  "name": "deskmap",\n  "version": "1.2.3"\n}\n');
  writeFileSync(join(tree, "package-lock.json"), "{}");
  writeFileSync(join(tree, "src/cli/main.ts"), main);
  return tree;
}

function run(program: string, ...args: string[]): string {
  const { stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: "utf8" });
  return stdout + stderr;
}

test("a running program is kept when a newer one is compiled, and an idle one is not", async () => {
  const tree = plantTree("kept", 'console.log("runs"); if (process.argv[2] === "stay") setInterval(() => {}, 1000);');
  const cache = join(tree, "node_modules/.cache/deskmap");
  writeFileSync(join(cache, "deskmap.ended"), "");
  const staying = spawn(join(tree, "deskmap"), ["stay"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    await once(staying.stdout, "data");
    const running = readlinkSync(`/proc/${staying.pid}/exe`);
    const longAgo = new Date(Date.now() - 7_200_000);
    for (const path of [running, join(cache, "deskmap.ended"), join(cache, "stamp")])
      utimesSync(path, longAgo, longAgo);
    expect(run(join(tree, "deskmap"))).toBe("runs\n");
    const left = readdirSync(cache).filter((name) => name.startsWith("deskmap."));
    expect(left).toHaveLength(2);
    expect(left).toContain(basename(running));
  } finally {
    staying.kill("SIGKILL");
  }
});

test("an edited, a new and a removed source file are each noticed by the next command, which compiles once", () => {
  const tree = plantTree("edited", 'import { said } from "../said.ts"; console.log(said);');
  const own = join(tree, "deskmap");
  const say = (text: string) => writeFileSync(join(tree, "src/said.ts"), `export const said = "${text}";\n`);
  const readProgram = () => readFileSync(join(tree, "node_modules/.cache/deskmap/stamp"), "utf8");
  say("one");
  expect(run(own)).toBe("one\n");
  const first = readProgram();
  expect(run(own)).toBe("one\n");
  // Another path to the same tree is the same program.
  symlinkSync(tree, join(folder, "other-name"));
  symlinkSync(own, join(folder, "linked"));
  for (const name of ["edited/deskmap", "other-name/deskmap", "linked"]) expect(run(`./${name}`)).toBe("one\n");
  expect(readProgram()).toBe(first);
  say("two");
  expect(run(own)).toBe("two\n");
  mkdirSync(join(tree, "src/new/deep"), { recursive: true });
  writeFileSync(join(tree, "src/new/deep/er.ts"), 'export const said = "deep";\n');
  writeFileSync(join(tree, "src/cli/main.ts"), 'import { said } from "../new/deep/er.ts"; console.log(said);');
  utimesSync(join(tree, "src/cli/main.ts"), new Date(0), new Date(0));
  expect(run(own)).toBe("deep\n");
  rmSync(join(tree, "src/new"), { recursive: true });
  expect(run(own)).toContain("new/deep/er.ts");
}, 60_000);

test("concurrent commands compile once", async () => {
  const tree = plantTree("crowd", "console.log(process.execPath);");
  const children = [1, 2, 3].map(() => Bun.spawn([join(tree, "deskmap")], { stdout: "pipe" }));
  const programs = new Set(await Promise.all(children.map(({ stdout }) => stdout.text())));
  expect(programs).toEqual(new Set([run(join(tree, "deskmap"))]));
  const cache = join(tree, "node_modules/.cache/deskmap");
  expect(readdirSync(cache).filter((name) => name.startsWith("deskmap."))).toHaveLength(1);
});

test("without write access it still runs", () => {
  const tree = plantTree("closed", "console.log(process.execPath);");
  // Root can write everywhere; a file in place of the folder blocks root too.
  rmSync(join(tree, "node_modules/.cache"), { recursive: true });
  writeFileSync(join(tree, "node_modules/.cache"), "");
  expect(run(join(tree, "deskmap"))).toMatch(/^\/[^\n]*bun\/bin\/bun\.exe\n$/);
});

test("the version is that of package.json, and needs no compilation", () => {
  const tree = plantTree("version", "this does not compile");
  expect(run(join(tree, "deskmap"), "--version")).toBe("1.2.3\n");
  const { version } = JSON.parse(readFileSync(join(import.meta.dir, "../../package.json"), "utf8"));
  expect(run(launcher, "--version")).toBe(`${version}\n`);
});

test("files in the current folder are neither run nor loaded as environment", () => {
  writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./preload.ts"]\n');
  writeFileSync(join(folder, "preload.ts"), 'console.log("run by a folder");\n');
  writeFileSync(join(folder, ".env"), "DESKMAP_READ_ONLY=1\n");
  const { stdout, stderr } = spawnSync(launcher, ["--help"], { cwd: folder, encoding: "utf8" });
  expect(stdout).toStartWith("Usage: deskmap ");
  expect(stdout).toContain("\n  click ");
  expect(stderr).toBe("");
});
