import { describe, expect, test } from "bun:test";
import { Areas } from "../../../../src/platform/linux/live/areas.ts";

const spinner = { x: 300, y: 300, width: 30, height: 30 };
const button = { x: 10, y: 10, width: 80, height: 20 };

function recheckWithoutChange(areas: Areas, times: number, nowMs: number): void {
  for (let time = 0; time < times; time += 1) {
    areas.add(spinner, nowMs);
    areas.learn(areas.take(), false, nowMs);
  }
}

describe("a drawn area", () => {
  test("is rechecked once, immediately", () => {
    const areas = new Areas();
    expect(areas.dueAt).toBe(Number.POSITIVE_INFINITY);
    areas.add(button, 1000);
    areas.add(spinner, 1000);
    expect(areas.dueAt).toBe(1000);
    expect(areas.take()).toEqual([button, spinner]);
    expect(areas.isEmpty).toBe(true);
  });

  test("is rechecked ever more rarely if nothing changes there, while others are immediately", () => {
    const areas = new Areas();
    recheckWithoutChange(areas, 20, 1000);
    areas.add(spinner, 1001);
    expect(areas.dueAt).toBe(1240);
    areas.add(button, 1002);
    expect(areas.dueAt).toBe(1002);
  });

  test("is rechecked as often as before once something changed", () => {
    const areas = new Areas();
    recheckWithoutChange(areas, 20, 1000);
    areas.add(spinner, 1400);
    areas.learn(areas.take(), true, 1400);
    areas.add(spinner, 1401);
    expect(areas.dueAt).toBe(1401);
  });

  test("merges with overlapping ones, and there are few however much is drawn", () => {
    const areas = new Areas();
    for (let step = 0; step < 10_000; step += 1) areas.add({ x: step * 50, y: 0, width: 10, height: 10 }, 0);
    const taken = areas.take();
    expect(taken.length).toBeLessThanOrEqual(16);
    expect(Math.max(...taken.map(({ x, width }) => x + width))).toBe(499_960);
  });
});
