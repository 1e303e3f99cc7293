import { describe, expect, test } from "bun:test";
import { compare, type Seen } from "../../src/act/compare.ts";
import { judgeCells, spreadOverCells } from "../../src/act/sheet.ts";
import type { Element } from "../../src/model/element.ts";
import { makeElement, makeWindow } from "../fixtures/elements.ts";

describe("text typed into a sheet", () => {
  test("is spread over columns by Tab and over rows by Return, from the current cell", () => {
    const entries = spreadOverCells({ column: 26, row: 9 }, "a\tb\n\tc\nlast");
    expect(entries.map(({ address, text, isOpen }) => [address, text, isOpen])).toEqual([
      ["Z9", "a", false],
      ["AA9", "b", false],
      ["AA10", "c", false],
      ["Z11", "last", true],
    ]);
  });

  test("names columns past Z as sheets do", () => {
    const names = [1, 26, 27, 52, 53, 702, 703].map((column) => spreadOverCells({ column, row: 1 }, "x")[0]?.address);
    expect(names).toEqual(["A1", "Z1", "AA1", "AZ1", "BA1", "ZZ1", "AAA1"]);
  });
});

const inEditor = "the editor of A4 holds what was typed: Return puts it into the cell, Escape discards it";

describe("what is typed into a sheet", () => {
  const window = makeWindow();
  const cell = (name: string, value: string): Element => makeElement({ role: "cell", name, value, handle: name });
  const cursor = makeElement({ role: "input", name: "Name Box", value: "A5", handle: "box" });

  function judge(typed: string, cells: readonly Element[], later: readonly Element[]) {
    const see = (children: readonly Element[]): Seen => ({
      snapshot: {
        takenAtMs: 0,
        windows: [
          { window, root: makeElement({ role: "window", handle: "root", children }), notes: [], appKey: "calc" },
        ],
        all: [window],
        includeHidden: false,
      },
      numbers: new Map(),
    });
    const [before, after] = [see(cells), see(later)];
    return judgeCells(
      { column: 1, row: 4 },
      typed,
    )({
      comparison: compare(before, after),
      before,
      after,
      target: undefined,
      isTargetGone: false,
      isRepainted: false,
      isPictured: false,
      hasPopup: false,
      isReadable: true,
      temperOf: () => undefined,
      isForeign: () => false,
    });
  }

  test("shows the result of a formula that was entered, and none while it is being written", async () => {
    expect(await judge("=A2+A3\n", [], [cell("A4", "5"), cursor])).toEqual({
      verdict: "confirmed",
      evidence: ["the cell holds what was typed", "A4 shows 5"],
    });
    const field = makeElement({ role: "text", name: "=A2+A3", handle: "field" });
    expect(await judge("=A2+A3", [cell("A4", "8")], [field])).toEqual({
      verdict: "confirmed",
      evidence: [inEditor],
    });
  });

  test("is in the cell's editor until Tab or Return follows, whatever the cell holds", async () => {
    const editor = (name: string): Element => makeElement({ role: "text", name, handle: "editor" });
    const held = cell("A4", "Pear");
    expect(await judge("Pear", [held], [held, editor("Pear")])).toEqual({ verdict: "confirmed", evidence: [inEditor] });
    const more = await judge(" tree", [held, editor("Pear")], [held, editor("Pear tree")]);
    expect(more).toEqual({ verdict: "confirmed", evidence: [inEditor] });
    expect(await judge("Plum", [held], [held, cursor])).toMatchObject({ verdict: "partial" });
  });

  test("is, as a formula, not confirmed by the text that its cell had before", async () => {
    expect(await judge("=A4*2\n", [cell("A4", "x")], [cell("A4", "x"), cursor])).toEqual({
      verdict: "partial",
      evidence: ['A4 still shows "x", where "=A4*2" was typed'],
    });
  });
});
