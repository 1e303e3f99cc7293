import { describe, expect, test } from "bun:test";
import type { Element } from "../../src/model/element.ts";
import { listPartIds, listValueIds, pairChildren } from "../../src/model/pair.ts";
import { makeElement } from "../fixtures/elements.ts";

const text = (handle: string): Element => makeElement({ role: "text", handle, name: handle });
const button = (handle: string): Element => makeElement({ role: "button", handle, name: handle });

/** The handles of the children after, each with that of its former state. */
function pair(before: readonly Element[], after: readonly Element[]): Record<string, string> {
  const [old, now] = [before, after].map((children) => makeElement({ role: "group", children }));
  const pairs = old && now ? pairChildren(old, now) : [];
  return Object.fromEntries(Array.from(pairs, ([child, former]) => [child.handle, former.handle]));
}

describe("a child is", () => {
  test("the same object, wherever it is", () => {
    expect(pair([text("a"), text("b")], [text("b"), text("a")])).toEqual({ a: "a", b: "b" });
  });

  test("the text that was in its place, beside the same neighbour or alone", () => {
    expect(pair([button("go"), text("0")], [button("go"), text("1")])).toEqual({ go: "go", "1": "0" });
    expect(pair([text("0")], [text("1")])).toEqual({ "1": "0" });
  });

  test("new if it is a control, or of another role", () => {
    expect(pair([button("play")], [button("pause")])).toEqual({});
    expect(pair([text("0")], [button("1")])).toEqual({});
  });

  test("what looked the same in its place, if all are new objects and look as before", () => {
    const cell = (handle: string, name: string, ...children: Element[]) =>
      makeElement({ role: "cell", handle, name, children });
    const old = [cell("1", "Places"), cell("2", ""), cell("3", "Trash", button("x"))];
    expect(pair(old, [cell("4", "Places"), cell("5", ""), cell("6", "Trash", button("x"))])).toEqual({
      "4": "1",
      "5": "2",
      "6": "3",
    });
    // Sorted anew, renamed, or with other content.
    expect(pair(old, [cell("4", "Trash", button("x")), cell("5", ""), cell("6", "Places")])).toEqual({});
    expect(pair(old, [cell("4", "Places"), cell("5", ""), cell("6", "Bin", button("x"))])).toEqual({});
    expect(pair(old, [cell("4", "Places"), cell("5", ""), cell("6", "Trash")])).toEqual({});
  });

  test("new if the lines around it have moved on", () => {
    expect(pair([text("1"), text("2")], [text("3"), text("4")])).toEqual({});
    expect(pair([text("1"), text("2")], [text("2"), text("3")])).toEqual({ "2": "2" });
  });
});

test("of a value, the parts that are different have ids; if their number is another, it has one", () => {
  expect(listValueIds("h", "0 … Idle", "1 … Idle")).toEqual(["h#0"]);
  expect(listValueIds("h", "0 … Idle", "1")).toEqual(["h"]);
  expect(listValueIds("h", "0", "1")).toEqual(["h"]);
  expect([listPartIds("h", "0", "1"), listPartIds("h", "0 … Idle", "0")]).toEqual([[], ["h#0", "h#1"]]);
});
