import { expect, test } from "bun:test";
import { findDeepest } from "../../src/find/hit.ts";
import type { Element } from "../../src/model/element.ts";
import { makeElement } from "../fixtures/elements.ts";

const box = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });
const group = (bounds: Element["bounds"], ...children: Element[]) => makeElement({ role: "group", bounds, children });
const windowOf = (...children: Element[]) =>
  makeElement({ role: "window", name: "W", bounds: box(0, 0, 400, 300), children });

function nameAt(root: Element, x: number, y: number): string | undefined {
  return findDeepest(root, { x, y })?.element.name;
}

test("the deepest element under the point is found, with its ancestors from the window on", () => {
  const label = makeElement({ role: "text", name: "7", bounds: box(12, 12, 10, 10) });
  const button = makeElement({ name: "Key", bounds: box(10, 10, 40, 20), children: [label] });
  const hit = findDeepest(windowOf(group(box(0, 0, 200, 100), button)), { x: 15, y: 15 });
  expect(hit?.element).toBe(label);
  expect(hit?.ancestors.map(({ role }) => role)).toEqual(["window", "group", "button"]);
});

test("of two that overlap, the later one is on top", () => {
  const root = windowOf(
    makeElement({ name: "under", bounds: box(0, 0, 100, 100) }),
    makeElement({ name: "over", bounds: box(50, 50, 100, 100) }),
  );
  expect(nameAt(root, 60, 60)).toBe("over");
  expect(nameAt(root, 10, 10)).toBe("under");
});

test("an empty box over everything hides nothing", () => {
  const root = windowOf(makeElement({ name: "Save", bounds: box(10, 10, 50, 20) }), group(box(0, 0, 400, 300)));
  expect(nameAt(root, 20, 20)).toBe("Save");
});

test("a menu that extends beyond its button is found there", () => {
  const item = makeElement({ role: "menuitem", name: "Open", bounds: box(10, 60, 80, 20) });
  const menu = makeElement({ role: "menu", name: "File", bounds: box(10, 10, 30, 20), children: [item] });
  expect(nameAt(windowOf(menu), 20, 70)).toBe("Open");
});

test("a text that only repeats its button's name resolves to the button", () => {
  const label = makeElement({ role: "text", name: "Save", bounds: box(12, 12, 10, 10) });
  const button = makeElement({ name: "Save", bounds: box(10, 10, 40, 20), children: [label] });
  expect(findDeepest(windowOf(button), { x: 15, y: 15 })?.element).toBe(button);
});

test("an entry of an open menu lies over what comes later in the window", () => {
  const item = makeElement({ role: "menuitem", name: "Open", bounds: box(10, 60, 80, 20) });
  const menu = makeElement({ role: "menu", name: "File", bounds: box(10, 10, 30, 20), children: [item] });
  const bar = makeElement({ role: "menubar", bounds: box(0, 0, 400, 30), children: [menu] });
  const body = makeElement({ role: "input", name: "Text", bounds: box(0, 30, 400, 270) });
  expect(nameAt(windowOf(bar, body), 20, 70)).toBe("Open");
  expect(nameAt(windowOf(bar, body), 20, 100)).toBe("Text");
});

test("so does an entry of the menu of a button, with no menu in between", () => {
  const item = makeElement({ role: "menuitem", name: "Beta", bounds: box(10, 60, 80, 20) });
  const button = makeElement({ role: "toggle", name: "Options", bounds: box(10, 30, 300, 30), children: [item] });
  const save = makeElement({ name: "Save", bounds: box(10, 60, 300, 30) });
  expect(nameAt(windowOf(button, save), 20, 70)).toBe("Beta");
  expect(nameAt(windowOf(button, save), 200, 70)).toBe("Save");
});

test("a hidden element is not found", () => {
  const hidden = makeElement({ name: "ghost", bounds: box(10, 10, 50, 20), states: new Set(["hidden"] as const) });
  expect(nameAt(windowOf(hidden), 20, 20)).toBe("W");
});

test("elsewhere in the window, the window is found; outside it, nothing", () => {
  expect(nameAt(windowOf(), 399, 299)).toBe("W");
  expect(nameAt(windowOf(), 400, 299)).toBeUndefined();
});
