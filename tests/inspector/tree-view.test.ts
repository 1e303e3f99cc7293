import { describe, expect, test } from "bun:test";
import { compareViews, nothingKnown } from "../../src/live/compare.ts";
import { DeskModel } from "../../web/desk-model.ts";
import { Flashes } from "../../web/flash.ts";
import { listFitting, parseQuery } from "../../web/query.ts";
import { keyOf, listRows } from "../../web/rows.ts";
import { findMove, findTyped } from "../../web/tree-keys.ts";
import { makeMarked, makeView } from "../fixtures/elements.ts";

function makeModel(): DeskModel {
  const items = [
    makeMarked(3, { role: "menuitem", name: "Open" }),
    makeMarked(4, { role: "menuitem", name: "Öffnen mit" }),
  ];
  const view = makeView([
    makeMarked(2, { role: "menu", name: "File", children: items }),
    makeMarked(5, { role: "input", name: "Name", value: "Ada Lovelace", states: new Set(["disabled" as const]) }),
  ]);
  const model = new DeskModel();
  model.apply(compareViews(nothingKnown, view, { withPlaces: true }).lines);
  return model;
}

describe("the lines of the tree", () => {
  test("are in reading order, each with its level and its place among its siblings", () => {
    const rows = listRows(makeModel(), new Set());
    expect(rows.map((row) => [keyOf(row), row.level, row.position, row.siblings, row.isOpen])).toEqual([
      ["w7", 1, 1, 1, true],
      ["c2", 2, 1, 2, true],
      ["c3", 3, 1, 2, undefined],
      ["c4", 3, 2, 2, undefined],
      ["c5", 2, 2, 2, undefined],
    ]);
  });

  test("below a closed one are left out", () => {
    expect(listRows(makeModel(), new Set(["c2"])).map(keyOf)).toEqual(["w7", "c2", "c5"]);
    expect(listRows(makeModel(), new Set(["w7"])).map(keyOf)).toEqual(["w7"]);
  });
});

describe("keys in the tree", () => {
  const rows = listRows(makeModel(), new Set());
  const closed = listRows(makeModel(), new Set(["c2"]));

  test("move up, down, to the ends and by pages, and no further", () => {
    expect(findMove("ArrowDown", rows, 1, 3)).toEqual({ to: 2 });
    expect(findMove("ArrowUp", rows, 0, 3)).toEqual({ to: 0 });
    expect(findMove("End", rows, 0, 3)).toEqual({ to: 4 });
    expect(findMove("Home", rows, 4, 3)).toEqual({ to: 0 });
    expect(findMove("PageDown", rows, 3, 3)).toEqual({ to: 4 });
    expect(findMove("PageUp", rows, 4, 3)).toEqual({ to: 1 });
  });

  test("open, close, and go in and out", () => {
    expect(findMove("ArrowRight", closed, 1, 3)).toEqual({ open: "c2" });
    expect(findMove("ArrowRight", rows, 1, 3)).toEqual({ to: 2 });
    expect(findMove("ArrowRight", rows, 2, 3)).toEqual({});
    expect(findMove("ArrowLeft", rows, 1, 3)).toEqual({ close: "c2" });
    expect(findMove("ArrowLeft", rows, 3, 3)).toEqual({ to: 1 });
    expect(findMove("Tab", rows, 3, 3)).toBeUndefined();
  });

  test("that spell a name find it, wrapping around the end", () => {
    expect(findTyped(makeModel(), rows, 2, "n")).toBe(4);
    expect(findTyped(makeModel(), rows, 4, "o")).toBe(2);
    expect(findTyped(makeModel(), rows, 2, "op")).toBe(2);
    expect(findTyped(makeModel(), rows, 2, "zz")).toBeUndefined();
  });
});

describe("a search", () => {
  const find = (text: string): number[] => listFitting(makeModel(), parseQuery(text));

  test("finds words in name and value, in any case, and marks", () => {
    expect(find("öffnen")).toEqual([4]);
    expect(find("LOVELACE ada")).toEqual([5]);
    expect(find('"ada love"')).toEqual([5]);
    expect(find("#3")).toEqual([3]);
    expect(find("")).toEqual([]);
  });

  test("finds role, application, window and state, even while the word is incomplete", () => {
    expect(find("role:menuitem")).toEqual([3, 4]);
    expect(find("role:menui")).toEqual([3, 4]);
    expect(find("role:input app:mouse")).toEqual([5]);
    expect(find("app:firefox")).toEqual([]);
    expect(find("state:disabled window:notes")).toEqual([5]);
    expect(find("constructor:x")).toEqual([]);
  });
});

test("a changed line flashes for a moment, and an initial one does not", () => {
  let nowMs = 0;
  const flashes = new Flashes(() => nowMs);
  flashes.note(1, true);
  flashes.note(2, false);
  expect([flashes.isFlashing(1), flashes.isFlashing(2)]).toEqual([false, true]);
  nowMs = 2000;
  expect(flashes.isFlashing(2)).toBe(false);
});
