import { describe, expect, test } from "bun:test";
import type { Element } from "../../../../src/model/element.ts";
import { share } from "../../../../src/platform/linux/live/share.ts";

function make(handle: string, name: string, children: readonly Element[] = [], platformRole = "panel"): Element {
  return {
    role: "group",
    platformRole,
    name,
    ownName: name,
    value: "",
    description: "",
    states: new Set(["focusable"]),
    bounds: { x: 1, y: 2, width: 3, height: 4 },
    clickPoint: { x: 2, y: 3 },
    actions: [],
    platformActions: ["click"],
    invocations: {},
    shortcut: "",
    platformId: "",
    source: "a11y",
    life: "",
    handle,
    alikeIndex: 0,
    alikeCount: 1,
    url: "",
    children,
  };
}

describe("a new tree, sharing parts with the old one", () => {
  test("is the old one if nothing has changed", () => {
    const before = make("1", "a", [make("2", "b"), make("3", "c", [make("4", "d")])]);
    expect(share(before, structuredClone(before))).toBe(before);
  });

  test("keeps unchanged parts, and no changed ones", () => {
    const before = make("1", "a", [make("2", "b"), make("3", "c")]);
    const now = share(before, make("1", "a", [make("2", "b"), make("3", "other")]));
    expect(now).not.toBe(before);
    expect(now?.children[0]).toBe(before.children[0] ?? now);
    expect(now?.children[1]?.name).toBe("other");
  });

  test("finds parts that have moved", () => {
    const before = make("1", "a", [make("2", "b"), make("3", "c")]);
    const now = share(before, make("1", "a", [make("3", "c"), make("2", "b")]));
    expect(now?.children).toEqual([make("3", "c"), make("2", "b")]);
    expect(now?.children[0]).toBe(before.children[1] ?? make("", ""));
  });

  test("detects a changed state, position and action", () => {
    const before = make("1", "a");
    for (const change of [{ states: new Set(["focused"] as const) }, { bounds: undefined }, { platformActions: [] }])
      expect(share(before, { ...before, ...change })).not.toBe(before);
  });

  test("treats a Qt cell as the same if only its object name changed", () => {
    const path = (last: string): string => `guid:1.7/org/a11y/atspi/accessible/2147483${last}`;
    const before = make("1", "table", [make(path("701"), "Fruit", [], "table cell")]);
    expect(share(before, make("1", "table", [make(path("702"), "Fruit", [], "table cell")]))).toBe(before);
    expect(share(before, make("1", "table", [make(path("702"), "Trees", [], "table cell")]))).not.toBe(before);
  });
});
