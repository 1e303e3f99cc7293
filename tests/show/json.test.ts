import { describe, expect, test } from "bun:test";
import { flatten } from "../../src/model/element.ts";
import { shorten } from "../../src/model/plain-text.ts";
import { shortRole } from "../../src/model/role.ts";
import type { View } from "../../src/model/view.ts";
import { listForms } from "../../src/show/list.ts";
import { stringify } from "../../src/show/output.ts";
import { readForms, readOutput, type ViewOptions } from "../../src/show/view.ts";
import { anyMarked, makeMarked, makeView, makeWindow } from "../fixtures/elements.ts";
import { fc } from "../property.ts";

interface Shown {
  i: number;
  r: string;
  t?: string;
  v?: string;
  c?: Shown[];
}

const full = { isCompact: false, withPoints: false, isPretty: false };

function viewToJson(view: View, { isPretty, ...options }: ViewOptions & { readonly isPretty: boolean }): string {
  const data = readForms.data({ view, ...options });
  readOutput().parse(data);
  return stringify(data, isPretty);
}

function flattenShown(list: readonly Shown[]): Shown[] {
  return list.flatMap((one) => [one, ...flattenShown(one.c ?? [])]);
}

describe("the JSON form", () => {
  test("reads back to the same marks, roles and names in the same order", () => {
    fc.assert(
      fc.property(anyMarked, fc.boolean(), fc.boolean(), (elements, isCompact, isPretty) => {
        const parsed = JSON.parse(viewToJson(makeView(elements), { isCompact, withPoints: true, isPretty }));
        const shown = flattenShown(parsed.elements).map(({ i, r, t = "" }) => [i, r, t]);
        const expected = flatten(elements).map(({ mark, role, name }) => [mark, shortRole(role), shorten(name, 500)]);
        expect(shown).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  test("keeps the tree, and flattens it when compact", () => {
    const tree = [makeMarked(1, { role: "toolbar", name: "Tools", children: [makeMarked(2, { name: "Save" })] })];
    const parsed = JSON.parse(viewToJson(makeView(tree), full));
    expect(parsed.elements[0].c[0].t).toBe("Save");
    const flat = JSON.parse(viewToJson(makeView(tree), { ...full, isCompact: true }));
    expect(flat.elements).toEqual([
      { i: 1, r: "toolbar", t: "Tools" },
      { i: 2, r: "btn", t: "Save" },
    ]);
  });

  test("is on one line, or indented when pretty", () => {
    const view = makeView([makeMarked(1, { name: "two\nlines" })]);
    expect(viewToJson(view, full).split("\n")).toHaveLength(1);
    expect(viewToJson(view, { ...full, isPretty: true })).toContain('\n  "app": "Mousepad"');
  });

  test("has everything known about an element", () => {
    const field = makeMarked(5, {
      role: "input",
      name: "Name",
      value: "Ann",
      description: "As in your passport",
      states: new Set(["focused", "disabled", "selected", "required", "editable"]),
      bounds: { x: -10, y: 20, width: 100, height: 30 },
      clickPoint: { x: 40, y: 35 },
      actions: ["set", "focus"],
      shortcut: "Ctrl+N",
    });
    expect(viewToJson(makeView([field]), { ...full, withPoints: true })).toMatchInlineSnapshot(
      `"{"app":"Mousepad","pid":42,"window":"notes.txt","id":7,"ts":1700000000,"space":"screen-physical","elements":[{"i":5,"r":"input","t":"Name","v":"Ann","p":[40,35],"f":true,"e":false,"s":true,"d":"As in your passport","b":[-10,20,100,30],"x":["required"],"a":["set","focus"],"k":"Ctrl+N"}]}"`,
    );
  });

  test("gives a check box its state as its value", () => {
    const values = (["checked", "mixed", "focused"] as const).map((state) => {
      const box = makeMarked(1, { role: "checkbox", states: new Set([state]) });
      return JSON.parse(viewToJson(makeView([box]), full)).elements[0].v;
    });
    expect(values).toEqual(["checked", "mixed", "unchecked"]);
  });

  test("says that a window was read only partly, and why", () => {
    const notes = [{ code: "GONE", text: "the application ended" }] as const;
    const view = { takenAtMs: 0, windows: [{ window: makeWindow(), elements: [], notes }] };
    expect(JSON.parse(viewToJson(view, full))).toMatchObject({ partial: true, notes });
    expect(JSON.parse(viewToJson(makeView([]), full))).not.toHaveProperty("partial");
  });

  test("lists several windows, and none", () => {
    const [one] = makeView([makeMarked(1)]).windows;
    if (one === undefined) throw new Error("the view has a window");
    const two = JSON.parse(viewToJson({ takenAtMs: 5500, windows: [one, one] }, full));
    expect(two.ts).toBe(5);
    expect(two.windows).toHaveLength(2);
    expect(JSON.parse(viewToJson({ takenAtMs: 0, windows: [] }, full))).toEqual({
      ts: 0,
      space: "screen-physical",
      windows: [],
    });
  });

  test("stays bounded for names of a megabyte", () => {
    const long = "x".repeat(1_000_000);
    const element = makeMarked(1, { name: long, value: long, description: `${long}y` });
    expect(viewToJson(makeView([element]), full).length).toBeLessThan(2000);
  });
});

test("windows and applications are listed with every field", () => {
  expect(listForms.data({ windows: [makeWindow({ isFocused: true })] })).toMatchInlineSnapshot(`
    {
      "space": "screen-physical",
      "windows": [
        {
          "app": "Mousepad",
          "bounds": [
            0,
            0,
            800,
            600,
          ],
          "class": "Mousepad",
          "focused": true,
          "id": 7,
          "monitor": "screen",
          "pid": 42,
          "state": [],
          "title": "notes.txt",
          "z": 0,
        },
      ],
    }
  `);
  const application = { app: "Mousepad", pid: 42, windowCount: 1, isFocused: true, hasTree: true };
  expect(listForms.data({ apps: [application] })).toMatchInlineSnapshot(`
    {
      "apps": [
        {
          "app": "Mousepad",
          "focused": true,
          "pid": 42,
          "tree": true,
          "windows": 1,
        },
      ],
    }
  `);
});
