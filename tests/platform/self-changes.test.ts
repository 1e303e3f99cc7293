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

/** The clock shows these seconds, one after the other. */
function tick(...seconds: readonly number[]): void {
  for (const second of seconds) {
    nowMs = second * 1000;
    become(clock(String(second)), status("Ready"));
  }
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

  test("is restless once it has changed twice by itself", () => {
    tick(1, 2);
    nowMs = 4000;
    expect([temperOf("clock"), temperOf("status")]).toEqual(["restless", "calm"]);
  });

  test("is restless for as long as its rhythm may go on, then unknown, then calm", () => {
    tick(1, 2, 8);
    nowMs = 8000 + 3 * 6000;
    expect(temperOf("clock")).toBe("restless");
    // A person who pressed the same button three times has stopped.
    nowMs += 1;
    expect(temperOf("clock")).toBeUndefined();
    nowMs = 8000 + 120_001;
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

  test("is not calm because each of its changes falls into another action: it was never still", () => {
    for (const second of [1, 2, 3, 4, 5]) act(() => tick(second));
    expect([temperOf("clock"), temperOf("status")]).toEqual([undefined, "calm"]);
  });

  test("is calm if it was still before each action changed it, however fast they follow", () => {
    nowMs = 5000;
    for (const second of [5, 5.3, 5.6]) act(() => tick(second));
    expect(temperOf("clock")).toBe("calm");
  });

  test("that changes in quick steps changed once", () => {
    nowMs = 5000;
    act(() => tick(5, 5.1, 5.2));
    expect(temperOf("clock")).toBe("calm");
  });

  test("is of unknown temper until it was there for three seconds", () => {
    nowMs = 5000;
    become(...root.children, makeElement({ role: "text", name: "new", handle: "new" }));
    nowMs = 7999;
    expect(temperOf("new")).toBeUndefined();
    nowMs = 8000;
    expect(temperOf("new")).toBe("calm");
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
  expect([temperOf("clock 2"), temperOf("clock 3"), temperOf("in:root")]).toEqual(["restless", "restless", "calm"]);
});

test("lines written to a log make the content of their container restless, and nothing else", () => {
  for (const second of [1, 2]) {
    nowMs = second * 1000;
    become(...root.children, makeElement({ role: "text", name: "line", handle: `line ${second}` }));
  }
  nowMs = 4000;
  expect([temperOf("in:root"), temperOf("status")]).toEqual(["restless", "calm"]);
});

test("so does a text that is emptied and filled again", () => {
  for (const [second, words] of [
    [1, ""],
    [2, "Ready"],
  ] as const) {
    nowMs = second * 1000;
    become(clock("0"), status(words));
  }
  nowMs = 5000;
  expect([temperOf("in:root"), temperOf("status"), temperOf("clock")]).toEqual(["restless", "restless", "calm"]);
});

test("of a text around controls, only the part that changes is restless", () => {
  const page = (value: string): Element => makeElement({ role: "web", handle: "page", value });
  become(page("0 presses … Idle"));
  for (const second of [4, 5]) {
    nowMs = second * 1000;
    become(page(`0 presses … Idle ${second}`));
  }
  nowMs = 9000;
  expect([temperOf("page#0"), temperOf("page#1")]).toEqual(["calm", "restless"]);
});

test("a window whose title or place changes by itself is restless", () => {
  for (const second of [1, 2]) {
    nowMs = second * 1000;
    changes.noteWindow(window, pid, true);
  }
  nowMs = 4000;
  expect([changes.findTemper([window], `window:${window}`), temperOf("status")]).toEqual(["restless", "calm"]);
});

test("a moving focus is no change", () => {
  for (const states of [["focused"], []] as const) {
    nowMs += 1000;
    become(clock("0"), makeElement({ role: "text", name: "Ready", handle: "status", states: new Set(states) }));
  }
  nowMs = 4000;
  expect(temperOf("status")).toBe("calm");
});

describe("what comes and goes", () => {
  const all = ["status", "in:root", "in:root@1"];

  /** The content leaves just before the move is noticed, and comes back in steps. */
  function moveWindow(): void {
    become(clock("0"));
    nowMs += 30;
    changes.noteWindow(window, pid, true);
    nowMs += 300;
    become(clock("0"), status(""));
    nowMs += 300;
    become(clock("0"), status("Ready"));
    nowMs += 1400;
  }

  test("with a window that is moved or minimised has not changed by itself", () => {
    nowMs = 5000;
    for (const _ of [1, 2, 3]) moveWindow();
    nowMs += 3000;
    expect(all.map(temperOf)).toEqual(["calm", "calm", "calm"]);
  });

  test("in a window that stays is restless, even if it was moved before or changes its title", () => {
    nowMs = 5000;
    moveWindow();
    for (const children of [[], [status("Ready")], [], [status("Ready")]]) {
      nowMs += 1000;
      changes.noteWindow(window, pid, false);
      become(clock("0"), ...children);
    }
    expect(all.map(temperOf)).toEqual(["restless", "restless", "restless"]);
  });
});

describe("input", () => {
  test("has not caused what was seen to change before it", () => {
    nowMs = 5000;
    nowMs += 100;
    become(clock("1"), status("Ready"));
    nowMs += 10;
    const wasBefore = changes.noteInput();
    nowMs += 10;
    become(clock("1"), status("Done"));
    expect([wasBefore("clock"), wasBefore("status"), wasBefore("unknown")]).toEqual([true, false, false]);
  });
});
