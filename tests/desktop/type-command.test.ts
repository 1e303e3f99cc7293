import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Field, openField } from "./input-scene.ts";

const launcher = join(import.meta.dir, "../../deskmap");
let field: Field;
let folder: string;

beforeAll(async () => {
  field = await openField("mousepad");
  folder = join(field.scene.sandbox.env.HOME ?? "", "texts");
  mkdirSync(folder);
});
afterAll(() => field.close());

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function run(input: string, ...args: readonly string[]) {
  return spawnSync(launcher, args, { env: field.scene.sandbox.env, input, encoding: "utf8", maxBuffer: 64 << 20 });
}

describe("a text may come from a file or from standard input", () => {
  test("typed exactly, with all its lines", () => {
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index}: Grüße, мир 🙂\t"quoted" $HOME \`x\``);
    const letter = `${lines.join("\n")}\n`;
    const { status, stdout, stderr } = run("", "type", "--file", write("letter.txt", letter), "--app", "mousepad");
    expect([status, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout).effect).toBe("confirmed");
    expect(field.read()).toBe(letter);
    const more = run("and more\n", "type", "-", "--app", "mousepad");
    expect([more.status, more.stderr]).toEqual([0, ""]);
    expect(field.read()).toBe(`${letter}and more\n`);
  });

  test("set exactly, however long it is", () => {
    const long = Array.from({ length: 20_000 }, (_, index) => `${index} ü日 the rest of a line`).join("\n");
    expect(long.length).toBeGreaterThan(500_000);
    const mark = findArea();
    const { status, stderr } = run(long, "set-value", "-", "--id", mark, "--timeout-ms", "20000");
    expect([status, stderr]).toEqual([0, ""]);
    expect(field.read() === long).toBe(true);
    const short = run("", "set-value", "--file", write("short.txt", "short"), "--id", mark);
    expect([short.status, short.stderr]).toEqual([0, ""]);
    expect(field.read()).toBe("short");
  });

  test.each([
    ["a missing file", () => ["--file", join(folder, "missing.txt")], "missing.txt cannot be read"],
    ["a folder", () => ["--file", folder], "cannot be read"],
    ["what is no text", () => ["--file", write("binary", new Uint8Array([0xff, 0xfe, 0x00]))], "is not UTF-8 text"],
    ["two texts", () => ["words", "--file", write("one.txt", "one")], "given twice"],
  ] as const)("%s is refused, and nothing is typed", (_name, args, message) => {
    const before = field.read();
    const { status, stderr } = run("", "type", ...args(), "--app", "mousepad");
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(field.read()).toBe(before);
  });
});

describe("a key may be pressed several times in one call", () => {
  test("if it moves, undoes or redoes", () => {
    expect(run("", "set-value", "abcdef", "--id", findArea()).status).toBe(0);
    expect(run("", "type", "--key", "ctrl+home", "--app", "mousepad").status).toBe(0);
    const moved = run("", "type", "--key", "right", "--repeat", "4", "--app", "mousepad");
    expect([moved.status, JSON.parse(moved.stdout).effect]).toEqual([0, "confirmed"]);
    expect(run("", "type", "X", "--app", "mousepad").status).toBe(0);
    expect(field.read()).toBe("abcdXef");
  });

  test.each([
    ["enter", "only keys that move, undo or redo are repeated"],
    ["delete", "only keys that move, undo or redo are repeated"],
    ["alt+right", "only keys that move, undo or redo are repeated"],
  ])("but not %s", (key, message) => {
    const before = field.read();
    const { status, stderr } = run("", "type", "--key", key, "--repeat", "2", "--app", "mousepad");
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(field.read()).toBe(before);
  });
});

function findArea(): string {
  const { stdout } = run("", "read", "--app", "mousepad", "--roles", "input", "--format", "json");
  const mark = /"i":(\d+),"r":"input"/.exec(stdout)?.[1];
  if (mark === undefined) throw new Error(`no text area in ${stdout}`);
  return mark;
}
