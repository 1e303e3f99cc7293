import { describe, expect, test } from "bun:test";
import { chooseClear } from "../../src/find/choose.ts";
import { rankMatches } from "../../src/find/match.ts";
import type { Element } from "../../src/model/element.ts";
import { makeElement, makeWindow } from "../fixtures/elements.ts";

function choose(words: string, ...children: readonly Element[]) {
  return chooseFor(undefined, words, ...children);
}

function chooseFor(suits: Parameters<typeof chooseClear>[3], words: string, ...children: readonly Element[]) {
  const root = makeElement({ role: "window", children });
  const read = { window: makeWindow(), appKey: "app", root, notes: [] };
  const numbers = new Map(children.map(({ handle }, index) => [handle, index + 1]));
  return chooseClear(words, rankMatches([read], { words }), numbers, suits);
}

function nameOf(result: ReturnType<typeof choose>): string {
  return result.ok ? `${result.value.element.role} ${result.value.element.name}` : result.failure.code;
}

const button = (name: string) => makeElement({ role: "button", name, actions: ["press"] });
const text = (name: string) => makeElement({ role: "text", name });

describe("words select a control", () => {
  test("by its exact name, whatever else begins with it", () => {
    expect(nameOf(choose("save", button("Save"), button("Save As…")))).toBe("button Save");
  });

  test("and not the label of the same name beside it", () => {
    expect(nameOf(choose("colour", text("Colour"), makeElement({ role: "select", name: "Colour" })))).toBe(
      "select Colour",
    );
  });

  test("that suits the order, if it is the only one of several with that name", () => {
    const isField: Parameters<typeof chooseClear>[3] = ({ element }) => element.role === "input";
    const field = (name: string) => makeElement({ role: "input", name });
    expect(nameOf(chooseFor(isField, "find", button("Find"), field("Find:")))).toBe("input Find:");
    expect(nameOf(chooseFor(isField, "find", field("Find"), field("Find:")))).toBe("AMBIGUOUS");
    expect(nameOf(chooseFor(isField, "find", button("Find"), field("Find in files")))).toBe("button Find");
  });

  test("of an open menu, which takes every press, rather than the button of a tool bar", () => {
    const at = (y: number) => ({ x: 0, y, width: 60, height: 20 });
    const entry = makeElement({ role: "menuitem", name: "Sort...", actions: ["press"], bounds: at(30) });
    const menu = makeElement({ role: "menu", name: "Data", bounds: at(0), children: [entry] });
    expect(nameOf(choose("sort", menu, button("Sort")))).toBe("menuitem Sort...");
    const closed = makeElement({ ...menu, children: [makeElement({ ...entry, bounds: undefined })] });
    expect(nameOf(choose("sort", closed, button("Sort")))).toBe("AMBIGUOUS");
    expect(nameOf(choose("sort...", closed, button("Sort")))).toBe("menuitem Sort...");
  });

  test("by a symbol alone, with its role", () => {
    expect(nameOf(choose("× button", button("×"), button("÷")))).toBe("button ×");
  });

  test("by its role alone, if it is the only one", () => {
    expect(nameOf(choose("input", makeElement({ role: "input" }), button("OK")))).toBe("input ");
    expect(nameOf(choose("button", button("A"), button("B")))).not.toStartWith("button");
  });

  test("never if two have the name, if it is only similar, or if it only contains the words somewhere", () => {
    expect(nameOf(choose("delete", button("Delete"), button("Delete")))).toBe("AMBIGUOUS");
    expect(nameOf(choose("serach", button("Search")))).toBe("NOT_FOUND");
  });

  test("or the refusal lists each candidate with its mark and why it matches", () => {
    const refused = choose("delete", button("Delete"), button("Delete"));
    if (refused.ok) throw new Error("it was not refused");
    expect(refused.failure.nearest).toEqual([
      '1 btn "Delete" in Mousepad (its name)',
      '2 btn "Delete" in Mousepad (its name)',
    ]);
    expect(refused.failure.done).toBe("nothing was done.");
  });
});
