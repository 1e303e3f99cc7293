import { describe, expect, test } from "bun:test";
import { arrange, type Goal } from "../../src/act/arrange.ts";

import type { Gate } from "../../src/guard/gate.ts";
import type { Guard } from "../../src/guard/guard.ts";
import type { Command } from "../../src/model/command.ts";
import type { Effect } from "../../src/model/effect.ts";
import { fail, nothingDone, type Result, succeed } from "../../src/model/failure.ts";
import type { Window } from "../../src/model/window.ts";

const monitor = { name: "only", bounds: { x: 0, y: 0, width: 1280, height: 800 }, isPrimary: true };

function windowOf(id: number, over: Partial<Window> = {}): Window {
  const bounds = { x: 10 * id, y: 10, width: 400, height: 300 };
  const names = { app: `app${id}`, aliases: [], class: "", title: `window ${id}` };
  return { id, pid: 100 + id, ...names, bounds, isFocused: false, state: [], monitor: "only", zOrder: id, ...over };
}

/** Runs a command on a desktop whose windows react as the test specifies. */
async function act(
  windows: readonly Window[],
  goal: Goal,
  react: (windows: readonly Window[]) => readonly Window[] | Result<string>,
  isDryRun = false,
): Promise<{ outcome: Result<Effect>; deeds: Command[] }> {
  let now = windows;
  const deeds: Command[] = [];
  const platform = {
    listWindows: async () => succeed({ windows: now, monitors: [monitor], screen: monitor.bounds }),
  };
  const gate: Gate = {
    readClipboard: async () => succeed(""),
    foresee: async () => succeed(undefined),
    carryOut: async (command: Command): Promise<Result<string>> => {
      deeds.push(command);
      const after = react(now);
      if ("ok" in after) return after;
      now = after;
      return succeed("");
    },
  };
  const guard: Pick<Guard, "run"> = { run: (_call, work) => work(gate) };
  const target = windows[0] ?? windowOf(1);
  return { outcome: await arrange({ platform, guard }, target, goal, { timeoutMs: 600, isDryRun }), deeds };
}

const change = (id: number, over: Partial<Window>) => (windows: readonly Window[]) =>
  windows.map((window) => (window.id === id ? { ...window, ...over } : window));
const same = (windows: readonly Window[]) => windows;

async function verdictOf(
  windows: readonly Window[],
  goal: Goal,
  react: (windows: readonly Window[]) => readonly Window[],
): Promise<string> {
  const { outcome } = await act(windows, goal, react);
  return outcome.ok ? outcome.value.verdict : outcome.failure.code;
}

describe("arranging a window is", () => {
  test("confirmed when the requested state is observed", async () => {
    const one = [windowOf(1)];
    expect(await verdictOf(one, { name: "minimize" }, change(1, { state: ["minimised"] }))).toBe("confirmed");
    expect(await verdictOf(one, { name: "maximize" }, change(1, { state: ["maximised"] }))).toBe("confirmed");
    const whole = { state: ["fullscreen" as const], bounds: monitor.bounds };
    expect(await verdictOf(one, { name: "fullscreen" }, change(1, whole))).toBe("confirmed");
    expect(await verdictOf(one, { name: "close" }, () => [])).toBe("confirmed");
  });

  test("unchanged if nothing changes, and partial if only some of it does", async () => {
    const one = [windowOf(1)];
    expect(await verdictOf(one, { name: "maximize" }, same)).toBe("no-change");
    expect(await verdictOf(one, { name: "fullscreen" }, change(1, { state: ["fullscreen"] }))).toBe("partial");
    const cells = { bounds: { x: 10, y: 10, width: 801, height: 602 } };
    expect(await verdictOf(one, { name: "resize", width: 800, height: 600 }, change(1, cells))).toBe("partial");
  });

  test("a no-op if the window is already in that state", async () => {
    const { outcome, deeds } = await act([windowOf(1)], { name: "move", x: 10, y: 10 }, same);
    expect(deeds).toEqual([]);
    expect(outcome).toMatchObject({
      value: { verdict: "confirmed", evidence: ["it already was"], way: "nothing needed", isDelivered: false },
    });
    expect((await act([windowOf(1)], { name: "restore" }, same)).deeds).toEqual([]);
  });

  test("described and not done in a dry run", async () => {
    const { outcome, deeds } = await act([windowOf(1)], { name: "close" }, () => [], true);
    expect(deeds).toEqual([]);
    expect(outcome).toMatchObject({ value: { verdict: "would", isDelivered: false } });
  });

  test("refused with the platform's own reason", async () => {
    const refusal = fail<string>({ code: "PATTERN_UNSUPPORTED", message: "no", done: nothingDone });
    const { outcome } = await act([windowOf(1)], { name: "maximize" }, () => refusal);
    expect(outcome).toMatchObject({ ok: false, failure: { code: "PATTERN_UNSUPPORTED", done: nothingDone } });
  });
});

describe("the front", () => {
  const over = windowOf(2, { zOrder: 0, isFocused: true });
  const under = windowOf(1, { zOrder: 1 });
  const swapped = () => [windowOf(1, { zOrder: 0, isFocused: true }), windowOf(2, { zOrder: 1 })];

  test("is reached when nothing covers the window; a panel that does not cover it may stay above", async () => {
    expect(await verdictOf([under, over], { name: "front" }, swapped)).toBe("confirmed");
    const panel = windowOf(2, { zOrder: 0, bounds: { x: 0, y: 770, width: 1280, height: 30 } });
    expect((await act([under, panel], { name: "front" }, same)).deeds).toEqual([]);
  });

  test("is partly reached under an always-on-top window", async () => {
    const active = change(1, { isFocused: true });
    expect(await verdictOf([under, over], { name: "front" }, active)).toBe("partial");
    expect(await verdictOf([under, over], { name: "focus" }, active)).toBe("confirmed");
  });

  test("is not reached if a sibling window of the same application is already there", async () => {
    const sister = { ...over, pid: under.pid };
    const { deeds } = await act([under, sister], { name: "front" }, same);
    expect(deeds).toHaveLength(1);
  });

  test("includes the keyboard if requested; a minimised window has neither", async () => {
    const there = windowOf(1, { zOrder: 0 });
    expect(await verdictOf([there], { name: "focus" }, same)).toBe("no-change");
    expect(await verdictOf([windowOf(1, { state: ["minimised"] })], { name: "front" }, same)).toBe("no-change");
  });
});

test("the back is behind everything but the desktop itself", async () => {
  const desktop = windowOf(3, { zOrder: 2, bounds: monitor.bounds });
  const windows = [windowOf(1, { zOrder: 0 }), windowOf(2, { zOrder: 1 }), desktop];
  const lowered = () => [windowOf(1, { zOrder: 1 }), windowOf(2, { zOrder: 0 }), desktop];
  expect(await verdictOf(windows, { name: "back" }, lowered)).toBe("confirmed");
});

test("a window that asks instead of closing is reported, and a retry is not called safe", async () => {
  const question = windowOf(9, { pid: 101, title: "Save?" });
  const { outcome } = await act([windowOf(1)], { name: "close" }, (windows) => [...windows, question]);
  expect(outcome).toMatchObject({ value: { verdict: "partial", isRetrySafe: false } });
  expect(outcome.ok && outcome.value.changes.openedWindows).toEqual([question]);
  expect(outcome.ok && outcome.value.evidence[0]).toContain('"Save?" (window 9)');
});
