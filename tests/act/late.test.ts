import { describe, expect, test } from "bun:test";
import type { Order } from "../../src/model/order.ts";
import { idOfWindow } from "../../src/model/pair.ts";
import type { Crossing } from "../../src/sources/port.ts";
import { button, text } from "../map/desk.ts";
import { type OpenWindow, useWindows } from "./open-window.ts";

// An action that follows another: a late effect of that one may come at the same time.

const open = useWindows();
const click: Order = { kind: "click", button: "left", count: 1 };
const check: Order = { kind: "check" };
const crossing: Crossing = { reactionMs: 5, hasLateTitles: false, wasBefore: () => false };
const doubt = { verdict: "unverified", evidence: ["what changed may be the late effect of the action before"] };

function openForm(given: Crossing | undefined): OpenWindow {
  const form = open(text("status"), text("log"), button("Go"));
  if (given !== undefined) cross(form, given);
  return form;
}

/** Other input was delivered a moment ago, maybe by another process. */
function cross(form: OpenWindow, given: Crossing): void {
  form.watch.crossing = given;
  noteEarlier(form, 0, true);
}

function noteEarlier({ store, desk }: OpenWindow, agoMs: number, isConfirmed: boolean): void {
  store.noteInput([desk.app.pid], { atMs: Date.now() - agoMs, isConfirmed });
}

const wasConfirmed = ({ store, desk }: OpenWindow): boolean | undefined =>
  store.findInputs([desk.app.pid])[0]?.isConfirmed;

/** Changes a text that is known not to change by itself. */
function change(form: OpenWindow, name: string): void {
  const shown = form.desk.find(name);
  form.watch.tempers.set(shown.handle, "calm");
  shown.rename(`${name} 2`);
  form.watch.show("event");
}

const onPress = (form: OpenWindow, work: () => void): object =>
  Object.assign(form.desk.find("Go").sketch, { onPress: work });

describe("after other input,", () => {
  test("a text that changes late confirms nothing", async () => {
    const form = openForm(crossing);
    onPress(form, () => setTimeout(() => change(form, "status"), 300));
    expect(await form.do("go", click)).toMatchObject(doubt);
    expect(wasConfirmed(form)).toBe(false);
  });

  test("a text that changes late confirms nothing, beside one that changes by itself", async () => {
    const form = openForm(crossing);
    onPress(form, () => {
      change(form, "log");
      form.watch.tempers.set(form.desk.find("log 2").handle, "restless");
      setTimeout(() => change(form, "status"), 300);
    });
    expect(await form.do("go", click)).toMatchObject(doubt);
  });

  test("a text that changes at once confirms, whatever changes later", async () => {
    const form = openForm(crossing);
    onPress(form, () => {
      change(form, "log");
      setTimeout(() => change(form, "status"), 20);
    });
    const { verdict, evidence } = await form.do("go", click);
    expect([verdict, evidence]).toEqual(["confirmed", ['the name of txt "log" is "log 2" now']]);
    expect(wasConfirmed(form)).toBe(true);
  });

  test("a text that had changed before this input confirms nothing", async () => {
    const form = openForm(undefined);
    const status = form.desk.find("status");
    cross(form, { ...crossing, wasBefore: (id) => id === status.handle });
    onPress(form, () => change(form, "status"));
    expect(await form.do("go", click)).toMatchObject(doubt);
  });

  test("the target's own state confirms, even late", async () => {
    const form = open({ role: "checkbox", name: "Wrap", actions: ["toggle"] });
    cross(form, crossing);
    const wrap = form.desk.find("Wrap");
    const settle = (): void => {
      wrap.states.add("checked");
      form.watch.show("event");
    };
    Object.assign(wrap.sketch, {
      onPress: () => {
        wrap.states.delete("checked");
        setTimeout(settle, 200);
      },
    });
    expect(await form.do("wrap", check)).toMatchObject({ verdict: "confirmed" });
  });

  test.each([
    ["confirms, even late", { hasLateTitles: false }, { verdict: "confirmed" }],
    ["of a browser confirms nothing if it is late", { hasLateTitles: true }, { verdict: "unverified" }],
  ] as const)("a title %s", async (_, titles, expected) => {
    const form = openForm({ ...crossing, ...titles });
    const [window] = form.desk.app.windows;
    if (window === undefined) throw new Error("a window was opened");
    form.watch.tempers.set(idOfWindow(window.id), "calm");
    const retitle = (): void => {
      window.title = "Saved";
      form.watch.show("windows");
    };
    onPress(form, () => setTimeout(retitle, 200));
    expect(await form.do("go", click)).toMatchObject(expected);
  });

  test("a control that appears confirms, even late", async () => {
    const form = openForm(crossing);
    const appear = (): void => {
      form.desk.app.windows[0]?.root.insert(button("Stop"));
      form.watch.show("event");
    };
    onPress(form, () => setTimeout(appear, 200));
    expect(await form.do("go", click)).toMatchObject({ verdict: "confirmed", evidence: ['btn "Stop" appeared'] });
  });
});

describe.each([
  ["longer ago than a late effect takes", 1500, 1],
  ["by a clock that was set back since", -60_000, 1],
  ["to another process", 0, 2],
] as const)("input %s", (_, agoMs, times) => {
  test("delays and doubts nothing", async () => {
    const form = openForm(undefined);
    form.watch.crossing = crossing;
    form.store.noteInput([form.desk.app.pid * times], { atMs: Date.now() - agoMs, isConfirmed: false });
    onPress(form, () => setTimeout(() => change(form, "status"), 300));
    expect(await form.do("go", click)).toMatchObject({ verdict: "confirmed" });
  });
});

describe("after an action without an effect so far,", () => {
  test("its late effect is waited for, and is not that of the next action", async () => {
    const form = openForm(crossing);
    noteEarlier(form, 0, false);
    let isPressed = false;
    onPress(form, () => {
      isPressed = true;
    });
    setTimeout(() => {
      expect(isPressed).toBe(false);
      change(form, "status");
    }, 200);
    expect(await form.do("go", click)).toMatchObject({ verdict: "no-change" });
    expect([isPressed, wasConfirmed(form)]).toEqual([true, false]);
  });

  test("what is drawn meanwhile does not end the wait, its time does", async () => {
    const form = openForm(crossing);
    noteEarlier(form, 1150, false);
    form.watch.show("pixels");
    onPress(form, () => change(form, "log"));
    expect(await form.do("go", click)).toMatchObject({ verdict: "confirmed" });
    expect(wasConfirmed(form)).toBe(true);
  });
});
