import { beforeEach, describe, expect, test } from "bun:test";
import type { Element } from "../../src/model/element.ts";
import { SelfChanges } from "../../src/platform/linux/live/self-changes.ts";
import { makeElement } from "../fixtures/elements.ts";

const [window, pid] = [7, 100];
let nowMs = 0;
let changes: SelfChanges;
let root: Element;

beforeEach(() => {
  nowMs = 0;
  changes = new SelfChanges(() => nowMs);
  root = makeRoot(clock("0"), status("Ready"));
  changes.noteRead(window, pid, undefined, root);
});

const clock = (name: string, handle = "clock"): Element => makeElement({ role: "text", name, handle });
const status = (name: string): Element => makeElement({ role: "text", name, handle: "status" });
const makeRoot = (...children: Element[]): Element => makeElement({ role: "window", handle: "root", children });

function become(...children: Element[]): void {
  const before = root;
  root = makeRoot(...children);
  changes.noteRead(window, pid, before, root);
}

function act(work: () => void): void {
  const end = changes.beginAction(new Set([pid]));
  work();
  end();
}

const temperOf = (id: string) => changes.findTemper([window], id);

describe("a followed element", () => {
  test("is of unknown temper at first, and calm after three seconds without changes", () => {
    expect(temperOf("status")).toBeUndefined();
    nowMs = 2999;
    expect(temperOf("status")).toBeUndefined();
    nowMs = 3000;
    expect(temperOf("status")).toBe("calm");
  });

  test("is restless once it has changed twice by itself, and for a minute", () => {
    for (const second of [1, 2]) {
      nowMs = second * 1000;
      become(clock(String(second)), status("Ready"));
    }
    nowMs = 4000;
    expect([temperOf("clock"), temperOf("status")]).toEqual(["restless", "calm"]);
    nowMs = 63_000;
    expect(temperOf("clock")).toBe("calm");
  });

  test("is of unknown temper after one change: a person may have made it", () => {
    nowMs = 3000;
    become(clock("1"), status("Ready"));
    nowMs = 5000;
    expect(temperOf("clock")).toBeUndefined();
  });

  test("stays calm when each action changes it once", () => {
    nowMs = 5000;
    for (const words of ["Saved", "Ready", "Saved"]) {
      act(() => become(clock("0"), status(words)));
      nowMs += 400;
    }
    expect(temperOf("status")).toBe("calm");
  });

  test("is restless if it keeps changing during a long action", () => {
    nowMs = 5000;
    act(() => {
      for (const second of [1, 2, 3]) {
        nowMs += 1000;
        become(clock(String(second)), status("Ready"));
      }
    });
    expect([temperOf("clock"), temperOf("status")]).toEqual(["restless", "calm"]);
  });

  test("is unknown in windows that are not followed", () => {
    nowMs = 9000;
    expect(changes.findTemper([window, 8], "status")).toBeUndefined();
    expect(changes.findTemper([], "status")).toBeUndefined();
  });
});

test("a text replaced by another object with other words keeps its temper, even during an action", () => {
  for (const second of [1, 2]) {
    nowMs = second * 1000;
    become(clock(String(second), `clock ${second}`), status("Ready"));
  }
  nowMs = 4000;
  act(() => become(clock("3", "clock 3"), status("Ready")));
  expect([temperOf("clock 3"), temperOf("texts")]).toEqual(["restless", "restless"]);
});

test("lines written to a log make the texts of its window restless, and nothing else", () => {
  for (const second of [1, 2]) {
    nowMs = second * 1000;
    become(...root.children, makeElement({ role: "text", name: "line", handle: `line ${second}` }));
  }
  nowMs = 4000;
  expect([temperOf("texts"), temperOf("status")]).toEqual(["restless", "calm"]);
});

test("a title that changes by itself is restless", () => {
  for (const second of [1, 2]) {
    nowMs = second * 1000;
    changes.noteTitle(window, pid);
  }
  nowMs = 4000;
  expect([changes.findTemper([window], `title:${window}`), temperOf("status")]).toEqual(["restless", "calm"]);
});

test("a moving focus is no change", () => {
  for (const states of [["focused"], []] as const) {
    nowMs += 1000;
    become(clock("0"), makeElement({ role: "text", name: "Ready", handle: "status", states: new Set(states) }));
  }
  nowMs = 4000;
  expect(temperOf("status")).toBe("calm");
});
