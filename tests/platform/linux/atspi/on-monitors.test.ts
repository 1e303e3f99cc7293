import { describe, expect, test } from "bun:test";
import { dropHidden, keepOnMonitors } from "../../../../src/platform/linux/atspi/assemble.ts";
import { makeElement } from "../../../fixtures/elements.ts";

// A small monitor beside a large one: below the small one there is nothing.
const monitors = [
  { x: 0, y: 0, width: 1000, height: 700 },
  { x: 1000, y: 0, width: 1000, height: 1000 },
];
const screen = { x: 0, y: 0, width: 2000, height: 1000 };

describe("an element", () => {
  const place = (x: number, y: number, width: number, height: number) => {
    const element = makeElement({
      bounds: { x, y, width, height },
      clickPoint: { x: x + width / 2, y: y + height / 2 },
    });
    const root = makeElement({ bounds: screen, clickPoint: { x: 1500, y: 500 }, children: [element] });
    return keepOnMonitors(root, monitors, screen, screen);
  };

  test("on a monitor keeps its point", () => {
    expect(place(100, 100, 50, 20).children[0]?.clickPoint).toEqual({ x: 125, y: 110 });
  });

  test("whose middle is on no monitor is pressed in the part that is on one", () => {
    expect(place(100, 680, 50, 100).children[0]?.clickPoint).toEqual({ x: 125, y: 690 });
    expect(place(900, 800, 120, 20).children[0]?.clickPoint).toEqual({ x: 1010, y: 810 });
  });

  test("that is on no monitor is hidden, without a point", () => {
    const [hidden] = place(100, 800, 50, 20).children;
    expect(hidden?.clickPoint).toBeUndefined();
    expect(hidden?.states.has("hidden")).toBe(true);
    expect(dropHidden(place(100, 800, 50, 20)).children).toEqual([]);
  });
});
