import { afterAll, describe, expect, test } from "bun:test";
import type { Seen } from "../../src/act/compare.ts";
import { presentChanges } from "../../src/act/present.ts";
import { type Element, flatten } from "../../src/model/element.ts";
import type { Role } from "../../src/model/role.ts";
import { listChanges } from "../../src/show/effect.ts";
import { makeElement, makeWindow } from "../fixtures/elements.ts";
import { makeMapFolder } from "../map/desk.ts";

const folder = makeMapFolder();
afterAll(() => folder.remove());

const window = makeWindow();
const of = (role: Role, name: string, children: readonly Element[] = []): Element =>
  makeElement({ role, name, handle: `${role} ${name} ${children.length}`, children });

function see(...children: readonly Element[]): Seen {
  const root = makeElement({ role: "window", name: "Editor", handle: "root", children });
  const read = { window, appKey: "editor", root, notes: [] };
  return {
    snapshot: { windows: [read], all: [window], includeHidden: false, vision: "off", takenAtMs: 0 },
    numbers: new Map(),
  };
}

function present(before: Seen, after: Seen) {
  const store = folder.open();
  try {
    return presentChanges({ marks: store }, before, after);
  } finally {
    store.close();
  }
}

const file = of("menu", "File");
const entries = Array.from({ length: 15 }, (_, index) => of("menuitem", `Entry ${index}`));
const openFile: Element = { ...file, children: [of("group", "", entries)] };

describe("what changed is told", () => {
  const rows = Array.from({ length: 40 }, (_, index) => of("row", `Row ${index}`, [of("cell", `Cell ${index}`)]));
  const buttons = [of("button", "OK"), of("button", "Cancel")];
  const dialog = of("group", "", [of("list", "Columns", rows), of("input", "From"), of("group", "", buttons)]);
  const changes = present(see(openFile, of("text", "Ready")), see(file, of("text", "Ready"), dialog));
  const names = flatten(changes.appeared).map(({ name }) => name);

  test("with the buttons and fields of what appeared, before its rows", () => {
    expect(names).toEqual(expect.arrayContaining(["From", "OK", "Cancel"]));
    expect(names.filter((name) => name.startsWith("Row") || name.startsWith("Cell")).length).toBeGreaterThan(10);
    expect(names.slice(-3)).toEqual(["From", "OK", "Cancel"]);
  });

  test("without boxes that have no name", () => {
    expect(flatten(changes.appeared).filter(({ role, name }) => role === "group" && name === "")).toEqual([]);
  });

  test("with one line for a menu that closed", () => {
    expect(changes.gone).toEqual([]);
    expect(listChanges(changes).filter((line) => line.startsWith("-"))).toEqual(['- 15 parts of menu "File"']);
  });

  test("in at most thirty lines, with the number of those left out", () => {
    expect(listChanges(changes)).toHaveLength(30);
    expect(changes.leftOut).toBe(2 * 40 + 4 + 1 - 30);
  });
});

test("all of a new window is told before anything else that appeared", () => {
  const bar = Array.from({ length: 40 }, (_, index) => of("button", `Tool ${index}`));
  const types = ["Column", "Bar", "Pie"].map((name) => of("item", name));
  const dialog = makeWindow({ id: window.id + 1, title: "Chart Type" });
  const root = makeElement({
    role: "dialog",
    name: "Chart Type",
    handle: "dialog",
    children: [of("list", "Type", types), of("text", "Choose a chart type"), of("button", "Finish")],
  });
  const after = see(of("toolbar", "Formatting", bar));
  const read = { window: dialog, appKey: "editor", root, notes: [] };
  const { windows, all } = after.snapshot;
  const snapshot = { ...after.snapshot, windows: [...windows, read], all: [dialog, ...all] };
  const { appeared } = present(see(), { ...after, snapshot });
  const names = flatten(appeared).map(({ name }) => name);
  expect(names.slice(0, 6)).toEqual(["Type", "Column", "Bar", "Pie", "Choose a chart type", "Finish"]);
  expect(names.length).toBeGreaterThan(20);
});

test("hidden parts are not told, though the target was hidden and they were read", () => {
  const as = (states: Element["states"], role: Role, name: string, children: readonly Element[] = []): Element => ({
    ...makeElement({ role, name, handle: `${role} ${name}`, children }),
    states,
  });
  const [shown, hidden] = [new Set([]), new Set(["hidden" as const])];
  const whole = (...children: readonly Element[]): Seen => {
    const { snapshot, numbers } = see(...children);
    return { snapshot: { ...snapshot, includeHidden: true }, numbers };
  };
  const changes = present(
    whole(as(hidden, "menu", "Edit", [as(hidden, "menuitem", "Paste")]), as(shown, "button", "Formula")),
    whole(
      as(hidden, "menu", "Edit", [{ ...as(hidden, "menuitem", "Paste"), value: "1" }]),
      as(hidden, "button", "Formula"),
      as(shown, "button", "OK"),
      as(hidden, "input", "Language"),
    ),
  );
  expect(listChanges(changes).map((line) => line.replace(/\d+ /, ""))).toEqual(['+ btn "OK"', '- btn "Formula"']);
  expect(changes.leftOut).toBe(0);
});

test("values and states are told although much appeared, and before a focus that moved", () => {
  const field = (value: string, isFocused: boolean): Element => ({
    ...of("input", "Name"),
    value,
    states: new Set(isFocused ? ["focused"] : []),
  });
  const other = (isFocused: boolean): Element => ({
    ...of("button", "Go"),
    states: new Set(isFocused ? ["focused"] : []),
  });
  const links = Array.from({ length: 50 }, (_, index) => of("link", `Link ${index}`));
  const { appeared, changed } = present(
    see(other(true), field("", false)),
    see(other(false), field("Ada", true), ...links),
  );
  expect(appeared).toHaveLength(28);
  expect(changed.map(({ element }) => element.name)).toEqual(["Name", "Go"]);
});

test("a few things that are gone are named", () => {
  const list = of("list", "Files");
  const { gone, goneInside } = present(
    see({ ...list, children: [of("option", "a.txt"), of("option", "b.txt"), of("option", "c.txt")] }),
    see({ ...list, children: [of("option", "c.txt")] }),
  );
  expect([gone.map(({ name }) => name), goneInside]).toEqual([["a.txt", "b.txt"], []]);
});

test("controls that become unusable together are told in one line, after what tells more", () => {
  const tools = (isUsable: boolean): Element[] =>
    Array.from({ length: 45 }, (_, index) => ({
      ...of("button", `Tool ${index}`),
      states: new Set(isUsable ? [] : ["disabled" as const]),
    }));
  const entry = (value: string): Element => ({ ...of("input", "Entry"), value });
  const changes = present(see(...tools(true), entry("")), see(...tools(false), entry("12")));
  const [first, second, ...more] = listChanges(changes).map((line) => line.replaceAll(/\b\d+ (?=btn|input)/g, ""));
  expect(first).toBe('~ input "Entry" value "" → "12"');
  expect(second).toStartWith('~ 45 controls are disabled now: btn "Tool 0", btn "Tool 1", btn "Tool 2", ');
  expect([more, changes.leftOut]).toEqual([[], 0]);
});

test("three controls that become unusable are told apart", () => {
  const [usable, disabled] = [new Set([]), new Set(["disabled" as const])];
  const tools = (states: Element["states"]): Element[] =>
    ["Cut", "Copy", "Paste"].map((name) => ({ ...of("button", name), states }));
  const { changed, switched } = present(see(...tools(usable)), see(...tools(disabled)));
  expect([changed.length, switched.length]).toEqual([3, 0]);
});
