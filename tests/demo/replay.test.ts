import { beforeEach, describe, expect, test } from "bun:test";
import { makeDemo } from "../../src/demo/make.ts";
import { chooseValues, type Values } from "../../src/demo/parameters.ts";
import { type ReplayOptions, replay } from "../../src/demo/replay/replay.ts";
import type { RecordedAction } from "../../src/model/demo.ts";
import { makeFailure } from "../../src/model/failure.ts";
import { makeAction, makeField } from "./actions.ts";
import { type Control, makeScreenHost, type ScreenHost } from "./screen-host.ts";

const effect = (own: object) => ({ verdict: "confirmed" as const, way: "action", ...own });
const recorded: readonly RecordedAction[] = [
  makeField("Name", "Ada Lovelace"),
  makeAction({ effect: effect({ opened: ["Saved"] }) }),
  makeAction({
    ref: { role: "button", name: "OK", app: "form", window: "Saved" },
    window: "Saved",
    effect: effect({ closed: ["Saved"] }),
  }),
];
const demo = makeDemo(recorded, { name: "form" });

let screen: ScreenHost;
const dialog: Control = { id: 9, role: "button", name: "OK", app: "form", window: "Saved" };

beforeEach(() => {
  const close = () => {
    screen.controls.splice(screen.controls.indexOf(ok), 1);
    return { changes: { closedWindows: [{ id: 1, app: "form", title: "Saved" }] } };
  };
  const ok: Control = { ...dialog, press: close };
  const open = () => {
    screen.controls.push(ok);
    return { changes: { openedWindows: [{ id: 1, app: "form", title: "Saved" }] } };
  };
  screen = makeScreenHost([
    { id: 1, role: "input", name: "Name", app: "form", window: "Form" },
    { id: 2, role: "button", name: "Save", app: "form", window: "Form", press: open },
  ]);
});

const run = (given: Values = {}, options: Partial<ReplayOptions> = {}) => {
  const values = chooseValues(demo, given);
  if (!values.ok) throw new Error(values.failure.message);
  return replay(demo, { host: screen, values: values.value, timeoutMs: 50, ...options });
};
const control = (name: string): Control => {
  const found = screen.controls.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
};
const acted = () =>
  screen.calls.filter(({ tool }) => !["locate", "list", "read"].includes(tool)).map(({ tool }) => tool);

describe("a replay", () => {
  test("acts by mark through the ordinary tools, with other values", async () => {
    const report = await run({ name: "Grace Hopper" });
    expect(report).toMatchObject({ stop: undefined, delivered: 3 });
    expect(report.steps.map(({ state }) => state)).toEqual(["done", "done", "done"]);
    expect(control("Name").value).toBe("Grace Hopper");
    expect(screen.calls.find(({ tool }) => tool === "set-value")?.input).toEqual({ text: "Grace Hopper", id: 1 });
  });

  test("waits for what a step needs, however late it comes", async () => {
    const save = control("Save");
    screen.controls.splice(screen.controls.indexOf(save), 1);
    let looks = 0;
    screen.onLook = () => {
      looks += 1;
      if (looks === 5) screen.controls.push(save);
    };
    expect((await run({}, { timeoutMs: 5000 })).stop).toBeUndefined();
  });

  test("tries again while a control is not ready, and not if something was done", async () => {
    control("Save").failure = makeFailure("DISABLED", "not yet");
    let looks = 0;
    screen.onLook = () => (looks += 1);
    expect((await run()).stop).toMatchObject({ n: 2, failure: { code: "DISABLED" }, exitCode: 1 });
    expect(acted().filter((tool) => tool === "click").length).toBeGreaterThan(1);
    screen.calls.length = 0;
    control("Save").failure = makeFailure("DISABLED", "half", undefined, { done: "it was pressed." });
    const { stop, delivered } = await run();
    expect(acted()).toEqual(["set-value", "click"]);
    expect({ done: stop?.failure.done, delivered }).toEqual({
      done: "step 1 was done; step 2 may have been done.",
      delivered: 2,
    });
  });

  test("takes a part of the steps", async () => {
    expect(await run({}, { from: 2, to: 2 })).toMatchObject({ delivered: 1, steps: [{ n: 2, state: "done" }] });
  });

  test("as a dry run only tells: of later windows, that they are not there yet", async () => {
    const report = await run({}, { isDry: true });
    expect(report.steps.map(({ state }) => state)).toEqual(["would", "would", "not-there"]);
    expect({ delivered: report.delivered, stop: report.stop, value: control("Name").value }).toEqual({
      delivered: 0,
      stop: undefined,
      value: undefined,
    });
  });

  test("as a dry run needs no values, and says which are missing", async () => {
    const login = makeDemo([makeAction({ tool: "type", input: {}, secret: "Password" }), makeAction()], { name: "in" });
    expect(chooseValues(login, {})).toMatchObject({ ok: false });
    const values = chooseValues(login, {}, login.steps, true);
    const report = await replay(login, { host: screen, values: values.ok ? values.value : {}, isDry: true });
    expect(report.steps.map(({ state, notes }) => [state, notes])).toEqual([
      ["would", ["it needs a value for password"]],
      ["would", []],
    ]);
    expect(acted()).toEqual(["click"]);
  });

  test("asks before each step if it is told to", async () => {
    const report = await run({}, { onBefore: async (n) => (n === 1 ? "skip" : "end") });
    expect(report.steps.map(({ state }) => state)).toEqual(["skipped", "stopped"]);
    expect(acted()).toEqual([]);
  });
});

describe("a replay stops at the first doubt", () => {
  test("where a control is gone, and says what is there and how to go on", async () => {
    control("Save").name = "Delete";
    const { stop } = await run();
    expect(stop).toMatchObject({
      n: 2,
      exitCode: 1,
      failure: { code: "NOT_FOUND", nearest: ["input Name", "button Delete"] },
    });
    expect(stop?.failure.message).toBe('button "Save" in form "Form" is not there');
    expect(stop?.failure.done).toBe("step 1 was done; step 2 was not done.");
    expect(stop?.failure.suggestion).toBe(
      "bring what it needs to the screen, or record the step again; then go on with --from 2",
    );
    expect(acted()).toEqual(["set-value"]);
  });

  test("where two fit", async () => {
    screen.controls.push({ ...control("Save"), id: 7 });
    expect((await run()).stop).toMatchObject({ n: 2, failure: { code: "AMBIGUOUS" } });
  });

  test("where a dialog's double stands in the window behind it", async () => {
    control("Save").press = () => ({ changes: { openedWindows: [{ id: 1, app: "form", title: "Saved" }] } });
    screen.controls.push({ ...dialog, window: "Form" }, { ...dialog, id: 11, name: "x" });
    const { stop } = await run();
    expect(stop).toMatchObject({ n: 3, failure: { code: "NOT_FOUND" } });
    expect(stop?.failure.message).toBe('button "OK" in form "Saved" is not there; step 2 opens that window');
    expect((await run({}, { from: 3 })).stop?.failure.message).toContain("was found only in another window");
  });

  test("where the recorded window does not open, or another one does", async () => {
    control("Save").press = () => ({});
    expect((await run()).stop).toMatchObject({
      n: 2,
      exitCode: 4,
      failure: {
        message: 'it went otherwise than in the recording: the window "Saved" did not open',
        suggestion: "look whether step 2 has done its work; then go on with --from 3, or do it again with --from 2",
      },
    });
    control("Save").press = () => ({ changes: { openedWindows: [{ id: 3, app: "form", title: "Disk full" }] } });
    const { stop } = await run();
    expect(stop?.failure.message).toContain('the window "Disk full" opened, which the recording does not have');
  });

  test("and says what was seen instead, not as something that is near", async () => {
    control("Save").press = () => ({ effect: "no-change", evidence: ["nothing changed"] });
    const { stop } = await run();
    expect(stop?.failure.message.split("\n")).toEqual([
      "it went otherwise than in the recording: its effect is no-change; it was confirmed when it was recorded",
      "what was seen instead: nothing changed",
    ]);
    expect(stop?.failure.nearest).toBeUndefined();
  });

  test("and names what is in the way: a window with its text and buttons, and nothing that the demo knows", async () => {
    const form = [...screen.controls];
    const update = { app: "form", window: "Update" };
    screen.controls.splice(0);
    screen.controls.push(
      { id: 20, role: "text", name: "Version 2 is there.", ...update },
      { id: 21, role: "button", name: "Install", ...update },
      { id: 22, role: "button", name: "Later", ...update },
      ...form,
    );
    control("Save").failure = makeFailure("COVERED", "something must be answered first");
    expect((await run()).stop?.failure.message.split("\n")).toEqual([
      "something must be answered first",
      'in the way: window "Update" of form, which says "Version 2 is there.", with "Install", "Later"; it was not closed',
    ]);
    screen.controls.splice(0, 3, { ...dialog, window: "Saved" });
    expect((await run()).stop?.failure.message).toBe("something must be answered first");
  });

  test("where something else appears than in the recording, even if two of them look alike", async () => {
    const stored = makeAction({ effect: effect({ appeared: [{ role: "item", name: "Stored" }] }) });
    const list = makeDemo([stored], { name: "list" });
    const runList = (verdict: string, name: string) => {
      const near = { id: 5, role: "item", name, app: "form", window: "Form" };
      const locate: ScreenHost["call"] = async (request, options) => {
        const isItem = request.tool === "locate" && String(request.input.ref).includes("Stored");
        if (!isItem) return screen.call(request, options);
        return { outputs: {}, data: { verdict, ...near, nearest: [near, near] }, exitCode: 0, warnings: [] };
      };
      control("Save").press = () => ({});
      return replay(list, { host: { ...screen, call: locate }, values: {}, timeoutMs: 50 });
    };
    for (const verdict of ["ambiguous", "match"]) {
      expect((await runList(verdict, "Refused")).stop?.failure.message).toContain('"Stored" did not appear');
      expect((await runList(verdict, "Stored")).stop).toBeUndefined();
    }
  });

  test("where the effect is weaker than the recorded one, or something else reacted", async () => {
    for (const verdict of ["no-change", "unverified", "partial", "wrong-target"]) {
      control("Save").press = () => ({ effect: verdict });
      expect((await run()).stop).toMatchObject({ n: 2, exitCode: 4 });
    }
  });

  test("not where nothing proves the effect, but the recorded value is there again", async () => {
    const changed = [{ role: "input", name: "", what: "value", after: "12" }];
    const sum = makeDemo([makeAction({ effect: { verdict: "confirmed", way: "pointer", changed } })], { name: "sum" });
    const runSum = async (effect: string, value: string) => {
      control("Save").press = () => ({ effect, changes: { changed: [{ r: "input", value: ["1", value] }] } });
      return (await replay(sum, { host: screen, values: {}, timeoutMs: 50 })).stop?.exitCode;
    };
    expect(await runSum("unverified", "12")).toBeUndefined();
    expect([await runSum("unverified", "13"), await runSum("no-change", "12")]).toEqual([4, 4]);
  });

  test("where the guard refuses", async () => {
    control("Save").failure = makeFailure("REFUSED", "nobody said yes");
    expect((await run()).stop).toMatchObject({ n: 2, exitCode: 3, failure: { message: "nobody said yes" } });
    expect(acted()).toEqual(["set-value", "click"]);
  });

  test("at an interruption, before the next step", async () => {
    const end = new AbortController();
    const report = await run({}, { signal: end.signal, onDone: () => end.abort() });
    expect(report.stop).toMatchObject({
      n: 2,
      failure: { code: "CANCELLED", done: "step 1 was done; step 2 was not done." },
    });
    expect(acted()).toEqual(["set-value"]);
  });

  test("where the connection breaks, and the step may have been done", async () => {
    control("Save").press = () => {
      throw new Error("the daemon is gone");
    };
    expect(await run()).toMatchObject({ delivered: 2, stop: { n: 2, failure: { message: "the daemon is gone" } } });
  });

  test("at a step that hit something else when it was recorded", async () => {
    const wrong = makeDemo([makeAction({ effect: { verdict: "wrong-target", way: "pointer" } })], { name: "x" });
    expect((await replay(wrong, { host: screen, values: {} })).stop).toMatchObject({ n: 1 });
    expect(acted()).toEqual([]);
  });
});

test("a step in a window that a step opens is done in that one, not in another whose title differs by a number", async () => {
  const opens = makeAction({ effect: effect({ opened: ["Form 2"] }) });
  const twice = makeDemo([opens, makeField("Name", "Ada", { window: "Form 2" })], { name: "x" });
  for (const one of screen.controls) one.window = "Form 1";
  const fresh: Control = { id: 7, role: "input", name: "Name", app: "form", window: "Form 3" };
  control("Save").press = () => {
    screen.controls.push(fresh);
    return { changes: { openedWindows: [{ id: 1, app: "form", title: "Form 3" }] } };
  };
  expect((await replay(twice, { host: screen, values: { name: "Grace" }, timeoutMs: 20 })).stop).toBeUndefined();
  expect([control("Name").value, fresh.value]).toEqual([undefined, "Grace"]);
});

describe("coordinates", () => {
  const only = makeDemo([makeAction({ ref: undefined, evidence: undefined })], { name: "x" });
  const go = (allowsCoordinates: boolean | "unseen") =>
    replay(only, { host: screen, values: {}, timeoutMs: 20, allowsCoordinates });

  test("are used only if that is allowed, and only in the recorded window", async () => {
    expect((await go(false)).stop).toMatchObject({ failure: { code: "UNAVAILABLE" } });
    expect((await go(true)).stop).toMatchObject({
      failure: { code: "UNAVAILABLE", message: expect.stringContaining("there is no picture") },
    });
    expect(acted()).toEqual([]);
    expect((await go("unseen")).stop).toBeUndefined();
    expect(screen.calls.at(-1)?.input).toEqual({ at: "60,35" });
    for (const one of screen.controls) one.window = "Another";
    expect((await go("unseen")).stop).toMatchObject({ failure: { code: "NOT_FOUND" } });
  });

  test("are those of the recorded application, as people call it", async () => {
    const script = makeDemo([makeAction({ ref: undefined, evidence: undefined, app: "for" })], { name: "x" });
    const { stop } = await replay(script, { host: screen, values: {}, timeoutMs: 20, allowsCoordinates: "unseen" });
    expect(stop).toBeUndefined();
  });
});

test("a value that a step shows is typed by a later one", async () => {
  const shown = { changed: [{ role: "text", name: "Number", what: "value", after: "4711" }] };
  const linked = makeDemo([makeAction({ effect: effect(shown) }), makeField("Name", "4711")], { name: "x" });
  const values = chooseValues(linked, {});
  control("Save").press = () => ({ changes: { changed: [{ r: "text", t: "Number", value: ["", "4712"] }] } });
  await replay(linked, { host: screen, values: values.ok ? values.value : {}, timeoutMs: 20 });
  expect(control("Name").value).toBe("4712");
  control("Save").press = () => ({});
  const { stop } = await replay(linked, { host: screen, values: {}, timeoutMs: 20 });
  expect(stop).toMatchObject({ n: 1, exitCode: 4 });
});

test("typed keys that ended elsewhere in the field are a doubt, other values are none", async () => {
  const changed = [{ role: "button", name: "Save", what: "value", after: "one two" }];
  const typing = makeDemo([makeAction({ tool: "type", input: { text: "two" }, effect: effect({ changed }) })], {
    name: "x",
  });
  const go = (text: string, value: string) => {
    control("Save").press = () => ({ changes: { changed: [{ r: "btn", t: "Save", value: ["one ", value] }] } });
    return replay(typing, { host: screen, values: { save: text }, timeoutMs: 20 });
  };
  expect((await go("two", "one two")).stop).toBeUndefined();
  expect((await go("two", "two one")).stop?.failure.message).toContain('it holds "two one" now, not "one two"');
  expect((await go("6", "one 6")).stop).toBeUndefined();
});

test("an expectation that does not hold ends it", async () => {
  const checking = { ...demo, steps: [{ tool: "expect" as const, input: { condition: 'window "Error" is closed' } }] };
  expect((await replay(checking, { host: screen, values: {} })).stop).toMatchObject({ n: 1, exitCode: 1 });
});
