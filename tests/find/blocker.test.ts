import { expect, test } from "bun:test";
import { findBlocker } from "../../src/find/blocker.ts";
import type { Window } from "../../src/model/window.ts";
import { makeWindow } from "../fixtures/elements.ts";

// Windows front to back, in the display's stacking order.

function open(...sketches: readonly (Partial<Window> & { readonly id: number })[]): readonly Window[] {
  return sketches.map((sketch, zOrder) => makeWindow({ pid: 42, ...sketch, zOrder }));
}

function findFor(windows: readonly Window[], id: number): number | undefined {
  const own = windows.find((window) => window.id === id);
  return own && findBlocker(windows, own)?.id;
}

const modal = { state: ["modal"] } as const;

test("a dialog blocks its owner window, and is not blocked itself", () => {
  const windows = open({ id: 2, ownerId: 1, ...modal }, { id: 1 });
  expect([findFor(windows, 1), findFor(windows, 2)]).toEqual([2, undefined]);
});

test("a question over a dialog blocks both windows below it", () => {
  const windows = open({ id: 3, ownerId: 2, ...modal }, { id: 2, ownerId: 1, ...modal }, { id: 1 });
  expect([findFor(windows, 1), findFor(windows, 2), findFor(windows, 3)]).toEqual([3, 3, undefined]);
});

test("the front one of two questions over one dialog blocks the other", () => {
  const windows = open(
    { id: 4, ownerId: 2, ...modal },
    { id: 3, ownerId: 2, ...modal },
    { id: 2, ownerId: 1, ...modal },
    { id: 1 },
  );
  expect([findFor(windows, 2), findFor(windows, 3), findFor(windows, 4)]).toEqual([4, 4, undefined]);
});

test("another document of the same application is not blocked, unless the dialog has no owner", () => {
  const owned = open({ id: 2, ownerId: 1, ...modal }, { id: 1 }, { id: 5 });
  expect(findFor(owned, 5)).toBeUndefined();
  const free = open({ id: 5 }, { id: 2, ...modal }, { id: 1 });
  expect([findFor(free, 5), findFor(free, 1), findFor(free, 2)]).toEqual([2, 2, undefined]);
});

test("a dialog does not block what it opens; another application's dialog and a minimised one block nothing", () => {
  const windows = open(
    { id: 3, ownerId: 2 },
    { id: 2, ownerId: 1, ...modal },
    { id: 6, pid: 7, ...modal },
    { id: 7, ownerId: 8, state: ["modal", "minimised"] },
    { id: 8 },
    { id: 1 },
  );
  expect([findFor(windows, 3), findFor(windows, 8)]).toEqual([undefined, undefined]);
});

test("windows that own each other do not cause an endless search", () => {
  const windows = open({ id: 2, ownerId: 1, ...modal }, { id: 1, ownerId: 2 });
  expect(findFor(windows, 1)).toBeUndefined();
});
