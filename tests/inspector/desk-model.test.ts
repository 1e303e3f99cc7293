import { describe, expect, test } from "bun:test";
import { compareViews, nothingKnown } from "../../src/live/compare.ts";
import type { ChangeLine } from "../../src/model/change-line.ts";
import { shownStates } from "../../src/model/state.ts";
import type { MarkedElement, View } from "../../src/model/view.ts";
import { DeskModel } from "../../web/desk-model.ts";
import { makeMarked, makeView, makeWindow } from "../fixtures/elements.ts";
import { fc } from "../property.ts";

function tell(before: View, after: View): readonly ChangeLine[] {
  return compareViews(before, after, { withPlaces: true }).lines;
}

/** Everything known of a view, as plain data. */
function describeView({ windows }: View): unknown {
  const describeOne = (element: MarkedElement): unknown => ({
    mark: element.mark,
    role: element.role,
    name: element.name,
    value: element.value,
    states: shownStates.filter((state) => state !== "focused" && element.states.has(state)),
    bounds: element.bounds,
    children: element.children.map(describeOne),
  });
  return Object.fromEntries(
    windows.map(({ window, elements }) => [
      window.id,
      { title: window.title, bounds: window.bounds, children: elements.map(describeOne) },
    ]),
  );
}

function describeModel(model: DeskModel): unknown {
  return Object.fromEntries(
    [...model.windows.values()].map((window) => {
      const describeOne = (mark: number): unknown => {
        const control = window.controls.get(mark);
        if (control === undefined) throw new Error(`${mark} is nowhere`);
        const { role, name, value, states, children } = control;
        return {
          mark,
          role,
          name,
          value,
          states,
          bounds: model.boundsOf(control),
          children: children.map(describeOne),
        };
      };
      return [window.id, { title: window.title, bounds: window.bounds, children: window.children.map(describeOne) }];
    }),
  );
}

function countAll({ windows }: View): number {
  const count = (elements: readonly MarkedElement[]): number =>
    elements.reduce((sum, { children }) => sum + 1 + count(children), 0);
  return windows.reduce((sum, { elements }) => sum + count(elements), 0);
}

describe("the page's model of the desk", () => {
  const anyOwn = fc.record({
    name: fc.constantFrom("", "Save", "Open"),
    value: fc.constantFrom("", "a", "b"),
    role: fc.constantFrom("button" as const, "input" as const, "menu" as const),
    states: fc.subarray(["disabled", "checked", "focused"] as const).map((list) => new Set(list)),
    bounds: fc.record({ x: fc.nat(3), y: fc.nat(3), width: fc.constant(5), height: fc.constant(5) }),
  });
  /** Some marks, each once, in some windows: a mark may have changed windows. */
  const anyView: fc.Arbitrary<View> = fc
    .record({
      windows: fc.uniqueArray(fc.record({ id: fc.integer({ min: 1, max: 3 }), x: fc.nat(3), y: fc.nat(2) }), {
        selector: ({ id }) => id,
        minLength: 1,
        maxLength: 3,
      }),
      drafts: fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 14 }), anyOwn, fc.nat(20), fc.nat(20)), {
        selector: ([mark]) => mark,
        maxLength: 12,
      }),
    })
    .map(({ windows, drafts }) => ({
      takenAtMs: 0,
      windows: windows.map(({ id, x, y }, at) => {
        const own = drafts.filter(([, , home]) => home % windows.length === at);
        const build = (parent: number): MarkedElement[] =>
          own.flatMap(([mark, draft, , pick], index) => {
            const holders = [0, ...own.slice(0, index).map(([earlier]) => earlier)];
            if (holders[pick % holders.length] !== parent) return [];
            return [makeMarked(mark, { ...draft, children: build(mark) })];
          });
        const window = makeWindow({ id, title: `w${x}`, bounds: { x, y, width: 8, height: 8 } });
        return { window, elements: build(0), notes: [] };
      }),
    }));

  test("matches the desktop after any changes", () => {
    fc.assert(
      fc.property(anyView, anyView, anyView, (first, second, third) => {
        const model = new DeskModel();
        let before = nothingKnown;
        for (const view of [first, second, third]) {
          model.apply(tell(before, view));
          expect(describeModel(model)).toEqual(describeView(view));
          expect(model.controls.size).toBe(countAll(view));
          before = view;
        }
      }),
      { numRuns: 400 },
    );
  });

  test("a window that moves takes its controls along, and only it counts as moved", () => {
    const save = (x: number) => makeMarked(3, { name: "Save", bounds: { x, y: 10, width: 20, height: 20 } });
    const model = new DeskModel();
    const before = makeView([save(10)]);
    model.apply(tell(nothingKnown, before));
    model.apply(tell(before, makeView([save(110)], { bounds: { x: 100, y: 0, width: 800, height: 600 } })));
    const control = model.controls.get(3);
    expect(control && model.boundsOf(control)).toEqual({ x: 110, y: 10, width: 20, height: 20 });
    expect([control?.placedAt, model.windows.get(7)?.placedAt]).toEqual([1, 2]);
  });

  test("a restart clears the model; notes come and go; the focus is known", () => {
    const model = new DeskModel();
    model.apply(tell(nothingKnown, makeView([makeMarked(3)], { isFocused: true })));
    expect(model.focusedWindow).toBe(7);
    model.apply([{ kind: "note", window: 7, code: "TIMEOUT", text: "no answer" }]);
    expect([...(model.windows.get(7)?.notes.values() ?? [])]).toEqual(["no answer"]);
    model.apply([{ kind: "note", window: 7, code: "ANSWERS", text: "" }]);
    expect(model.windows.get(7)?.notes.size).toBe(0);
    model.apply([{ kind: "start", reason: "restarted" }]);
    expect([model.windows.size, model.controls.size, model.focusedWindow]).toEqual([0, 0, undefined]);
  });

  test("ancestors are listed from the outside in", () => {
    const model = new DeskModel();
    const inner = makeMarked(5, { children: [makeMarked(6)] });
    model.apply(tell(nothingKnown, makeView([makeMarked(4, { children: [inner] })])));
    expect(model.listAncestors(6).map(({ mark }) => mark)).toEqual([4, 5]);
    expect(model.listAncestors(99)).toEqual([]);
  });
});
