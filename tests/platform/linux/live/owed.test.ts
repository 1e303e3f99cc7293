import { describe, expect, test } from "bun:test";
import { Marks } from "../../../../src/platform/linux/live/marks.ts";
import { Owed } from "../../../../src/platform/linux/live/owed.ts";

const delays = [300, 800];
const here = { x: 0, y: 0, width: 100, height: 100 };
const there = { x: 500, y: 500, width: 20, height: 20 };

function partOf(...areas: (typeof here)[]) {
  return { marks: new Marks(), areas, isSurvey: false };
}

describe("what is owed another look", () => {
  test("is due at its own time after it was heard of, and not put off by what happens elsewhere", () => {
    const owed = new Owed();
    owed.add(partOf(here), 1000, 1005);
    owed.add(partOf(there), 1250, 1255);
    expect(owed.dueAt(delays)).toBe(1300);
    expect(owed.takeDue(1300, delays).flatMap(({ areas }) => areas)).toEqual([here]);
    expect(owed.dueAt(delays)).toBe(1550);
  });

  test("is looked at as often as its application needs, and no more where nothing comes of it", () => {
    const owed = new Owed();
    owed.add(partOf(here), 1000, 1005);
    owed.putBack(owed.takeDue(1300, delays), 1300, false, delays);
    expect(owed.dueAt(delays)).toBe(1800);
    owed.putBack(owed.takeDue(1800, delays), 1800, false, delays);
    expect(owed.isEmpty).toBe(true);
  });

  test("begins anew where it goes on changing", () => {
    const owed = new Owed();
    owed.add(partOf(here), 1000, 1005);
    owed.putBack(owed.takeDue(1300, [300]), 1310, true, [300]);
    expect(owed.dueAt([300])).toBe(1610);
  });

  test("is put off where something happens at the same place, and kept beside it", () => {
    const owed = new Owed();
    owed.add(partOf(here, there), 1000, 1005);
    owed.add(partOf({ ...here, width: 200 }), 1200, 1205);
    expect(owed.takeDue(1300, delays).flatMap(({ areas }) => areas)).toEqual([there]);
    expect(owed.dueAt(delays)).toBe(1500);
  });

  test("is doubted by whoever reads only where it was looked at too soon", () => {
    const owed = new Owed();
    owed.add(partOf(here), 1000, 1005);
    owed.add(partOf(there), 1000, 1400);
    expect(owed.takeDoubtful().flatMap(({ areas }) => areas)).toEqual([here]);
  });

  test("is few things, however much happens, and none is lost", () => {
    const owed = new Owed();
    for (let step = 0; step < 1000; step += 1) {
      const marks = new Marks();
      marks.add(`/object/${step}`, "self");
      owed.add({ marks, areas: [], isSurvey: step === 3 }, step, step);
    }
    const due = owed.takeDue(5000, delays);
    expect(due.length).toBeLessThanOrEqual(12);
    const all = new Marks();
    for (const { marks } of due) all.addAll(marks);
    expect(all.takeUnknown(new Set()).length).toBe(1000);
    expect(due.some(({ isSurvey }) => isSurvey)).toBe(true);
  });
});
