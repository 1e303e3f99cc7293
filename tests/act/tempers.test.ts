import { afterAll, afterEach, beforeEach, expect, type Mock, spyOn, test } from "bun:test";
import type { Part, Seen } from "../../src/act/compare.ts";
import { stillMs, Tempers } from "../../src/act/tempers.ts";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import type { Element } from "../../src/model/element.ts";
import { idOfContent } from "../../src/model/pair.ts";
import { makeElement, makeWindow } from "../fixtures/elements.ts";
import { makeMapFolder } from "../map/desk.ts";
import { ScriptedWatch } from "./scripted-watch.ts";

const folder = makeMapFolder();
let clock: Mock<() => number>;
let nowMs = 0;
let store: SqliteStore;
let tempers: Tempers;
beforeEach(() => {
  nowMs = 10_000;
  store = folder.open();
  clock = spyOn(performance, "now").mockImplementation(() => nowMs);
  tempers = new Tempers({ marks: store }, new ScriptedWatch(), undefined);
});
afterEach(() => {
  clock.mockRestore();
  store.close();
});
afterAll(() => folder.remove());

const [window, frame] = [makeWindow(), "root"];
const log = (name: string): Element => makeElement({ role: "text", name, handle: "log" });
const word = makeElement({ role: "text", name: "Working", handle: "word" });

function see(...children: readonly Element[]): Seen {
  const root = makeElement({ role: "window", handle: frame, children });
  const snapshot = { takenAtMs: 0, windows: [{ window, root, notes: [], appKey: "" }], all: [window] };
  return { snapshot: { ...snapshot, includeHidden: false }, numbers: new Map() };
}

/** Two reads, one after the other, at a time after the action. */
function read(atMs: number, before: Seen, after: Seen, isDrawn = false): void {
  nowMs = 10_000 + atMs;
  tempers.note(before, after, isDrawn, true);
}

const partOf = (id: string): Part => ({ own: [id], around: [] });

test("what changed is calm once a read has shown it unchanged for long enough, not by the time alone", () => {
  read(0, see(log("0")), see(log("1")));
  nowMs += stillMs + 10;
  // It may have changed again since that read.
  expect(tempers.find(partOf("log"))).toBeUndefined();
  expect(tempers.leftMs([partOf("log")])).toBe(stillMs);
  read(stillMs + 20, see(log("1")), see(log("1")));
  expect(tempers.find(partOf("log"))).toBe("calm");
});

test("what changed again in the last read is restless, however late that read came", () => {
  read(0, see(log("0")), see(log("1")));
  read(stillMs + 20, see(log("1")), see(log("2")));
  expect(tempers.find(partOf("log"))).toBe("restless");
});

test("what was still for long enough and is in doubt all the same does not end the watch over the rest", () => {
  const content = partOf(idOfContent(frame));
  read(0, see(log("0")), see(log("0"), word));
  // Something was drawn that no read shows.
  read(1000, see(log("0"), word), see(log("0"), word), true);
  read(2000, see(log("0"), word), see(log("1"), word));
  read(stillMs + 100, see(log("1"), word), see(log("1"), word));
  expect([tempers.find(content), tempers.find(partOf("log"))]).toEqual([undefined, undefined]);
  expect(tempers.leftMs([content, partOf("log")])).toBe(1900);
  expect(tempers.leftMs([content])).toBe(0);
});
