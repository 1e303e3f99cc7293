import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { listBarePlaces, type PlaceNews, refreshPlaces, rememberPlaces } from "../../src/find/bare-places.ts";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import type { Picture } from "../../src/model/frame.ts";
import { applicationKeyOf } from "../../src/model/window.ts";
import { makeWindow } from "../fixtures/elements.ts";
import { draw } from "../picture/pictures.ts";
import { makeMapFolder } from "./desk.ts";

// Controls that no tree tells of, in a map of their own.

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
const picture: Picture = {
  pixels: draw(800, 600, (x, y) => ((x ^ y) & 8 ? [20, 20, 20] : [230, 230, 230])).pixels,
  bounds: { x: 0, y: 0, width: 800, height: 600 },
};

function describeAt(x: number, y: number, more: Partial<PlaceNews> = {}): PlaceNews {
  const bounds = { x, y, width: 60, height: 30 };
  const point = { x: x + 30, y: y + 15 };
  return { source: "ocr", role: "button", name: `at ${x},${y}`, taught: "", certainty: 0.8, bounds, point, ...more };
}

const remember = (...news: readonly PlaceNews[]): readonly number[] =>
  rememberPlaces({ marks: store }, board, [board], picture, news);

test("an application of which only places are known is known by each of its names", () => {
  remember(describeAt(10, 10));
  const app = applicationKeyOf(board);
  const names = new Set([app.toLowerCase(), "drawing board", "board-canvas", "org.example.board"]);
  expect(store.listNames()).toEqual(new Map([[app, names]]));
});

test("a place that was seen again is where it was seen last, with its size and its point", () => {
  const [mark = 0] = remember(describeAt(10, 10));
  const moved = { bounds: { x: 110, y: 210, width: 80, height: 40 }, point: { x: 150, y: 230 } };
  refreshPlaces({ marks: store }, board, picture, [{ mark, source: "ocr", certainty: 0.9, ...moved }]);
  expect(listBarePlaces({ marks: store }, [board], [board])).toMatchObject([{ mark, ...moved }]);
  expect(store.findRef(mark)?.bounds).toEqual(moved.bounds);
});

describe("of what pictures have shown and nobody has used", () => {
  const many = (count: number): PlaceNews[] =>
    Array.from({ length: count }, (_, at) => describeAt((at % 40) * 15, Math.floor(at / 40) * 10));

  test("the last three hundred are kept", () => {
    const marks = [...remember(...many(200)), ...remember(...many(150))];
    const kept = store.listTargets({ sources: ["ocr"] }).map(({ learned }) => learned.mark);
    expect(kept.sort((one, other) => one - other)).toEqual(marks.slice(-300));
  });

  test("what was used, named, or shown by a person stays, and so does what belongs to others", () => {
    const [used = 0, missed = 0, named = 0] = remember(...many(3));
    const [shown = 0] = remember(describeAt(5, 5, { source: "learned", taught: "mine" }));
    store.countAct(used, true);
    store.countAct(missed, false);
    store.teach(named, "named");
    const other = makeWindow({ app: "Other", class: "Other", aliases: [], id: 8 });
    const [foreign = 0] = rememberPlaces({ marks: store }, other, [other], picture, many(1));
    remember(...many(310));
    for (const mark of [used, missed, named, shown, foreign])
      expect([mark, store.findRef(mark)?.role]).toEqual([mark, "button"]);
    expect(store.listTargets({ sources: ["ocr"] })).toHaveLength(304);
  });
});
