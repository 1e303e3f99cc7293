import { describe, expect, test } from "bun:test";
import { DirtyNodes } from "../../../../src/platform/linux/live/dirty-nodes.ts";
import { RecheckQueue } from "../../../../src/platform/linux/live/recheck-queue.ts";

const delays = [300, 800];
const here = { x: 0, y: 0, width: 100, height: 100 };
const there = { x: 500, y: 500, width: 20, height: 20 };

function partOf(...areas: (typeof here)[]) {
  return { dirty: new DirtyNodes(), areas, isSurvey: false };
}

describe("a scheduled recheck", () => {
  test("is due at its own time after the event, and not delayed by events elsewhere", () => {
    const rechecks = new RecheckQueue();
    rechecks.add(partOf(here), 1000, 1005);
    rechecks.add(partOf(there), 1250, 1255);
    expect(rechecks.dueAt(delays)).toBe(1300);
    expect(rechecks.takeDue(1300, delays).flatMap(({ areas }) => areas)).toEqual([here]);
    expect(rechecks.dueAt(delays)).toBe(1550);
  });

  test("happens as often as its application needs, and no more if nothing changes", () => {
    const rechecks = new RecheckQueue();
    rechecks.add(partOf(here), 1000, 1005);
    rechecks.putBack(rechecks.takeDue(1300, delays), 1300, false, delays);
    expect(rechecks.dueAt(delays)).toBe(1800);
    rechecks.putBack(rechecks.takeDue(1800, delays), 1800, false, delays);
    expect(rechecks.isEmpty).toBe(true);
  });

  test("restarts if changes continue", () => {
    const rechecks = new RecheckQueue();
    rechecks.add(partOf(here), 1000, 1005);
    rechecks.putBack(rechecks.takeDue(1300, [300]), 1310, true, [300]);
    expect(rechecks.dueAt([300])).toBe(1610);
  });

  test("is delayed by an event at the same place, and kept beside it", () => {
    const rechecks = new RecheckQueue();
    rechecks.add(partOf(here, there), 1000, 1005);
    rechecks.add(partOf({ ...here, width: 200 }), 1200, 1205);
    expect(rechecks.takeDue(1300, delays).flatMap(({ areas }) => areas)).toEqual([there]);
    expect(rechecks.dueAt(delays)).toBe(1500);
  });

  test("makes a read distrust a node only if it was read too soon", () => {
    const rechecks = new RecheckQueue();
    rechecks.add(partOf(here), 1000, 1005);
    rechecks.add(partOf(there), 1000, 1400);
    expect(rechecks.takeDoubtful().flatMap(({ areas }) => areas)).toEqual([here]);
  });

  test("is one of few, however much happens, and none is lost", () => {
    const rechecks = new RecheckQueue();
    for (let step = 0; step < 1000; step += 1) {
      const dirty = new DirtyNodes();
      dirty.add(`/object/${step}`, "self");
      rechecks.add({ dirty, areas: [], isSurvey: step === 3 }, step, step);
    }
    const due = rechecks.takeDue(5000, delays);
    expect(due.length).toBeLessThanOrEqual(12);
    const all = new DirtyNodes();
    for (const { dirty } of due) all.addAll(dirty);
    expect(all.takeUnknown(new Set()).length).toBe(1000);
    expect(due.some(({ isSurvey }) => isSurvey)).toBe(true);
  });
});
