import { afterEach, beforeEach, expect, test } from "bun:test";
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printDemo } from "../../src/demo/file.ts";
import { makeDemo } from "../../src/demo/make.ts";
import { makeField } from "../demo/actions.ts";

// `deskmap demo` and `deskmap replay` as a script runs them, without a desktop.

const launcher = join(import.meta.dir, "../../deskmap");
let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "deskmap-demo-cli-"));
  writeFileSync(join(home, "form.demo.json"), printDemo(makeDemo([makeField("Name", "Ada")], { name: "form" })));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function run(...words: readonly string[]): SpawnSyncReturns<string> {
  const env = { PATH: process.env.PATH ?? "", HOME: home, TMPDIR: tmpdir() };
  return spawnSync("setsid", ["--wait", launcher, ...words], { env, cwd: home, encoding: "utf8", timeout: 30_000 });
}

test("an export replaces a file only by force, and a link itself, not what it leads to", () => {
  const [own, other] = [join(home, "own.json"), join(home, "other.json")];
  writeFileSync(other, "other");
  symlinkSync(other, own);
  const refused = run("demo", "export", "form.demo.json", "own.json");
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("own.json exists")]);
  expect(run("demo", "export", "form.demo.json", "own.json", "--force").status).toBe(0);
  expect([readFileSync(other, "utf8"), readFileSync(own, "utf8")]).toEqual(["other", expect.stringContaining("Name")]);
  expect(run("demo", "export", "form.demo.json", "new.json").status).toBe(0);
});

test("values of parameters are refused with what is wrong about them, before anything is done", () => {
  writeFileSync(join(home, "values.json"), '{\n "nam": "Bob"\n}');
  const messageOf = (...words: readonly string[]) => {
    const { status, stderr } = run("replay", "form.demo.json", ...words);
    return [status, JSON.parse(stderr).error.message];
  };
  const unknown = 'the demo has no parameter called "nam": it has name';
  expect(messageOf("--param", "nam=Bob")).toEqual([2, unknown]);
  expect(messageOf("--param", "name=Bob", "--param", "name=Eve")).toEqual([2, "--param name is given twice"]);
  expect(messageOf("--params", "values.json")).toEqual([2, `values.json: line 2: "nam": ${unknown}`]);
});
