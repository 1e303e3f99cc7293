import { describe, expect, test } from "bun:test";
import { type Copied, writeCommand, writeMarkLine, writeMcpCall, writeWordsLine } from "../../src/inspector/copies.ts";
import type { ElementNow } from "../../src/inspector/element.ts";
import { listSteps, listTrials } from "../../src/inspector/trials.ts";
import { toolEntries } from "../../src/tools/index.ts";
import { readWords, splitWords } from "../../src/tools/steps.ts";

const now: ElementNow = {
  space: "screen-physical",
  app: "Mousepad",
  pid: 7,
  window: "notes",
  windowId: 3,
  role: "input",
  platformRole: "text",
  name: 'Na"me',
  ownName: 'Na"me',
  description: "",
  value: "",
  states: ["focusable"],
  patterns: ["value", "text", "scroll", "expand-collapse"],
  actions: [],
  platformActions: ["activate it"],
  shortcut: "",
  platformId: "",
  url: "",
  inside: [],
};

function copy(key: string, text = "", more: { readonly twins?: number; readonly now?: ElementNow } = {}): Copied {
  const trial = listTrials(now).find((one) => one.key === key);
  if (trial === undefined) throw new Error(`nothing to try is called ${key}`);
  const ref: Copied["detail"]["memory"]["ref"] = {
    app: "mousepad",
    windows: [],
    role: "input",
    name: 'Na"me',
    platformId: "",
    path: [],
    index: 0,
    count: 1,
    owner: "",
    sisters: ["", ""],
    twins: more.twins ?? 0,
    hasTwin: false,
    bounds: undefined,
    space: "window-physical",
  };
  const memory = {
    app: "mousepad",
    window: "notes",
    taught: "",
    confidence: 0.95,
    source: "a11y" as const,
    firstSeen: "",
    lastSeen: "",
    hits: 0,
    misses: 0,
    same: 0,
    moved: 0,
    missing: 0,
    layoutVersion: 1,
    why: [],
    history: [],
    ref,
  };
  return { detail: { mark: 12, now: more.now ?? now, memory }, trial, text };
}

describe("a copied snippet", () => {
  test("as a command is one shell line, whatever the text is", () => {
    expect(writeCommand(copy("expand"))).toBe("deskmap expand --id 12");
    expect(writeCommand(copy("set", "it's; rm -rf $HOME"))).toBe(`deskmap set-value --id 12 'it'\\''s; rm -rf $HOME'`);
    expect(writeCommand(copy("set", "-5"))).toBe("deskmap set-value --id 12 -- '-5'");
    expect(writeCommand(copy("scroll-up"))).toBe("deskmap scroll --id 12 --direction up");
    expect(writeCommand(copy("action activate it"))).toBe("deskmap action --id 12 'activate it'");
    expect(writeCommand(copy("look"))).toBe("deskmap element 12");
  });

  test("as an MCP call is JSON with a tool's name and its arguments", () => {
    expect(JSON.parse(writeMcpCall(copy("set", "Ada")))).toEqual({
      name: "set_value",
      arguments: { id: 12, text: "Ada" },
    });
    expect(JSON.parse(writeMcpCall(copy("scroll-down"))).arguments).toEqual({ id: 12, direction: "down" });
    expect(JSON.parse(writeMcpCall(copy("action activate it"))).arguments).toEqual({ id: 12, name: "activate it" });
  });

  test("as code names the control by words, and by its mark", () => {
    expect(writeWordsLine(copy("set", 'a "b"'))).toBe('await desk.app("Mousepad").input("Na\\"me").fill("a \\"b\\"");');
    expect(writeMarkLine(copy("set", "x"))).toBe('await desk.mark(12).fill("x");');
    expect(writeMarkLine(copy("action activate it"))).toBe(
      'await desk.call("action", {"id":12,"name":"activate it"});',
    );
    const cell: ElementNow = { ...now, role: "cell" };
    expect(writeWordsLine(copy("expand", "", { now: cell }))).toBe(
      'await desk.app("Mousepad").control("Na\\"me", "cell").expand();',
    );
  });

  test("has no code by words if another control has the same, or it has no name", () => {
    expect(writeWordsLine(copy("expand", "", { twins: 1 }))).toBeUndefined();
    expect(writeWordsLine(copy("expand", "", { now: { ...now, name: "" } }))).toBeUndefined();
  });

  test("is accepted by the tools: every command and every call matches its tool's schema", async () => {
    for (const { key, tool: name } of listTrials(now)) {
      const copied = copy(key, "7");
      const tool = await toolEntries.find((one) => one.name === copied.trial.tool)?.load();
      if (tool === undefined) throw new Error(`no tool ${name}`);
      const given = JSON.parse(writeMcpCall(copied)).arguments;
      expect(tool.input.safeParse(given).success).toBe(true);
      const words = splitWords(writeCommand(copied));
      const input = words.ok ? readWords(tool, words.value.slice(2)) : words;
      expect(input.ok && tool.input.safeParse(input.value).success).toBe(true);
    }
  });
});

test("every pattern has something to try, in order, and everything can be inspected", () => {
  const patterns = ["invoke", "toggle", "expand-collapse", "value", "range-value", "selection-item", "scroll", "text"];
  const all = listTrials({ ...now, patterns: patterns.flatMap((one) => now.patterns.filter((own) => own === one)) });
  expect(all.map(({ key }) => key)).toEqual([
    "expand",
    "collapse",
    "set",
    "scroll-down",
    "scroll-up",
    "text",
    "focus",
    "action activate it",
    "look",
  ]);
  expect(listTrials({ patterns: [], platformActions: [], states: [] }).map(({ key }) => key)).toEqual(["look"]);
});

test("a number steps up and down in its last digit; each step shows its result", () => {
  const actions = ["increment", "decrement", "set"];
  expect(listSteps({ actions, value: "0.25" }).map(({ sets }) => sets)).toEqual(["0.26", "0.24"]);
  expect(listSteps({ actions, value: "7" }).map(({ label }) => label)).toEqual(["Increment to 8", "Decrement to 6"]);
  expect(listSteps({ actions, value: "seven" })).toEqual([]);
  expect(listSteps({ actions: ["set"], value: "7" })).toEqual([]);
});
