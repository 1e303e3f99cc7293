import { describe, expect, test } from "bun:test";
import { containsPoint } from "../../../../src/model/bounds.ts";
import { findClickPoint } from "../../../../src/platform/linux/atspi/click-point.ts";
import { anyBounds, anyElement, makeElement } from "../../../fixtures/elements.ts";
import { fc } from "../../../property.ts";

const screen = { x: 0, y: 0, width: 1000, height: 800 };
const none = new Set<never>();

describe("the click point", () => {
  test("is the middle of the visible part", () => {
    const bounds = { x: -100, y: 10, width: 300, height: 20 };
    expect(findClickPoint("button", none, bounds, screen, [])).toEqual({ x: 100, y: 20 });
    expect(findClickPoint("button", none, { ...bounds, x: 2000 }, screen, [])).toBeUndefined();
  });

  test("of a combo box with a field in its middle is beside the field", () => {
    const bounds = { x: 0, y: 0, width: 200, height: 30 };
    const field = makeElement({
      role: "input",
      states: new Set(["editable"]),
      bounds: { x: 0, y: 0, width: 160, height: 30 },
    });
    expect(findClickPoint("select", none, bounds, screen, [field])).toEqual({ x: 180, y: 15 });
    const filling = { ...field, bounds };
    expect(findClickPoint("select", none, bounds, screen, [filling])).toEqual({ x: 100, y: 15 });
  });

  test("of an open expander is its arrow, above its content; of a closed one too", () => {
    const bounds = { x: 0, y: 0, width: 200, height: 300 };
    const list = makeElement({ role: "list", bounds: { x: 0, y: 20, width: 200, height: 280 } });
    expect(findClickPoint("toggle", new Set(["expanded"]), bounds, screen, [list])).toEqual({ x: 10, y: 10 });
    const line = { ...bounds, height: 20 };
    expect(findClickPoint("toggle", new Set(["collapsed"]), line, screen, [])).toEqual({ x: 10, y: 10 });
    // A menu button can be pressed anywhere.
    expect(findClickPoint("button", new Set(["collapsed"]), line, screen, [])).toEqual({ x: 100, y: 10 });
  });

  test("lies on the element and in view, whatever it contains", () => {
    const roles = fc.constantFrom("select", "toggle", "button", "option");
    const states = fc.constantFrom(none, new Set(["expanded"] as const), new Set(["collapsed"] as const));
    fc.assert(
      fc.property(roles, states, anyBounds, fc.array(anyElement, { maxLength: 3 }), (role, has, bounds, children) => {
        const point = findClickPoint(role as "select", has, bounds, screen, children);
        if (point === undefined) return;
        expect(containsPoint(bounds, point) && containsPoint(screen, point)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
