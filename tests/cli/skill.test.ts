import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { encode } from "gpt-tokenizer";
import { listOptions } from "../../src/tools/define.ts";
import { loadTools } from "../../src/tools/index.ts";

const skill = readFileSync(join(import.meta.dir, "../../skills/deskmap/SKILL.md"), "utf8");
const [, head = "", body = ""] = skill.split(/^---$/m);

/** Every deskmap call in the text, split into words. */
const calls = [...body.matchAll(/(?:^|`|\| )deskmap ([a-z][a-z-]+)([^`\n#]*)/gm)].map(([, name = "", rest = ""]) => ({
  name,
  flags: [...rest.matchAll(/--[a-z][a-z-]*/g)].map(([flag]) => flag),
}));

const commonFlags = ["--", "--file", "--format", "--pretty", "--timeout-ms", "--no-daemon"];
/** Commands that are not tools, with the options that the text uses. */
const personal: Readonly<Record<string, readonly string[]>> = {
  approve: [],
  serve: ["--detach"],
  sandbox: ["--detach", "--name", "--"],
};

describe("the skill", () => {
  test("has a name and says when to use it", () => {
    expect(head).toMatch(/^name: deskmap$/m);
    const description = head.match(/^description: (.+)$/m)?.[1] ?? "";
    expect(description.length).toBeGreaterThan(100);
    expect(description.length).toBeLessThan(1024);
  });

  test("mentions only existing commands and options", async () => {
    const tools = new Map((await loadTools()).map((tool) => [tool.name, tool]));
    expect(calls.length).toBeGreaterThan(20);
    for (const { name, flags } of calls) {
      const tool = tools.get(name);
      const known = personal[name] ?? [
        ...commonFlags,
        ...(tool === undefined ? [] : listOptions(tool).map(({ flag }) => flag)),
      ];
      expect({ name, isKnown: tool !== undefined || name in personal }).toEqual({ name, isKnown: true });
      expect({ name, unknown: flags.filter((flag) => !known.includes(flag)) }).toEqual({ name, unknown: [] });
    }
  });

  test("costs an agent less than 1,500 tokens", () => {
    expect(encode(skill).length).toBeLessThan(1500);
  });
});
