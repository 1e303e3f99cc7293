import { describe, expect, test } from "bun:test";
import { type Bounds, containsBounds, intersect } from "../../src/model/bounds.ts";
import { compose, maxMarks } from "../../src/overlay/compose.ts";
import { findVisiblePart, type ScreenLayout } from "../../src/overlay/visibility.ts";
import { fc } from "../property.ts";

const screen: Bounds = { x: 0, y: 0, width: 1000, height: 800 };
const measure = (text: string) => ({ width: 8 * text.length, height: 12 });

function surface(windowId: number | undefined, bounds: Bounds, pid = windowId ?? 1) {
  return { windowId, pid, bounds, opaque: [bounds] };
}

function around(...surfaces: readonly ReturnType<typeof surface>[]): ScreenLayout {
  return { surfaces, monitors: [screen] };
}

const button = { windowId: 1, pid: 1, bounds: { x: 100, y: 100, width: 80, height: 30 }, isInMenu: false };
const own = surface(1, { x: 50, y: 50, width: 400, height: 300 });

describe("a control is visible", () => {
  test("where nothing lies over it", () => {
    expect(findVisiblePart(button, around(own))).toEqual(button.bounds);
  });

  test("in the part that a window in front leaves free", () => {
    const front = surface(2, { x: 140, y: 0, width: 500, height: 500 });
    expect(findVisiblePart(button, around(front, own))).toEqual({ x: 100, y: 100, width: 40, height: 30 });
  });

  test("not where a window in front covers it, nor if its own window is not on the screen", () => {
    const front = surface(2, { x: 0, y: 0, width: 600, height: 600 });
    expect(findVisiblePart(button, around(front, own))).toBeUndefined();
    expect(findVisiblePart(button, around(surface(2, screen)))).toBeUndefined();
  });

  test("not under a menu of its own application, while the menu's entries are", () => {
    const menu = surface(undefined, { x: 90, y: 90, width: 200, height: 200 }, 1);
    expect(findVisiblePart(button, around(menu, own))).toBeUndefined();
    expect(findVisiblePart({ ...button, isInMenu: true }, around(menu, own))).toEqual(button.bounds);
  });

  test("on the monitors only", () => {
    const place = { ...button, bounds: { x: -40, y: 100, width: 80, height: 30 } };
    expect(findVisiblePart(place, around(surface(1, screen)))).toEqual({ x: 0, y: 100, width: 40, height: 30 });
  });

  test("never where something covers it, however windows are stacked", () => {
    const box = fc.record({
      x: fc.integer({ min: -100, max: 900 }),
      y: fc.integer({ min: -100, max: 700 }),
      width: fc.integer({ min: 1, max: 400 }),
      height: fc.integer({ min: 1, max: 400 }),
    });
    fc.assert(
      fc.property(box, fc.array(box, { maxLength: 6 }), (bounds, covers) => {
        const surfaces = [...covers.map((one, at) => surface(at + 10, one)), surface(1, screen)];
        const seen = findVisiblePart({ ...button, bounds }, around(...surfaces));
        if (seen === undefined) return;
        expect(containsBounds(bounds, seen)).toBe(true);
        for (const cover of covers) expect(intersect(cover, seen)).toBeUndefined();
      }),
    );
  });
});

describe("the drawing", () => {
  const place = { ...button, mark: 7 };
  const look = { colour: "#000000", stroke: "thin", mark: 7 } as const;

  test("is a frame and a number for each control, within a pixel of it", () => {
    const { drawings } = compose({ marks: [place], anchors: new Map(), annotations: [] }, around(own), measure);
    expect(drawings).toMatchObject([
      { kind: "box", key: "box 7", bounds: button.bounds },
      { kind: "tag", key: "tag 7", text: "7" },
    ]);
  });

  test("is limited to a readable number, front ones first", () => {
    const marks = Array.from({ length: maxMarks + 20 }, (_, at) => ({ ...place, mark: at + 1 }));
    const composed = compose({ marks, anchors: new Map(), annotations: [] }, around(own), measure);
    expect(composed).toMatchObject({ markCount: 500, leftOut: 20 });
    expect(composed.drawings.some(({ key }) => key === "tag 1")).toBe(true);
    expect(composed.drawings.some(({ key }) => key === `tag ${maxMarks + 1}`)).toBe(false);
  });

  test("includes the annotations of visible controls only", () => {
    const annotations = [{ id: 1, client: "test", annotation: { ...look, kind: "highlight" as const, label: "this" } }];
    const stock = { marks: [], anchors: new Map([[7, button]]), annotations };
    expect(compose(stock, around(own), measure).drawings).toMatchObject([
      { kind: "box", key: "annotation 1", bounds: button.bounds },
      { kind: "tag", key: "annotation 1 label", text: "test: this" },
    ]);
    expect(compose(stock, around(surface(2, screen), own), measure)).toMatchObject({
      drawings: [],
      shownAnnotations: new Set(),
    });
    expect(compose({ ...stock, anchors: new Map() }, around(own), measure).drawings).toEqual([]);
  });

  test("has a shape only over a fully visible control, since a part of it would be another shape", () => {
    const annotations = [
      {
        id: 1,
        client: "test",
        annotation: { ...look, kind: "shape" as const, path: "M0 0", size: { width: 1, height: 1 }, isFilled: false },
      },
    ];
    const stock = { marks: [], anchors: new Map([[7, button]]), annotations };
    expect(compose(stock, around(own), measure).drawings).toMatchObject([{ kind: "shape", bounds: button.bounds }]);
    const front = surface(2, { x: 140, y: 0, width: 500, height: 500 });
    expect(compose(stock, around(front, own), measure).drawings).toEqual([]);
  });

  test("has a line while both of its controls are visible", () => {
    const other = { ...button, bounds: { x: 300, y: 200, width: 50, height: 20 } };
    const annotations = [
      {
        id: 1,
        client: "test",
        annotation: {
          ...look,
          kind: "connect" as const,
          to: 8,
          label: "then",
          arrows: "end" as const,
          route: "direct" as const,
        },
      },
    ];
    const stock = { marks: [], anchors: new Map([[7, button]]), annotations };
    expect(compose(stock, around(own), measure).drawings).toEqual([]);
    const both = { ...stock, anchors: new Map([...stock.anchors, [8, other]]) };
    expect(compose(both, around(own), measure).drawings).toMatchObject([
      { kind: "line", key: "annotation 1", arrows: "end" },
      { kind: "tag", key: "annotation 1 label", text: "test: then" },
    ]);
  });

  test("has a line that goes around what the window shows, also without marks", () => {
    const [from, to] = [button, { ...button, bounds: { ...button.bounds, x: button.bounds.x + 200 } }];
    const between = { ...button, bounds: { ...button.bounds, x: button.bounds.x + 110, width: 40 } };
    const annotation = {
      ...look,
      kind: "connect" as const,
      to: 8,
      label: "",
      arrows: "end" as const,
      route: "clear" as const,
    };
    const anchors = new Map([
      [7, from],
      [8, to],
    ]);
    const stock = { marks: [], anchors, annotations: [{ id: 1, client: "test", annotation }] };
    const countCorners = (legible: readonly (typeof button)[]) => {
      const [line] = compose({ ...stock, legible }, around(own), measure).drawings;
      return line?.kind === "line" ? line.points.length : 0;
    };
    expect(countCorners([from, to])).toBe(2);
    expect(countCorners([from, to, between])).toBeGreaterThan(2);
  });

  test("hides no mark number with annotation text, nor text with text", () => {
    const marks = Array.from({ length: 40 }, (_, at) => ({
      ...button,
      mark: at + 1,
      bounds: { x: 100 + (at % 8) * 44, y: 100 + Math.floor(at / 8) * 34, width: 40, height: 30 },
    }));
    const anchors = new Map(marks.map((one) => [one.mark, one]));
    const noteAt = (mark: number, id: number) => {
      const label = "Press this one first";
      return { id, client: "test", annotation: { ...look, mark, kind: "highlight" as const, label } };
    };
    const annotations = [noteAt(12, 1), noteAt(13, 2), noteAt(21, 3)];
    const { drawings } = compose({ marks, anchors, annotations }, around(own), measure);
    const tags = drawings.filter((one) => one.kind === "tag");
    const labels = tags.filter(({ key }) => key.endsWith("label"));
    expect([tags.length, labels.length]).toEqual([43, 3]);
    for (const label of labels) {
      const hidden = tags.filter((one) => one !== label && intersect(one.bounds, label.bounds) !== undefined);
      expect(hidden.map(({ text }) => text)).toEqual([]);
    }
    const alone = compose({ marks, anchors, annotations: [] }, around(own), measure).drawings;
    const isMark = ({ key }: { readonly key: string }) => !key.startsWith("annotation");
    expect(drawings.filter(isMark)).toEqual([...alone]);
    // What comes later lies over it: numbers and texts over every line and box.
    expect(drawings.findIndex(({ kind }) => kind === "tag")).toBe(drawings.length - tags.length);
  });
});
