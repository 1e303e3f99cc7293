import { describe, expect, test } from "bun:test";
import { type ElementQuery, selectElements } from "../../src/find/filter.ts";
import { centreOf, containsPoint } from "../../src/model/bounds.ts";
import { type Element, flatten } from "../../src/model/element.ts";
import { kindOfRole, roles } from "../../src/model/role.ts";
import { anyBounds, anyElement, makeElement } from "../fixtures/elements.ts";
import { fc } from "../property.ts";

const someRoles = fc.subarray(roles, { minLength: 1 }).map((list) => new Set(list));
const root = fc.array(anyElement, { maxLength: 3 }).map((children) => makeElement({ role: "window", children }));
const anyQuery: fc.Arbitrary<ElementQuery> = fc.record({
  roles: fc.option(someRoles, { nil: undefined }),
  bbox: fc.option(anyBounds, { nil: undefined }),
  depth: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  isInteractive: fc.boolean(),
  isWhole: fc.boolean(),
});

function select(window: Element, query: ElementQuery): Element[] {
  return flatten(selectElements(window, query).elements);
}

function idsOf(elements: readonly Element[]): string[] {
  return elements.map(({ handle }) => handle);
}

function measureDepth(elements: readonly Element[]): number {
  return elements.length === 0 ? 0 : 1 + Math.max(...elements.map(({ children }) => measureDepth(children)));
}

describe("of the elements of a window,", () => {
  test("only and all elements of the requested roles are selected", () => {
    fc.assert(
      fc.property(root, someRoles, (window, wanted) => {
        const all = select(window, { isWhole: true });
        const expected = all.filter(({ role }) => wanted.has(role));
        expect(idsOf(select(window, { isWhole: true, roles: wanted }))).toEqual(idsOf(expected));
      }),
    );
  });

  test("only and all elements whose centre lies in the box are selected", () => {
    fc.assert(
      fc.property(root, anyBounds, (window, bbox) => {
        const all = select(window, {});
        const expected = all.filter(({ bounds }) => bounds !== undefined && containsPoint(bbox, centreOf(bounds)));
        expect(idsOf(select(window, { bbox }))).toEqual(idsOf(expected));
      }),
    );
  });

  test("no more levels than requested are shown, and nothing changes above", () => {
    fc.assert(
      fc.property(root, fc.integer({ min: 1, max: 6 }), (window, depth) => {
        const all = selectElements(window, {}).elements;
        const cut = selectElements(window, { depth }).elements;
        expect(measureDepth(cut)).toBe(Math.min(depth, measureDepth(all)));
        expect(idsOf(cut)).toEqual(idsOf(all));
      }),
    );
  });

  test("the first elements in reading order are shown up to the limit, and the rest is counted", () => {
    fc.assert(
      fc.property(root, anyQuery, fc.integer({ min: 1, max: 12 }), (window, query, max) => {
        const all = select(window, query);
        const { elements, leftOut } = selectElements(window, { ...query, max });
        expect(idsOf(flatten(elements))).toEqual(idsOf(all).slice(0, max));
        expect(leftOut).toBe(Math.max(0, all.length - max));
      }),
    );
  });

  test("every control is interactive, and plain text is not", () => {
    fc.assert(
      fc.property(root, (window) => {
        const all = select(window, {});
        const chosen = new Set(idsOf(select(window, { isInteractive: true })));
        for (const { role, actions, handle } of all) {
          if (kindOfRole(role) === "control") expect(chosen.has(handle)).toBe(true);
          if (kindOfRole(role) === "text" && actions.length === 0) expect(chosen.has(handle)).toBe(false);
        }
      }),
    );
  });

  test("every query gives a subset of the unfiltered result, in the same order", () => {
    fc.assert(
      fc.property(root, anyQuery, (window, query) => {
        const all = idsOf(select(window, { isWhole: query.isWhole }));
        const chosen = idsOf(select(window, query));
        const kept = new Set(chosen);
        expect(chosen).toEqual(all.filter((id) => kept.has(id)));
      }),
    );
  });

  test("an unfiltered read leaves nothing out", () => {
    fc.assert(
      fc.property(root, (window) => {
        expect(idsOf(select(window, { isWhole: true }))).toEqual(idsOf(flatten(window.children)));
      }),
    );
  });
});

test("the children of a filtered element move up to the next kept one", () => {
  const child = makeElement({ role: "button", name: "Red" });
  const panel = makeElement({ role: "group", name: "Colours", children: [child] });
  const bar = makeElement({ role: "toolbar", name: "Tools", children: [panel] });
  const { elements } = selectElements(makeElement({ role: "window", children: [bar] }), {
    roles: new Set(["toolbar", "button"]),
  });
  expect(elements[0]?.children[0]?.name).toBe("Red");
});
