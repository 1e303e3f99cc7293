import { describe, expect, test } from "bun:test";
import type { Element } from "../../../../src/model/element.ts";
import { nameFromGroup, nameFromNeighbours } from "../../../../src/platform/linux/atspi/neighbours.ts";
import { makeElement } from "../../../fixtures/elements.ts";

const at = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });
const label = (name: string, bounds = at(0, 0, 40, 20)): Element => makeElement({ role: "text", name, bounds });
const names = (sisters: readonly Element[]): string[] => sisters.map(({ name }) => name);

describe("a nameless control is named after", () => {
  test("the text beside it, even far away if the two are alone on their line", () => {
    const far = makeElement({ role: "switch", bounds: at(200, 0, 50, 20) });
    expect(names(nameFromNeighbours([label("Row 1"), far]))).toEqual(["Row 1", "Row 1"]);
    const third = makeElement({ role: "switch", bounds: at(300, 0, 50, 20) });
    expect(names(nameFromNeighbours([label("Row 1"), far, third]))).toEqual(["Row 1", "", ""]);
  });

  test("no nearby text, if it is a button: it does something with the text, such as closing it", () => {
    const close = makeElement({ role: "button", bounds: at(45, 0, 20, 20) });
    expect(names(nameFromNeighbours([label("Page 1"), close]))).toEqual(["Page 1", ""]);
    const far = makeElement({ role: "button", bounds: at(200, 0, 20, 20) });
    expect(names(nameFromNeighbours([label("Row 5"), far]))).toEqual(["Row 5", "Row 5"]);
  });

  test("no number", () => {
    const slider = makeElement({ role: "slider", bounds: at(50, 0, 90, 20) });
    expect(names(nameFromNeighbours([label("0:00"), slider]))).toEqual(["0:00", ""]);
  });

  test("its column, if it is a cell", () => {
    const header = makeElement({ role: "header", name: "Cool", bounds: at(0, 0, 40, 20) });
    const cells = [0, 40].map((x) => makeElement({ role: "cell", bounds: at(x, 20, 40, 20) }));
    expect(names(nameFromNeighbours([header, ...cells]))).toEqual(["Cool", "Cool", ""]);
  });

  test("the text beside its scroll container", () => {
    const field = makeElement({ role: "input", bounds: at(50, 0, 90, 60), states: new Set(["editable"]) });
    const box = makeElement({ role: "scroll", bounds: at(50, 0, 90, 60), children: [field] });
    const [, named] = nameFromNeighbours([label("Notes"), box]);
    expect(named?.children[0]?.name).toBe("Notes");
  });

  test("the text beside the box that it fills with the button of its list", () => {
    const field = makeElement({ role: "input" });
    const box = (...children: Element[]) => makeElement({ role: "group", bounds: at(50, 0, 90, 20), children });
    const nameIn = (...children: Element[]) =>
      nameFromNeighbours([label("Size:"), box(...children)])[1]?.children[0]?.name;
    const toggle = makeElement({ role: "toggle" });
    expect(nameIn(field, toggle)).toBe("Size:");
    expect(nameIn(field, toggle, toggle)).toBe("");
    expect(nameIn(field, makeElement({ role: "text", name: "12" }))).toBe("Size:");
    expect(nameIn(field, makeElement({ role: "text", name: "letters" }))).toBe("");
    expect(nameIn(makeElement({ role: "select" }), toggle)).toBe("Size:");
    const off = makeElement({ role: "select", states: new Set(["hidden"]) });
    const inner = makeElement({ role: "group", children: [field, off, toggle] });
    expect(nameFromNeighbours([label("Find:"), box(inner)])[1]?.children[0]?.children[0]?.name).toBe("Find:");
  });

  test("the text above it, if that is close", () => {
    const field = (y: number): Element => makeElement({ role: "select", bounds: at(0, y, 90, 20) });
    expect(names(nameFromNeighbours([label("Size"), field(30), field(60)]))).toEqual(["Size", "Size", ""]);
  });

  test("its opener's name, as that one is named", () => {
    const opener = makeElement({ role: "select", value: "Large" });
    const combo = makeElement({ role: "select", bounds: at(50, 0, 90, 20), children: [opener] });
    const [, named] = nameFromNeighbours([label("Size"), combo]);
    expect(named?.children[0]).toMatchObject({ name: "Size", value: "Large" });
  });

  test("the name of its container, if it is the only field or the only control there", () => {
    const field = makeElement({ role: "input" });
    const opener = makeElement({ role: "toggle" });
    expect(names(nameFromGroup("group", "Font", [field, opener]))).toEqual(["Font", ""]);
    expect(names(nameFromGroup("toolbar", "Gallery", [opener]))).toEqual(["Gallery"]);
    expect(names(nameFromGroup("toolbar", "Standard", [opener, makeElement({ role: "toggle" })]))).toEqual(["", ""]);
    expect(names(nameFromGroup("list", "Fruit", [makeElement({ role: "option" })]))).toEqual([""]);
  });
});

describe("a control that turns out to be secret by its label", () => {
  const secret = { states: new Set(["editable"] as const), value: "hunter2" };

  test("is emptied, even in a combo box and in a scroll container", () => {
    const field = makeElement({ role: "input", bounds: at(50, 0, 90, 20), ...secret });
    const combo = makeElement({ role: "select", value: "hunter2", bounds: at(50, 0, 90, 20), children: [field] });
    const box = makeElement({ role: "scroll", bounds: at(50, 0, 90, 20), children: [field] });
    for (const sister of [field, combo, box]) {
      expect(JSON.stringify(nameFromNeighbours([label("Password"), sister]))).not.toContain("hunter2");
    }
    expect(JSON.stringify(nameFromGroup("group", "Password", [field]))).not.toContain("hunter2");
  });
});
