import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { topics } from "../../src/cli/help/topics.ts";

const launcher = join(import.meta.dir, "../../deskmap");
const run = (...args: string[]) => spawnSync(launcher, args, { encoding: "utf8" });

describe("the general help", () => {
  const lines = run("--help").stdout.split("\n");

  test("lists every command below what it is for, on one line each", () => {
    const listed = lines.slice(lines.indexOf("Look:"), lines.indexOf("Examples:"));
    const expected = topics.flatMap(([heading, names]) => [`${heading}:`, ...names, ""]);
    expect(listed.map((line) => line.trim().split(/\s+/)[0] ?? "").join(" ")).toBe(
      expected.map((line) => line.split(" ")[0] ?? "").join(" "),
    );
  });

  test("fits on a terminal of 80 columns", () => {
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test("shows six examples, of commands that exist", () => {
    const names = new Set(topics.flatMap(([, commands]) => commands));
    const examples = lines.filter((line) => line.startsWith("  deskmap "));
    expect(examples).toHaveLength(6);
    expect(examples.filter((line) => !names.has(line.trim().split(" ")[1] ?? ""))).toEqual([]);
  });
});

test("the manual page has the same topics, in the same order", () => {
  const page = run("man").stdout;
  const headings = [...page.matchAll(/^\.SH (.*)$/gm)].map(([, heading]) => heading);
  expect(headings.slice(4, -3)).toEqual(topics.map(([heading]) => heading.toUpperCase()));
  const commands = [...page.matchAll(/^\.SS "deskmap (\S+?)"?(?: \\fI.*)?$/gm)].map(([, name]) =>
    name?.replaceAll("\\", ""),
  );
  expect([...new Set(commands)].filter((name) => name !== undefined)).toEqual(
    topics.flatMap(([, names]) => names).filter((name) => name !== "help"),
  );
});

test("a command's own help is found both ways", () => {
  expect(run("help", "click").stdout).toBe(run("click", "--help").stdout);
});

test.each(["read", "sandbox", "sandbox list"])("ends quietly when its reader has gone: %s", (words) => {
  const script = 'exec 3> >(true); wait $!; "$@" --help >&3';
  const command = [launcher, ...words.split(" ")];
  const { status, stderr } = spawnSync("bash", ["-c", script, "bash", ...command], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});
