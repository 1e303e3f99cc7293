import { describe, expect, test } from "bun:test";
import type { ScreenPicture, ShownWindow } from "../../src/inspector/screen.ts";
import { compareViews, nothingKnown } from "../../src/live/compare.ts";
import type { Bounds } from "../../src/model/bounds.ts";
import { type Result, succeed } from "../../src/model/failure.ts";
import type { View } from "../../src/model/view.ts";
import { DeskModel } from "../../web/desk-model.ts";
import { describeUnknownKeys, parseQuery } from "../../web/query.ts";
import { keepFree } from "../../web/screen/free-tags.ts";
import { findAt, findBeside, listMarked, listSeen } from "../../web/screen/marks.ts";
import { PictureFeed, type TakenPicture } from "../../web/screen/picture-feed.ts";
import { choosePictureScale, fitInto, stepZoom } from "../../web/screen/zoom.ts";
import { makeMarked, makeView } from "../fixtures/elements.ts";

const home = { x: 100, y: 50, width: 400, height: 300 };
const screen = { x: 0, y: 0, width: 1000, height: 700 };

function makeDesk(x = home.x): View {
  const at = (left: number, top: number) => ({ x: x + left, y: 50 + top, width: 40, height: 20 });
  const buttons = [
    makeMarked(2, { name: "One", bounds: at(10, 10) }),
    makeMarked(3, { name: "Two", bounds: at(100, 10) }),
  ];
  const below = makeMarked(4, { role: "input", name: "Below", bounds: at(10, 200) });
  const group = makeMarked(9, { role: "group", name: "All", bounds: at(0, 0), children: buttons });
  return makeView([group, below], { bounds: { ...home, x } });
}

function makePicture(version: number, windows: readonly Partial<ShownWindow>[]): TakenPicture {
  const plain = { app: "a", title: "t", bounds: home, isMinimised: false, isMoving: false, isInspector: false };
  const about = { picture: 1, width: 500, height: 350, origin: { x: 0, y: 0 }, scale: 0.5, takenAtMs: 0, tookMs: 10 };
  return {
    ...about,
    monitors: [],
    covered: [],
    windows: windows.map((one) => ({ id: 7, ...plain, ...one })),
    version,
    file: new Blob(),
  };
}

function makeModel(): DeskModel {
  const model = new DeskModel();
  model.apply(compareViews(nothingKnown, makeDesk(), { withPlaces: true }).lines);
  return model;
}

const marksOf = (seen: ReturnType<typeof listSeen>): number[] => seen.map(({ control }) => control.mark).sort();

describe("tags at a small scale", () => {
  const room = { x: 0, y: 0, width: 500, height: 400 };
  const small = { width: 20, height: 12 };
  const tagged = (mark: number, bounds: Bounds, tag: Bounds) => ({ mark, bounds, tag });

  test("hide no control, except a large one, and no other tag", () => {
    const tags = [
      tagged(1, { x: 0, y: 20, width: 30, height: 12 }, { x: 0, y: 8, ...small }),
      tagged(3, { x: 0, y: 100, width: 400, height: 200 }, { x: 0, y: 100, ...small }),
    ];
    expect(keepFree(tags, room)).toEqual(tags);
  });

  test("may hide a line of pixels of their own small control, at the edge of the picture", () => {
    const bar = [0, 40, 80].map((x, at) => tagged(at + 1, { x, y: 11, width: 36, height: 16 }, { x, y: 0, ...small }));
    expect(keepFree(bar, room)).toEqual(bar);
    const low = bar.map((one) => ({ ...one, bounds: { ...one.bounds, y: 4 } }));
    expect(keepFree(low, room).every(({ tag }) => tag.y >= 20)).toBe(true);
  });

  test("move to where there is room beside their control, and are left out where there is none", () => {
    const list = [0, 1, 2, 3, 4].map((row) => ({ x: 0, y: row * 12, width: 30, height: 12 }));
    const beside = { x: 31, y: 0, width: 30, height: 60 };
    const tags = [
      ...list.map((bounds, row) => tagged(row + 1, bounds, { ...bounds, ...small })),
      tagged(6, beside, { x: 35, y: 0, ...small }),
    ];
    const kept = keepFree(tags, room);
    expect(kept.map(({ mark, tag }) => [mark, tag.x, tag.y])).toEqual([
      [5, 0, 60],
      [6, 35, 0],
    ]);
  });
});

test("a filter names its unknown keys", () => {
  expect(parseQuery("colour:red role:button 12:30").unknownKeys).toEqual(["colour"]);
  expect(describeUnknownKeys(["colour"])).toBe("unknown key colour: role, app, window, state");
});

describe("marks over a picture", () => {
  test("are drawn as soon as the tree has come, even over an older picture", () => {
    expect(marksOf(listSeen(makeModel(), makePicture(0, [{}])))).toEqual([2, 3, 4, 9]);
  });

  test("are those of the controls it shows, at their places", () => {
    const seen = listSeen(makeModel(), makePicture(1, [{}]));
    expect(marksOf(seen)).toEqual([2, 3, 4, 9]);
    expect(seen.find(({ control }) => control.mark === 3)?.bounds).toEqual({ x: 200, y: 60, width: 40, height: 20 });
    expect(marksOf(listMarked(seen, makeModel(), parseQuery(""), screen))).toEqual([2, 3, 4]);
    expect(marksOf(listMarked(seen, makeModel(), parseQuery("role:group"), screen))).toEqual([9]);
    expect(marksOf(listMarked(seen, makeModel(), parseQuery("below"), screen))).toEqual([4]);
  });

  test("are not drawn in a window that moved since or meanwhile, is minimised, or shows the inspector", () => {
    const model = makeModel();
    const moved = makeDesk(300);
    model.apply(compareViews(makeDesk(), moved, { withPlaces: true }).lines);
    expect(marksOf(listSeen(model, makePicture(1, [{}])))).toEqual([]);
    expect(marksOf(listSeen(model, makePicture(2, [{ bounds: { ...home, x: 300 } }])))).toEqual([2, 3, 4, 9]);
    for (const state of ["isMoving", "isMinimised", "isInspector"]) {
      expect(marksOf(listSeen(makeModel(), makePicture(1, [{ [state]: true }])))).toEqual([]);
    }
  });

  test("of a control that moved or appeared since are not drawn before the next picture", () => {
    const model = makeModel();
    model.apply([
      { kind: "changed", id: 3, role: "button", name: "Two", window: 7, bounds: [0, 0, 5, 5], was: { place: "" } },
    ]);
    expect(marksOf(listSeen(model, makePicture(1, [{}])))).toEqual([2, 4, 9]);
    expect(marksOf(listSeen(model, makePicture(2, [{}])))).toEqual([2, 3, 4, 9]);
  });

  test("under another window are not drawn; a point there selects nothing", () => {
    const front = { id: 8, bounds: { x: 90, y: 40, width: 200, height: 60 } };
    const seen = listSeen(makeModel(), makePicture(1, [front, {}]));
    expect(marksOf(seen)).toEqual([4]);
    const partly = listSeen(
      makeModel(),
      makePicture(1, [{ id: 8, bounds: { x: 90, y: 40, width: 30, height: 60 } }, {}]),
    );
    expect(marksOf(partly)).toEqual([2, 3, 4, 9]);
    expect(findAt(partly, { x: 112, y: 65 })).toBeUndefined();
    expect(findAt(partly, { x: 130, y: 65 })?.control.mark).toBe(2);
  });

  test("lead by arrow keys to their neighbours", () => {
    const seen = listMarked(listSeen(makeModel(), makePicture(1, [{}])), makeModel(), parseQuery(""), screen);
    const one = seen.find(({ control }) => control.mark === 2);
    if (one === undefined) throw new Error("not there");
    expect(findBeside(seen, one.bounds, [1, 0])?.control.mark).toBe(3);
    expect(findBeside(seen, one.bounds, [0, 1])?.control.mark).toBe(4);
    expect(findBeside(seen, one.bounds, [-1, 0])).toBeUndefined();
  });
});

describe("pictures", () => {
  function makeFeed() {
    const waits: number[] = [];
    let release = Promise.withResolvers<void>();
    const shown: number[] = [];
    const complaints: string[] = [];
    let answer: Result<ScreenPicture> = succeed(makePicture(0, []));
    let taken = 0;
    const feed = new PictureFeed({
      take: async () => {
        taken += 1;
        return answer;
      },
      fetch: () => new Blob(),
      version: () => 5,
      show: ({ version }) => void shown.push(version),
      complain: (message) => void complaints.push(message),
      wait: (forMs) => {
        waits.push(forMs);
        release = Promise.withResolvers();
        return release.promise;
      },
    });
    const settle = () => Bun.sleep(0);
    return {
      feed,
      waits,
      shown,
      complaints,
      settle,
      count: () => taken,
      rest: async () => {
        release.resolve();
        await settle();
      },
      failFrom: (message: string) => {
        answer = { ok: false, failure: { code: "UNAVAILABLE", message, done: "" } };
      },
    };
  }

  test("are taken when something has changed and someone looks, and not otherwise", async () => {
    const { feed, count, settle, rest } = makeFeed();
    feed.request();
    await settle();
    expect(count()).toBe(0);
    feed.setShown(true);
    await settle();
    expect(count()).toBe(1);
    await rest();
    expect(count()).toBe(1);
    feed.setShown(false);
    feed.request();
    await settle();
    expect(count()).toBe(1);
    feed.setShown(true);
    await settle();
    expect(count()).toBe(2);
  });

  test("are taken one at a time with a pause between, and once more for all changes meanwhile", async () => {
    const { feed, count, settle, rest, waits, shown } = makeFeed();
    feed.setShown(true);
    for (let change = 0; change < 10; change += 1) feed.request();
    await settle();
    expect(count()).toBe(1);
    for (let change = 0; change < 10; change += 1) feed.request();
    await rest();
    expect(count()).toBe(2);
    await rest();
    expect([count(), shown, Math.min(...waits) >= 250]).toEqual([2, [5, 5], true]);
  });

  test("that cannot be taken are retried, with the reason shown", async () => {
    const { feed, count, settle, rest, complaints, failFrom } = makeFeed();
    failFrom("no display");
    feed.setShown(true);
    feed.request();
    await settle();
    await rest();
    expect([count(), complaints]).toEqual([2, ["no display", "no display"]]);
  });
});

test("zoom goes in steps, fits the content, and requests no more pixels than it shows", () => {
  expect([stepZoom(0.6, 1), stepZoom(0.6, -1), stepZoom(4, 1), stepZoom(0.1, -1)]).toEqual([0.75, 0.5, 4, 0.1]);
  expect(fitInto({ width: 2000, height: 1000 }, { width: 500, height: 500 })).toBe(0.25);
  expect(fitInto({ width: 200, height: 100 }, { width: 500, height: 500 })).toBe(1);
  expect([0.2, 0.5, 0.6, 3].map(choosePictureScale)).toEqual([0.25, 0.5, 1, 1]);
});
