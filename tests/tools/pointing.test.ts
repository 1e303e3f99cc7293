import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import type { ControlSketch } from "../../src/platform/fake/sketch.ts";
import type { Tool } from "../../src/tools/define.ts";
import { loadTools } from "../../src/tools/index.ts";
import type { Session } from "../../src/tools/session.ts";
import { makeMapFolder } from "../map/desk.ts";
import { runTool, toJson } from "./run-tool.ts";
import { makeActingSession } from "./session.ts";

// How a control is pointed at, the same in every tool: what would be done, and to which control.

const button = (name: string): ControlSketch => ({ role: "button", name, actions: ["press"] });
const row = (name: string): ControlSketch => ({
  role: "group",
  name,
  children: [{ role: "checkbox", name: "Keep", actions: ["toggle"] }, button("Delete")],
});

const tools = await loadTools();

function choose(name: string): Tool {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}

let folder: ReturnType<typeof makeMapFolder>;
let session: Session;

beforeEach(() => {
  folder = makeMapFolder();
  const children: readonly ControlSketch[] = [
    button("Find"),
    button("find"),
    { role: "input", name: "Find in files", states: ["editable"], actions: ["set"] },
    { role: "list", name: "Results", bounds: { x: 0, y: 100, width: 400, height: 150 } },
    { role: "list", name: "Recent", bounds: { x: 0, y: 250, width: 400, height: 40 } },
    row("first"),
    row("second"),
    row("third"),
    { role: "option", name: "Row 20", states: ["selectable"], actions: ["select"] },
    { role: "option", name: "Row 2", states: ["selectable"], actions: ["select"], hidden: true },
    { role: "spin", name: "Zoom", hidden: true },
  ];
  const bounds = { x: 0, y: 0, width: 400, height: 300 };
  const copies: readonly ControlSketch[] = [
    { ...button("Copy"), states: ["disabled"] },
    { role: "toolbar", name: "Tools", children: [button("Copy")] },
    { role: "menuitem", name: "Copy", actions: ["press"] },
  ];
  const desktop = new FakeDesktop({
    applications: [
      { name: "Editor", windows: [{ title: "notes", bounds, children }] },
      { name: "Copier", windows: [{ title: "copies", bounds: { ...bounds, x: 400 }, children: copies }] },
    ],
  });
  session = makeActingSession(desktop, folder.open());
});
afterEach(() => {
  session.close();
  folder.remove();
});

/** What the tool would do it to, or why it would not. */
async function aim(tool: string, input: Readonly<Record<string, unknown>>): Promise<string> {
  const result = await runTool(choose(tool), { ...input, dryRun: true }, session);
  if (!result.ok) return `${result.failure.code} ${result.failure.message}`;
  return /^would do {2}\S+ (?:\d+ )?(.*) {2}by/.exec(result.value.text())?.[1] ?? "";
}

async function find(
  input: Readonly<Record<string, unknown>>,
): Promise<{ readonly i: number; readonly t?: string; readonly p?: readonly number[] }[]> {
  const result = await runTool(choose("find"), input, session);
  if (!result.ok) throw new Error(result.failure.message);
  return toJson(result.value).matches;
}

describe("a control is pointed at", () => {
  test("by words alone in every tool that takes no other text", () => {
    const takingText = ["set-value", "action", "teach", "annotate"];
    const pointed = tools.filter(({ input }) => "on" in input.shape && "nth" in input.shape);
    expect(pointed.length).toBeGreaterThan(15);
    const wordless = pointed.filter((tool) => tool.words?.[0] !== "words").map(({ name }) => name);
    expect(wordless).toEqual(takingText);
  });

  test("by words in a scroll", async () => {
    expect(await aim("scroll", { words: "results" })).toContain('"Results"');
    expect(await aim("scroll", { words: "results", on: "recent" })).toContain("name a control each");
  });

  test("by words, plain or with --on", async () => {
    for (const input of [{ words: "find in files" }, { on: "find in files" }]) {
      expect(await aim("click", input)).toBe('input "Find in files"');
    }
    expect(await aim("click", { words: "a", on: "b" })).toStartWith("USAGE");
  });

  test("by its role alone, if it is the only one", async () => {
    expect(await aim("click", { role: "input" })).toBe('input "Find in files"');
    expect(await aim("click", { role: "btn" })).toBe("AMBIGUOUS there are 7 such controls");
    expect(await aim("click", { role: "slider" })).toStartWith("NOT_FOUND no slider is in");
  });

  test("by its order among those that fit equally well", async () => {
    const [first, second, third] = await find({ words: "delete" });
    expect(await find({ words: "delete", nth: 2 })).toMatchObject([{ i: second?.i }]);
    expect(await find({ words: "delete", nth: -1 })).toMatchObject([{ i: third?.i }]);
    expect(first?.i).not.toBe(second?.i);
    expect(await aim("click", { words: "delete", nth: 4 })).toBe(
      'NOT_FOUND "delete" fits 3 equally well: there is no --nth 4',
    );
    expect(await aim("click", { words: "delete", nth: 0 })).toBe("USAGE --nth counts from 1");
  });

  test("by its place in the list that a refusal prints, which says what else would tell them apart", async () => {
    const refused = await runTool(choose("click"), { words: "copy", dryRun: true }, session);
    if (refused.ok) throw new Error("it was not refused");
    const { nearest = [], suggestion = "" } = refused.failure;
    expect(nearest.map((line) => line.replaceAll(/\d+ /g, ""))).toEqual([
      'btn "Copy" in Copier (its name)',
      'btn "Copy" in Copier (its name), inside toolbar "Tools"',
      'menuitem "Copy" in Copier (its name)',
    ]);
    for (const [at, line] of nearest.entries()) {
      for (const nth of [at + 1, at - nearest.length]) {
        expect(await find({ words: "copy", nth })).toMatchObject([{ i: Number.parseInt(line, 10) }]);
      }
    }
    const mark = /inside (\d+)/.exec(nearest[1] ?? "")?.[1];
    expect(suggestion).toContain("--nth 1; or by its role: --role btn; or by what it is in: --within");
    expect(suggestion).toContain(`--within ${mark}`);
    expect(await aim("click", { words: "copy", within: Number(mark) })).toBe('btn "Copy"');
    expect(await aim("click", { words: "copy", nth: 3 })).toBe('menuitem "Copy"');
    expect(await aim("click", { words: "delete" })).not.toContain("--role");
  });

  test("by what it is in", async () => {
    const [group] = await find({ words: "second", role: "group" });
    const [, inSecond] = await find({ words: "delete" });
    expect(await find({ words: "delete", within: group?.i })).toMatchObject([{ i: inSecond?.i }]);
    expect(await find({ role: "checkbox", within: group?.i })).toHaveLength(1);
    expect(await aim("check", { words: "keep", within: group?.i })).toBe('chk "Keep"');
    expect(await aim("check", { words: "find", within: group?.i })).toStartWith("NOT_FOUND");
    expect(await aim("check", { words: "keep", within: 9999 })).toStartWith("NOT_FOUND");
    expect(await aim("click", { id: group?.i, within: group?.i })).toStartWith("USAGE");
  });

  test("by a point", async () => {
    for (const input of [{ at: "200,150" }, { x: 200, y: 150 }]) {
      expect(await aim("click", input)).toBe('list "Results"');
    }
    expect(await aim("click", { at: "here" })).toBe('USAGE --at "here" is not a point');
    expect(await aim("toggle", { id: 1, at: "2,2" })).toStartWith("USAGE");
  });

  test("by its whole name, even out of view, rather than by the beginning of another", async () => {
    expect(await aim("select", { words: "row 2" })).toContain('option "Row 2"');
    expect(await aim("select", { words: "row" })).toContain('option "Row 20"');
  });

  test("by a role only if it shows", async () => {
    expect(await aim("click", { role: "spin" })).toStartWith("NOT_FOUND");
  });

  test("by its mark without a role, which would not be checked", async () => {
    expect(await aim("click", { id: 1, role: "checkbox" })).toStartWith("USAGE");
  });

  test("by what the order can be meant for", async () => {
    expect(await aim("set-value", { text: "x", on: "find" })).toBe('input "Find in files"');
    expect(await aim("click", { words: "find" })).toBe('btn "find"');
    expect(await aim("click", { words: "Find" })).toBe('btn "Find"');
    expect(await aim("click", { words: "FIND" })).toStartWith("AMBIGUOUS");
  });
});

test("a scroll without a control goes to the largest part of the window that scrolls", async () => {
  expect(await aim("scroll", { app: "editor" })).toBe('list "Results"');
  expect(await aim("scroll", { direction: "up" })).toBe('list "Results"');
});

test("both ends of a drag are pointed at in the same way", async () => {
  expect(await aim("drag", { fromOn: "find in files", toRole: "list", toNth: 2 })).toStartWith('input "Find in files"');
  const [group] = await find({ words: "second", role: "group" });
  expect(await aim("drag", { from: "keep", fromWithin: group?.i, toAt: "10,10" })).toStartWith('chk "Keep"');
  expect(await aim("drag", { id: group?.i, toAt: "x" })).toBe('USAGE --to-at "x" is not a point');
});

describe("a control is pointed at in the same way where nothing is done to it", () => {
  async function ask(tool: string, input: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
    const result = await runTool(choose(tool), input, session);
    return result.ok ? toJson(result.value) : { failure: `${result.failure.code} ${result.failure.message}` };
  }

  test("described", async () => {
    const [, second] = await find({ words: "delete" });
    const ways = [
      { words: String(second?.i) },
      { id: second?.i },
      { words: "delete", nth: 2 },
      { on: "delete", role: "btn", nth: 2 },
    ];
    for (const input of ways) expect(await ask("element", input)).toMatchObject({ mark: second?.i, there: true });
    expect(await ask("element", { at: "200,150" })).toMatchObject({ now: { role: "list", name: "Results" } });
    expect(await ask("element", { on: "7" })).toMatchObject({ failure: expect.stringContaining("NOT_FOUND") });
    expect(await ask("element", { words: "delete" })).toMatchObject({ failure: expect.stringContaining("AMBIGUOUS") });
    expect(await ask("element", {})).toMatchObject({ failure: "USAGE no control is named" });
    expect(await ask("element", { words: "9", on: "find" })).toMatchObject({
      failure: expect.stringContaining("USAGE"),
    });
  });

  test("taught", async () => {
    const [list] = await find({ words: "recent" });
    expect(await ask("teach", { name: "the latest", on: "recent", app: "editor" })).toMatchObject({
      targetId: String(list?.i),
    });
    expect(await find({ words: "the latest" })).toMatchObject([{ i: list?.i }]);
    const [field] = await find({ words: "find in files" });
    expect(await ask("teach", { name: "needle", at: field?.p?.join() })).toMatchObject({ targetId: String(field?.i) });
    expect(await find({ words: "needle" })).toMatchObject([{ i: field?.i }]);
    expect(await ask("teach", { name: "none", on: "recent", app: "nowhere" })).toMatchObject({
      failure: expect.stringContaining("NOT_FOUND"),
    });
    expect(await ask("teach", { name: "none", x: 1 })).toMatchObject({ failure: "USAGE --x and --y belong together" });
  });

  test("pictured", async () => {
    const [list] = await find({ words: "recent" });
    const own = { scope: "element", mark: list?.i, width: 400, height: 40 };
    for (const input of [{ id: list?.i }, { on: "recent" }, { role: "list", nth: 2 }]) {
      expect(await ask("screenshot", input)).toMatchObject(own);
    }
    const [field] = await find({ words: "find in files" });
    expect(await ask("screenshot", { at: field?.p?.join() })).toMatchObject({ scope: "element", mark: field?.i });
    expect(await ask("screenshot", { on: "recent", region: "0,0,9,9" })).toMatchObject({
      failure: "USAGE --on, --region choose different things",
    });
  });
});
