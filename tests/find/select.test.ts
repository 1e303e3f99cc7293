import { describe, expect, test } from "bun:test";
import { chooseProcess, chooseWindow, selectWindows, type WindowQuery } from "../../src/find/select.ts";
import type { Window } from "../../src/model/window.ts";
import { showFailure } from "../../src/show/failure.ts";
import { makeWindow } from "../fixtures/elements.ts";

const windows = [
  makeWindow({ id: 1, app: "Code", aliases: ["code"], pid: 10, title: "main.ts - Deskmap" }),
  makeWindow({ id: 2, app: "Xcode", aliases: ["xcode"], pid: 20, title: "App.swift" }),
  makeWindow({ id: 3, app: "Mousepad", aliases: ["mousepad", "org.xfce.mousepad"], pid: 30, title: "Report.txt" }),
  makeWindow({ id: 4, app: "Mousepad", aliases: ["mousepad"], pid: 30, title: "report (old).txt" }),
  makeWindow({ id: 5, app: "Panel", aliases: ["panel"], pid: 40, title: "" }),
];

function select(query: WindowQuery): number[] | string {
  const selected = selectWindows({ windows }, query);
  return selected.ok ? selected.value.map(({ id }) => id) : showFailure(selected.failure);
}

describe("windows are selected", () => {
  test("all of them, front to back, without a query", () => {
    expect(select({})).toEqual([1, 2, 3, 4, 5]);
  });

  test("by the exact name of their application before a part of it", () => {
    expect(select({ app: "code" })).toEqual([1]);
    expect(select({ app: "XCODE" })).toEqual([2]);
    expect(select({ app: "cod" })).toEqual([1, 2]);
  });

  test("by another name that the application has", () => {
    expect(select({ app: "org.xfce.mousepad" })).toEqual([3]);
  });

  test("by a part of the title, in any case", () => {
    expect(select({ window: "REPORT" })).toEqual([3, 4]);
  });

  test("by id and by process", () => {
    expect(select({ windowId: 4 })).toEqual([4]);
    expect(select({ pid: 30 })).toEqual([3, 4]);
  });

  test("by all given conditions together", () => {
    expect(select({ app: "mousepad", window: "old" })).toEqual([4]);
    expect(select({ app: "mousepad", pid: 30, windowId: 3 })).toEqual([3]);
  });
});

describe("a miss lists what is there instead", () => {
  test("for an application", () => {
    expect(select({ app: "mosepad" })).toMatchInlineSnapshot(`
      "NOT_FOUND  no application "mosepad"
      nearest: "Mousepad", "Code", "Xcode"
      try: deskmap list shows every window.   nothing was done."
    `);
  });

  test("for a title, without suggesting untitled windows", () => {
    expect(select({ window: "Reprot" })).toContain('nearest: "report (old).txt", "Report.txt"');
    expect(select({ window: "Reprot" })).not.toContain('""');
  });

  test("for an id and for a process", () => {
    expect(select({ windowId: 99 })).toMatchInlineSnapshot(`
      "NOT_FOUND  no window with id 99
      nearest: "1 (Code)", "2 (Xcode)", "3 (Mousepad)", "4 (Mousepad)", "5 (Panel)"
      try: deskmap list shows every window.   nothing was done."
    `);
    expect(select({ pid: 99 })).toMatchInlineSnapshot(`
      "NOT_FOUND  no process 99 with a window
      nearest: "10 (Code)", "20 (Xcode)", "30 (Mousepad)", "40 (Panel)"
      try: deskmap list shows every window.   nothing was done."
    `);
  });

  test("for a second condition, among the windows that met the first", () => {
    expect(select({ app: "mousepad", window: "main.ts" })).toMatchInlineSnapshot(`
      "NOT_FOUND  no window titled "main.ts" among 2 of 5 windows
      nearest: "report (old).txt", "Report.txt"
      try: deskmap list shows every window.   nothing was done."
    `);
  });

  test("when no window is open at all", () => {
    const selected = selectWindows({ windows: [] }, { app: "mousepad" });
    expect(selected.ok ? "" : showFailure(selected.failure)).toMatchInlineSnapshot(`
      "NOT_FOUND  no application "mousepad"
      try: no window is open: start an application first.   nothing was done."
    `);
  });
});

describe("a blind window", () => {
  const refusal = { code: "REFUSED" as const, reason: "blind" as const, message: "no", done: "nothing was done." };
  const withheld = [{ id: 9, pid: 90, names: ["KeePassXC", "keepassxc"], refusal }];
  const reasonOf = (query: WindowQuery): string | undefined => {
    const selected = selectWindows({ windows, withheld }, query);
    return selected.ok ? "found" : (selected.failure.reason ?? selected.failure.code);
  };

  test("is refused by its names, its class, its process and its id", () => {
    const queries = [{ app: "keepassxc" }, { app: "KeePass" }, { class: "keepassxc" }, { pid: 90 }, { windowId: 9 }];
    expect(queries.map(reasonOf)).toEqual(queries.map(() => "blind"));
    expect(reasonOf({ app: "keepassxc", window: "whatever" })).toBe("blind");
  });

  test("is not found by its title, and does not make another ambiguous", () => {
    expect(reasonOf({ window: "Passwords" })).toBe("NOT_FOUND");
    expect(reasonOf({ app: "keepassxc", pid: 10 })).toBe("NOT_FOUND");
    expect([reasonOf({}), reasonOf({ app: "code" })]).toEqual(["found", "found"]);
  });
});

describe("a single window", () => {
  const choose = (query: WindowQuery, all = windows): number | string => {
    const chosen = chooseWindow({ windows: all }, query);
    return chosen.ok ? chosen.value.id : showFailure(chosen.failure);
  };

  test("is the only match", () => {
    expect(choose({ app: "code" })).toBe(1);
    expect(choose({ window: "(old)" })).toBe(4);
  });

  test("is never guessed among different processes", () => {
    expect(choose({})).toBe(
      'AMBIGUOUS  5 windows match\nnearest: "1 Code \\"main.ts - Deskmap\\"", "2 Xcode \\"App.swift\\"", ' +
        '"3 Mousepad \\"Report.txt\\"", "4 Mousepad \\"report (old).txt\\"", "5 Panel \\"\\""\n' +
        "try: --window-id 1   (or the id of another)   nothing was done.",
    );
  });

  test("of one process is the one with the keyboard or the only visible one; otherwise it is not guessed", () => {
    const with4 = (over: Partial<Window>): Window[] => windows.map((one) => (one.id === 4 ? { ...one, ...over } : one));
    expect(choose({ app: "mousepad" })).toStartWith("AMBIGUOUS  2 windows match");
    expect(choose({ app: "mousepad" }, with4({ isFocused: true }))).toBe(4);
    expect(choose({ app: "mousepad" }, with4({ state: ["minimised"] }))).toBe(3);
  });

  test("is reported missing if no window is open at all", () => {
    expect(choose({}, [])).toStartWith("NOT_FOUND  there is no window");
  });
});

test("a single process is selected, with any number of windows", () => {
  const one = chooseProcess({ windows }, { app: "mousepad" });
  expect(one.ok && one.value.pid).toBe(30);
  const several = chooseProcess({ windows }, { app: "cod" });
  expect(several.ok ? "" : several.failure).toMatchObject({ code: "AMBIGUOUS", message: "2 processes match" });
  const nameless = chooseProcess({ windows: [makeWindow({ pid: 0 })] }, {});
  expect(nameless.ok ? "" : nameless.failure.code).toBe("UNAVAILABLE");
});

test("a class is matched as a whole word, in any case; on a miss the known ones are listed", () => {
  const own = [makeWindow({ id: 1, class: "XTerm" }), makeWindow({ id: 2, class: "Uxterm" })];
  const found = selectWindows({ windows: own }, { class: "xterm" });
  expect(found.ok && found.value.map(({ id }) => id)).toEqual([1]);
  const missing = selectWindows({ windows: own }, { class: "xtrm" });
  expect(missing.ok ? "" : showFailure(missing.failure)).toContain(
    'NOT_FOUND  no window of class "xtrm"\nnearest: "XTerm"',
  );
});
