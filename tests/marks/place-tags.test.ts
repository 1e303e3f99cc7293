import { describe, expect, test } from "bun:test";
import { placeTags } from "../../src/marks/place-tags.ts";
import type { Tag, Tagged } from "../../src/marks/tag.ts";
import { type Bounds, containsBounds, intersect, type Size } from "../../src/model/bounds.ts";
import { fc } from "../property.ts";

const room: Bounds = { x: -200, y: -100, width: 1600, height: 1000 };
const measure = (mark: number): Size => ({ width: 6 + 6 * String(mark).length, height: 13 });

const anyControl = fc.record({
  x: fc.integer({ min: -260, max: 1420 }),
  y: fc.integer({ min: -140, max: 920 }),
  width: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 1600 })),
  height: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 1000 })),
});
const anyControls = fc.array(anyControl, { maxLength: 60 }).map(number);

function number(all: readonly Bounds[]): readonly Tagged[] {
  return all.map((bounds, at) => ({ mark: at + 1, bounds }));
}

/** Controls of one size in rows, with equal gaps. */
function lineUp(columns: number, rows: number, size: Size, gap: number): readonly Tagged[] {
  const places = Array.from({ length: columns * rows }, (_, at) => ({
    x: (at % columns) * (size.width + gap),
    y: Math.floor(at / columns) * (size.height + gap),
    ...size,
  }));
  return number(places);
}

function overlap(one: Bounds, other: Bounds): boolean {
  return intersect(one, other) !== undefined;
}

function expectNothingHidden(tags: readonly Tag[]): void {
  for (const { mark, tag } of tags) {
    const hiddenControls = tags.filter(({ bounds }) => overlap(tag, bounds)).map((one) => one.mark);
    const hiddenTags = tags.filter((one) => one.mark !== mark && overlap(tag, one.tag)).map((one) => one.mark);
    expect({ mark, hiddenControls, hiddenTags }).toEqual({ mark, hiddenControls: [], hiddenTags: [] });
  }
}

describe("tags of controls", () => {
  test("are on their own control rather than touch another, if there is no room between them", () => {
    for (const gap of [4, 8, 11]) {
      for (const { mark, tag, bounds } of placeTags(lineUp(5, 4, { width: 62, height: 40 }, gap), room, measure)) {
        const touched = lineUp(5, 4, { width: 62, height: 40 }, gap).filter((one) => overlap(tag, one.bounds));
        expect(touched.map((one) => one.mark).filter((one) => one !== mark)).toEqual([]);
        expect(Math.abs(tag.x - bounds.x)).toBeLessThanOrEqual(62);
      }
    }
  });

  test("are within the visible area, each of its size, in the order of the controls", () => {
    fc.assert(
      fc.property(anyControls, (controls) => {
        const tags = placeTags(controls, room, measure);
        expect(tags.map(({ mark, bounds }) => ({ mark, bounds }))).toEqual([...controls]);
        for (const { mark, tag } of tags) {
          expect(containsBounds(room, tag)).toBe(true);
          expect({ width: tag.width, height: tag.height }).toEqual(measure(mark));
        }
      }),
    );
  });

  test("hide no control and no tag if there is room around each control", () => {
    const spread = fc.record({
      columns: fc.integer({ min: 1, max: 8 }),
      rows: fc.integer({ min: 1, max: 12 }),
      width: fc.integer({ min: 4, max: 120 }),
      height: fc.integer({ min: 4, max: 30 }),
      gap: fc.integer({ min: 30, max: 50 }),
    });
    fc.assert(
      fc.property(spread, ({ columns, rows, width, height, gap }) => {
        expectNothingHidden(placeTags(lineUp(columns, rows, { width, height }, gap), room, measure));
      }),
    );
  });

  test("are above or below the row of a toolbar, whose buttons leave no gap", () => {
    expectNothingHidden(placeTags(lineUp(20, 1, { width: 34, height: 34 }, 0), room, measure));
  });

  test("are beside the items of a menu, which leave no gap", () => {
    expectNothingHidden(placeTags(lineUp(1, 20, { width: 180, height: 24 }, 0), room, measure));
  });

  test("are on the background of a large box, and its own tag covers nothing in it", () => {
    const buttons = lineUp(4, 3, { width: 80, height: 30 }, 20);
    const box = { mark: 900, bounds: { x: -40, y: -40, width: 480, height: 240 } };
    const tags = placeTags([box, ...buttons], room, measure);
    expectNothingHidden(tags.filter(({ mark }) => mark !== 900));
    const own = tags.find(({ mark }) => mark === 900)?.tag ?? box.bounds;
    expect(tags.filter(({ mark, bounds }) => mark !== 900 && overlap(bounds, own))).toEqual([]);
  });

  test("are in their own controls if there is no room, and still on no other tag", () => {
    const tags = placeTags(lineUp(12, 20, { width: 100, height: 40 }, 0), room, measure);
    const isInner = (at: number): boolean => at >= 12 && at < 12 * 19 && at % 12 > 0 && at % 12 < 11;
    for (const { bounds, tag, mark } of tags.filter((_, at) => isInner(at))) {
      expect({ mark, isInside: containsBounds(bounds, tag) }).toEqual({ mark, isInside: true });
    }
    for (const [at, { tag }] of tags.entries()) {
      expect(tags.slice(at + 1).filter((one) => overlap(one.tag, tag))).toEqual([]);
    }
  });

  test("are the same in every run and do not depend on the order of the controls", () => {
    fc.assert(
      fc.property(anyControls, (controls) => {
        const tags = placeTags(controls, room, measure);
        expect(placeTags(controls, room, measure)).toEqual(tags);
        expect(placeTags(controls.toReversed(), room, measure)).toEqual(tags.toReversed());
      }),
    );
  });

  test("do not move when something changes beyond the reach of tags", () => {
    const near = fc.array(
      fc.record({
        x: fc.integer({ min: -150, max: 500 }),
        y: fc.integer({ min: -80, max: 800 }),
        width: fc.integer({ min: 5, max: 120 }),
        height: fc.integer({ min: 5, max: 60 }),
      }),
      { maxLength: 40 },
    );
    const far = fc.array(
      fc.record({
        x: fc.integer({ min: 760, max: 1100 }),
        y: fc.integer({ min: -80, max: 800 }),
        width: fc.integer({ min: 5, max: 200 }),
        height: fc.integer({ min: 5, max: 60 }),
      }),
      { maxLength: 10 },
    );
    fc.assert(
      fc.property(near, far, far, (some, before, after) => {
        const renumber = (others: readonly Bounds[]): readonly Tagged[] =>
          number(others).map((one) => ({ ...one, mark: one.mark + 500 }));
        const own = number(some);
        const tagsBefore = placeTags([...own, ...renumber(before)], room, measure).slice(0, own.length);
        const tagsAfter = placeTags([...renumber(after), ...own], room, measure).slice(after.length);
        expect(tagsAfter).toEqual(tagsBefore);
      }),
    );
  });

  test("are at the edge for controls outside, and none come from nothing", () => {
    expect(placeTags([], room, measure)).toEqual([]);
    const [tag] = placeTags(number([{ x: 5000, y: 5000, width: 10, height: 10 }]), room, measure);
    expect(tag?.tag).toEqual({ x: 1388, y: 887, width: 12, height: 13 });
  });
});
