import { describe, expect, test } from "bun:test";
import { mayOverflowCache } from "../../../../src/platform/linux/atspi/cache.ts";
import { isNodeShown, keepOneParent } from "../../../../src/platform/linux/atspi/nodes.ts";
import { quirksOf } from "../../../../src/platform/linux/atspi/quirks.ts";
import { makeNode } from "../../../fixtures/nodes.ts";

describe("a node with two parents", () => {
  test("stays with the one that opens it, and a box that held nothing else is removed", () => {
    const popup = makeNode("popup menu");
    const box = makeNode("panel", { children: [popup] });
    const content = makeNode("panel");
    const pane = makeNode("layered pane", { children: [box, content] });
    const combo = makeNode("combo box", { children: [popup] });
    const nodes = keepOneParent([pane, box, popup, content, combo, popup]);
    expect(nodes).toEqual([pane, popup, content, combo]);
    expect([pane.children, combo.children]).toEqual([[content], [popup]]);
  });

  test("is identified by its path if two walks each made a node of it", () => {
    const entry = makeNode("menu item");
    const twin = { ...entry };
    const popup = makeNode("popup menu", { children: [twin] });
    const pane = makeNode("layered pane", { children: [popup] });
    const menu = makeNode("menu", { children: [entry] });
    expect(keepOneParent([pane, popup, twin, menu, entry])).toEqual([pane, menu, entry]);
    expect([pane.children, menu.children]).toEqual([[], [entry]]);
  });

  test("is unchanged if it is listed once", () => {
    const nodes = [makeNode("panel", { children: [makeNode("label")] })];
    expect(keepOneParent(nodes)).toBe(nodes);
  });
});

test("an icon of an icon view is shown in GTK 3 though it does not say so; an entry of a closed menu is not", () => {
  const states = ["visible", "focusable", "selectable"] as const;
  expect(isNodeShown(quirksOf("gtk"), makeNode("icon", { states }))).toBe(true);
  expect(isNodeShown(quirksOf("gtk"), makeNode("menu item", { states }))).toBe(false);
  expect(isNodeShown(quirksOf("Qt"), makeNode("icon", { states }))).toBe(false);
});

test("a cache too large for D-Bus is expected of a process with that much memory, and of no other", async () => {
  const script = `import sys
data = bytearray(b"x") * (int(sys.argv[1]) << 20)
print("ready", flush=True)
sys.stdin.read()`;
  for (const [megabytes, isExpected] of [
    [100, true],
    [1, false],
  ] as const) {
    const child = Bun.spawn(["/usr/bin/python3", "-c", script, String(megabytes)], { stdin: "pipe", stdout: "pipe" });
    try {
      await child.stdout.getReader().read();
      expect(mayOverflowCache(child.pid)).toBe(isExpected);
    } finally {
      child.kill();
      await child.exited;
    }
  }
  expect(mayOverflowCache(0)).toBe(false);
});
