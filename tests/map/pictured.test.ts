import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { recognise } from "../../src/map/recognise.ts";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import type { Detection } from "../../src/model/detection.ts";
import type { Snapshot, WindowRead } from "../../src/model/snapshot.ts";
import { applicationKeyOf, type Window } from "../../src/model/window.ts";
import { describePictured } from "../../src/sources/vision/describe-window.ts";
import { makeElement, makeWindow } from "../fixtures/elements.ts";
import { makeMapFolder } from "./desk.ts";

// Controls seen only in pictures, in their own map.

let folder: ReturnType<typeof makeMapFolder>;
let store: SqliteStore;
beforeEach(() => {
  folder = makeMapFolder();
  store = folder.open();
});
afterEach(() => {
  store.close();
  folder.remove();
});

const board = makeWindow({ app: "Drawing Board", class: "Board-Canvas", aliases: ["org.example.Board"] });

function see(window: Window, ...detections: readonly Detection[]): readonly number[] {
  const root = describePictured(detections, window);
  const read = { window, appKey: applicationKeyOf(window), root, notes: [] };
  const wanted = root.children.map(({ handle }) => handle);
  const numbers = recognise(store, makeSnapshot(read), new Set(wanted), true);
  return wanted.map((handle) => numbers.get(handle) ?? 0);
}

function words(label: string, x = 10, y = 10): Detection {
  return { role: "button", source: "ocr", label, bounds: { x, y, width: 60, height: 30 }, confidence: 0.9 };
}

function many(from: number, count: number): Detection[] {
  return Array.from({ length: count }, (_, at) => words(`word ${from + at}`, (at % 40) * 15, Math.floor(at / 40) * 40));
}

test("an application seen only in pictures is known by each of its names", () => {
  see(board, words("Go"));
  const app = applicationKeyOf(board);
  const names = new Set([app.toLowerCase(), "drawing board", "board-canvas", "org.example.board"]);
  expect(store.listNames()).toEqual(new Map([[app, names]]));
});

test("the same words in the same window keep their mark at any place, and their source and certainty", () => {
  const [mark = 0] = see(board, words("Go"));
  expect(store.findLearned([mark]).get(mark)).toMatchObject({ source: "ocr", certainty: 0.9 });
  expect(see(board, words("Go", 110, 210))).toEqual([mark]);
  expect(store.findRef(mark)?.bounds).toEqual({ x: 110, y: 210, width: 60, height: 30 });
});

test("the same words in another window are another control, even if the first one is gone", () => {
  const [mark = 0] = see(board, words("Go"));
  const [other = 0] = see({ ...board, id: 99 }, words("Go"));
  expect(other).not.toBe(mark);
});

test("what a picture adds to a tree does not count as missing while no picture is read", () => {
  const button = makeElement({ name: "Own", handle: "tree/own", bounds: { x: 0, y: 0, width: 20, height: 20 } });
  const tree = makeElement({ role: "window", handle: "tree", children: [button] });
  const pictured = describePictured([words("Drawn")], board).children;
  const look = (root: typeof tree): ReadonlyMap<string, number> => {
    const read = { window: board, appKey: applicationKeyOf(board), root, notes: [] };
    const wanted = new Set(root.children.map(({ handle }) => handle));
    return recognise(store, makeSnapshot(read), wanted, true);
  };
  const mark = look({ ...tree, children: [button, ...pictured] }).get(pictured[0]?.handle ?? "") ?? 0;
  const moved = { ...button, bounds: { x: 40, y: 0, width: 20, height: 20 } };
  look({ ...tree, children: [moved] });
  expect(store.findLearned([mark]).get(mark)).toMatchObject({ missing: 0, source: "ocr" });
});

describe("of unused controls that pictures have shown", () => {
  test("the last three hundred are kept, and everything that leads to the others is removed", () => {
    const marks = [...see(board, ...many(0, 200)), ...see(board, ...many(200, 150))];
    const kept = store.listTargets({ sources: ["ocr"] }).map(({ learned }) => learned.mark);
    expect(kept.sort((one, other) => one - other)).toEqual(marks.slice(-300));
    const [again = 0] = see(board, words("word 0"));
    expect(marks).not.toContain(again);
    expect(store.findRef(again)?.name).toBe("word 0");
  });

  test("used or named ones stay, and so do those of others", () => {
    const [used = 0, missed = 0, named = 0] = see(board, ...many(0, 3));
    store.countAct(used, true);
    store.countAct(missed, false);
    store.teach(named, "named");
    const [foreign = 0] = see(makeWindow({ app: "Other", class: "Other", aliases: [], id: 8 }), words("mine"));
    see(board, ...many(100, 310));
    for (const mark of [used, missed, named, foreign]) {
      expect([mark, store.findRef(mark)?.role]).toEqual([mark, "button"]);
    }
    expect(store.listTargets({ sources: ["ocr"] })).toHaveLength(304);
  });
});

function makeSnapshot(read: WindowRead): Snapshot {
  return { takenAtMs: Date.now(), windows: [read], all: [read.window], includeHidden: false };
}
