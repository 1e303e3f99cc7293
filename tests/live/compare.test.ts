import { describe, expect, test } from "bun:test";
import { compareViews, nothingKnown } from "../../src/live/compare.ts";
import type { ChangeLine } from "../../src/model/change-line.ts";
import type { MarkedElement, View } from "../../src/model/view.ts";
import { makeMarked, makeView, makeWindow } from "../fixtures/elements.ts";
import { fc } from "../property.ts";
import { applyLines, drawView } from "./apply.ts";

function compare(before: View, after: View, withPlaces = false): readonly ChangeLine[] {
  return compareViews(before, after, { withPlaces }).lines;
}

describe("what changed in a window", () => {
  const save = makeMarked(3, { name: "Save" });
  const name = makeMarked(4, { role: "input", name: "Name", value: "a" });

  test("is empty if nothing did", () => {
    expect(compare(makeView([save, name]), makeView([save, { ...name }]))).toEqual([]);
  });

  test("is a value with its old value", () => {
    expect(compare(makeView([save, name]), makeView([save, { ...name, value: "b" }]))).toEqual([
      { kind: "changed", id: 4, role: "input", name: "Name", window: 7, value: "b", was: { value: "a" } },
    ]);
  });

  test("is a state, a name, and a taught name", () => {
    const now = { ...save, name: "Saved", states: new Set(["disabled" as const]), taught: "keep" };
    expect(compare(makeView([save]), makeView([now]))).toEqual([
      {
        kind: "changed",
        id: 3,
        role: "button",
        name: "Saved",
        window: 7,
        taught: "keep",
        states: ["disabled"],
        was: { name: "Save", states: "", taught: "" },
      },
    ]);
  });

  test("is a new element with everything in it, and its place", () => {
    const menu = makeMarked(9, { role: "menu", name: "File", children: [makeMarked(10, { name: "Open" })] });
    expect(compare(makeView([save, name]), makeView([save, menu, name]))).toEqual([
      { kind: "appeared", id: 9, role: "menu", name: "File", window: 7, after: 3 },
      { kind: "appeared", id: 10, role: "button", name: "Open", window: 7, in: 9 },
    ]);
  });

  test("is a removed element, reported once for everything in it", () => {
    const menu = makeMarked(9, { role: "menu", name: "File", children: [makeMarked(10, { name: "Open" })] });
    expect(compare(makeView([menu, save]), makeView([save]))).toEqual([
      { kind: "gone", id: 9, role: "menu", name: "File", window: 7 },
    ]);
  });

  test("is a container that is now empty, if all its content went", () => {
    const items = [10, 11, 12].map((mark) => makeMarked(mark, { name: `Item ${mark}` }));
    const menu = makeMarked(9, { role: "menu", name: "File", children: items });
    expect(compare(makeView([menu]), makeView([{ ...menu, children: [] }]))).toEqual([
      { kind: "emptied", id: 9, role: "menu", name: "File", window: 7 },
    ]);
  });

  test("is the focus, reported separately", () => {
    const focused = { ...name, states: new Set(["focused" as const]) };
    expect(compare(makeView([save, name]), makeView([save, focused]))).toEqual([
      { kind: "focus", id: 4, role: "input", name: "Name", window: 7 },
    ]);
  });

  test("is one line if two controls changed places", () => {
    expect(compare(makeView([save, name]), makeView([name, save]))).toHaveLength(1);
  });
});

describe("a window that moves", () => {
  const at = (x: number) => makeMarked(3, { name: "Save", bounds: { x, y: 10, width: 20, height: 20 } });

  test("is one line, even for clients that want positions", () => {
    const moved = { bounds: { x: 100, y: 0, width: 800, height: 600 } };
    const lines = compare(makeView([at(10)]), makeView([at(110)], moved), true);
    expect(lines).toEqual([
      {
        kind: "window",
        what: "changed",
        window: 7,
        app: "Mousepad",
        title: "notes.txt",
        place: "800x600 at 100,0",
        was: { place: "800x600 at 0,0" },
      },
    ]);
  });

  test("takes its controls along: they are not reported in the next comparison either", () => {
    const [there, here] = [
      makeView([at(10)]),
      makeView([at(110)], { bounds: { x: 100, y: 0, width: 800, height: 600 } }),
    ];
    const silent = {
      ...here,
      windows: here.windows.map((view) => ({
        ...view,
        elements: [],
        notes: [{ code: "TIMEOUT" as const, text: "it hangs" }],
      })),
    };
    for (const between of [here, silent]) {
      const { known } = compareViews(there, between, { withPlaces: true });
      expect(compare(known, here, true).filter(({ kind }) => kind !== "note")).toEqual([]);
    }
  });

  test("a control that moves in its window is reported only to clients that want positions", () => {
    expect(compare(makeView([at(10)]), makeView([at(50)]))).toEqual([]);
    expect(compare(makeView([at(10)]), makeView([at(50)]), true)).toMatchObject([
      { kind: "changed", id: 3, bounds: [50, 10, 20, 20], was: { place: "20x20 at 10,10" } },
    ]);
  });
});

describe("windows", () => {
  test("that open are reported with their content, and those that close without", () => {
    const view = makeView([makeMarked(3, { name: "Save" })], { isFocused: true });
    expect(compare(nothingKnown, view).map(({ kind }) => kind)).toEqual(["window", "window", "appeared"]);
    expect(compare(view, nothingKnown)).toEqual([
      { kind: "window", what: "closed", window: 7, app: "Mousepad", title: "notes.txt" },
    ]);
  });

  test("report a change of keyboard focus in one line", () => {
    const pair = (focused: number): View => ({
      takenAtMs: 0,
      windows: [7, 8].map((id) => ({ window: makeWindow({ id, isFocused: id === focused }), elements: [], notes: [] })),
    });
    expect(compare(pair(7), pair(8))).toMatchObject([{ kind: "window", what: "focused", window: 8 }]);
  });
});

describe("a window that stops answering", () => {
  const whole = makeView([makeMarked(3, { name: "Save" }), makeMarked(4, { name: "Open" })]);
  const silent: View = {
    takenAtMs: 1,
    windows: [{ window: makeWindow(), elements: [], notes: [{ code: "TIMEOUT", text: "no answer" }] }],
  };

  test("is a note, and nothing of it is reported gone", () => {
    const { lines, known } = compareViews(whole, silent, { withPlaces: false });
    expect(lines).toEqual([{ kind: "note", window: 7, code: "TIMEOUT", text: "no answer" }]);
    const later = makeView([makeMarked(3, { name: "Save" })]);
    expect(compareViews(known, later, { withPlaces: false }).lines).toMatchObject([
      { kind: "gone", id: 4 },
      { kind: "note", code: "ANSWERS" },
    ]);
  });

  test("is noted once", () => {
    const { known } = compareViews(whole, silent, { withPlaces: false });
    expect(compareViews(known, silent, { withPlaces: false }).lines).toEqual([]);
  });
});

describe("lines applied to the previous view", () => {
  const anyMark = fc.integer({ min: 1, max: 14 });
  const anyOwn = fc.record({
    name: fc.constantFrom("", "Save", "Open"),
    value: fc.constantFrom("", "a", "b"),
    role: fc.constantFrom("button" as const, "input" as const, "menu" as const),
    states: fc.subarray(["disabled", "checked", "focused"] as const).map((list) => new Set(list)),
    bounds: fc.option(fc.record({ x: fc.nat(3), y: fc.nat(3), width: fc.constant(5), height: fc.constant(5) }), {
      nil: undefined,
    }),
  });
  /** A forest over some marks, each once: every mark is a child of an earlier one, or of the window. */
  const anyForest: fc.Arbitrary<MarkedElement[]> = fc
    .uniqueArray(fc.tuple(anyMark, anyOwn, fc.nat(20)), { selector: ([mark]) => mark, maxLength: 10 })
    .map((drafts) => {
      const children = new Map<number, number[]>();
      const parents = [0];
      for (const [mark, , pick] of drafts) {
        const parent = parents[pick % parents.length] ?? 0;
        children.set(parent, [...(children.get(parent) ?? []), mark]);
        parents.push(mark);
      }
      const own = new Map(drafts.map(([mark, draft]) => [mark, draft]));
      const build = (parent: number): MarkedElement[] =>
        (children.get(parent) ?? []).map((mark) => makeMarked(mark, { ...own.get(mark), children: build(mark) }));
      return build(0);
    });
  const anyView: fc.Arbitrary<View> = fc
    .uniqueArray(
      fc.record({
        id: fc.integer({ min: 1, max: 3 }),
        title: fc.constantFrom("a", "b"),
        x: fc.nat(2),
        isFocused: fc.boolean(),
        elements: anyForest,
      }),
      { selector: ({ id }) => id, maxLength: 3 },
    )
    .map((windows) => ({
      takenAtMs: 0,
      windows: windows.map(({ id, title, x, isFocused, elements }) => ({
        window: makeWindow({ id, title, isFocused, bounds: { x, y: 0, width: 8, height: 8 } }),
        elements,
        notes: [],
      })),
    }));

  test("give the current view", () => {
    fc.assert(
      fc.property(anyView, anyView, fc.boolean(), (before, after, withPlaces) => {
        const drawn = applyLines(drawView(before, withPlaces), compare(before, after, withPlaces));
        expect(drawn).toEqual(drawView(after, withPlaces));
      }),
      { numRuns: 500 },
    );
  });

  test("are empty if both views are the same", () => {
    fc.assert(fc.property(anyView, (view) => expect(compare(view, structuredClone(view), true)).toEqual([])));
  });
});
