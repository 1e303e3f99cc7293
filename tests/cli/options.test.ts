import { describe, expect, test } from "bun:test";
import { readInput, toKebabCase } from "../../src/tools/arguments.ts";
import { clipboard } from "../../src/tools/clipboard.ts";
import { listOptions } from "../../src/tools/define.ts";
import { loadTools } from "../../src/tools/index.ts";
import { open } from "../../src/tools/open.ts";
import { read } from "../../src/tools/read.ts";
import { screenshot } from "../../src/tools/screenshot.ts";

describe("the options of a command", () => {
  test("come from the tool's schema, in kebab-case and with their types", () => {
    const options = new Map(listOptions(read).map(({ flag, type }) => [flag, type]));
    expect(options.get("--window-id")).toBe("number");
    expect(options.get("--visible-only")).toBe("boolean");
    expect(options.get("--bbox")).toBe("string");
    expect(options.get("--depth")).toBe("number");
    expect(listOptions(screenshot).find(({ field }) => field === "scale")?.type).toBe("decimal");
  });

  test("list their choices", () => {
    expect(listOptions(screenshot).find(({ field }) => field === "format")?.value).toBe("png|jpg");
  });

  test("are described, every one of every tool", async () => {
    for (const tool of await loadTools()) {
      for (const { flag, description } of listOptions(tool)) {
        expect(flag).toMatch(/^--[a-z]+(-[a-z]+)*$/);
        expect(description).not.toBe("");
      }
    }
  });

  test("are named after the fields that they fill", () => {
    expect(toKebabCase("windowId")).toBe("window-id");
    expect(toKebabCase("app")).toBe("app");
  });
});

describe("typed arguments", () => {
  const options = listOptions(read);

  test("become numbers where a number is expected, also from hexadecimal", () => {
    expect(readInput(options, { pid: "42", windowId: "0x1A0000f" })).toEqual({ pid: 42, windowId: 0x1a0000f });
  });

  test("stay as typed if they are not numbers, for the schema to reject", () => {
    for (const text of ["", "abc", "1.5", "1e3", "0xZZ", "12px", "--3", "Infinity", "NaN"]) {
      const input = readInput(options, { pid: text });
      expect(input).toEqual({ pid: text });
      expect(read.input.safeParse(input).success).toBe(false);
    }
  });

  test("become decimal numbers only where such numbers are expected", () => {
    const own = listOptions(screenshot);
    for (const [text, value] of [
      ["0.5", 0.5],
      [".5", 0.5],
      ["1", 1],
      ["1.", 1],
    ] as const) {
      expect(readInput(own, { scale: text })).toEqual({ scale: value });
    }
    for (const text of ["", "half", "1e-1", "0,5", "50%", "0x1", "NaN", "."]) {
      expect(readInput(own, { scale: text })).toEqual({ scale: text });
      expect(screenshot.input.safeParse({ scale: text }).success).toBe(false);
    }
    expect(readInput(own, { quality: "1.5" })).toEqual({ quality: "1.5" });
  });

  test("stay text where text is expected, even if they look like numbers", () => {
    expect(readInput(options, { app: "42", window: "0x10" })).toEqual({ app: "42", window: "0x10" });
  });

  test("stay separate where a list is expected, and are joined where one text is", () => {
    expect(readInput(listOptions(open), {}, ["zenity", ["--info", "a b"]])).toEqual({
      what: "zenity",
      args: ["--info", "a b"],
    });
    expect(readInput(listOptions(open), {}, ["zenity", []])).toEqual({ what: "zenity" });
    expect(readInput(listOptions(clipboard), {}, ["write", ["two", "words"]])).toEqual({
      action: "write",
      text: "two words",
    });
  });

  test("are accepted only if the tool has such an option", () => {
    expect(readInput(options, { format: "json", all: true })).toEqual({ all: true });
  });
});
