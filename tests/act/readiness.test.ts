import { describe, expect, test } from "bun:test";
import { findOwnPoint } from "../../src/act/click-point.ts";
import { centreOf } from "../../src/model/bounds.ts";
import { succeed } from "../../src/model/failure.ts";
import type { Order } from "../../src/model/order.ts";
import type { FakeControl } from "../../src/platform/fake/control.ts";
import type { ControlSketch } from "../../src/platform/fake/sketch.ts";
import { makeElement } from "../fixtures/elements.ts";
import { button, text } from "../map/desk.ts";
import { useWindows } from "./open-window.ts";

// Preconditions for pressing a control with the pointer. A double click needs the pointer; a single one may be an action.

const open = useWindows();
const click: Order = { kind: "click", button: "left", count: 1 };
const twice: Order = { kind: "click", button: "left", count: 2 };
const place = { x: 100, y: 100, width: 60, height: 20 };

function namesOf(pressed: readonly FakeControl[]): readonly string[] {
  return pressed.map(({ name }) => name);
}

describe("a control is pressed with the pointer", () => {
  test("in its middle if nothing covers it", async () => {
    const form = open(button("Go", { bounds: place }));
    expect((await form.do("go", twice)).way).toBe("pointer");
    expect(form.desk.fake.pointer).toEqual({ x: 130, y: 110 });
    expect(namesOf(form.desk.fake.pressed)).toContain("Go");
  });

  test("at the requested point inside it", async () => {
    const form = open(button("Go", { bounds: place }));
    await form.do("go", { ...twice, offset: { x: 3, y: 4 } });
    expect(form.desk.fake.pointer).toEqual({ x: 103, y: 104 });
  });

  test("once it has stopped moving", async () => {
    const form = open(button("Go", { bounds: place }));
    const go = form.desk.find("Go");
    let looks = 0;
    const { readWindows } = form.platform;
    form.platform.readWindows = (request) => {
      looks += 1;
      Object.assign(go.sketch, { bounds: { ...place, x: place.x + 50 * Math.min(looks, 4) } });
      return readWindows.call(form.platform, request);
    };
    await form.do("go", twice);
    expect(form.desk.fake.pointer).toEqual({ x: 330, y: 110 });
  });

  test("beside a control inside it", async () => {
    const row = { role: "row", name: "Alice", states: ["selectable"], bounds: { ...place, width: 300 } } as const;
    const inner = button("Delete", { bounds: { x: 230, y: 100, width: 60, height: 20 } });
    const form = open({ ...row, children: [inner] });
    await form.do("alice", twice);
    expect(namesOf(form.desk.fake.pressed)).not.toContain("Delete");
  });

  test("on the control of the same name that fills it, such as a tab's link", () => {
    const link = makeElement({ role: "link", name: "Second", bounds: place });
    const tab = makeElement({
      role: "tab",
      name: "Second",
      bounds: place,
      clickPoint: centreOf(place),
      children: [link],
    });
    expect(findOwnPoint(tab, place)).toEqual(centreOf(place));
    expect(findOwnPoint({ ...tab, name: "Other" }, place)).toBeUndefined();
  });

  test("at its edge if its page has it there and not in its middle", async () => {
    const entry = { role: "menuitem", name: "Next", bounds: place } as const;
    const form = open({ role: "web", name: "Page", traits: ["proves-places"], children: [entry] });
    await form.desk.look();
    const [page, next] = [form.desk.find("Page").handle, form.desk.find("Next").handle];
    form.platform.askWhatIsAt = async (_element, { x }) => succeed(x > 150 ? next : page);
    await form.do("next", twice);
    expect(form.desk.fake.pointer).toEqual({ x: 156, y: 110 });
    // A requested point is not replaced by another.
    expect((await form.refuse("next", { ...twice, offset: { x: 5, y: 5 } })).code).toBe("NOT_VISIBLE");
  });

  test("without asking the window below if a list in a window of its own shows it", async () => {
    const entry = { role: "menuitem", name: "Nigeria", bounds: place } as const;
    const form = open({ role: "web", name: "Page", traits: ["proves-places"], children: [entry] });
    await form.desk.look();
    form.platform.askWhatIsAt = async () => succeed(form.desk.find("Page").handle);
    await form.openPopup({ x: 90, y: 90, width: 100, height: 60 });
    await form.do("nigeria", twice);
    expect(namesOf(form.desk.fake.pressed)).toContain("Nigeria");
  });

  test("to choose it from an open drop-down list, which confirms it by closing only", async () => {
    const entry = { role: "cell", name: "B", states: ["selectable", "selected"], bounds: place } as const;
    const form = open({ role: "table", children: [entry] });
    await form.openPopup({ x: 90, y: 90, width: 100, height: 60 });
    const effect = await form.do("b", { kind: "select" });
    expect([effect.way, effect.verdict === "confirmed"]).toEqual(["pointer", false]);
  });

  test("beside the menus of a menu bar", async () => {
    const bar = { role: "menubar", name: "Menus", bounds: { ...place, width: 300 } } as const;
    const menu = { role: "menu", name: "Document", bounds: { x: 200, y: 100, width: 90, height: 20 } } as const;
    const form = open({ ...bar, children: [menu] });
    await form.do("menus", twice);
    expect(namesOf(form.desk.fake.pressed)).not.toContain("Document");
    expect(form.desk.fake.pointer).toMatchObject({ y: 101 });
  });
});

describe("nothing is pressed, and the reason is given, if a control", () => {
  test("is disabled", async () => {
    const form = open(button("Go", { states: ["disabled"] }));
    expect(await form.refuse("go", twice)).toMatchObject({ code: "DISABLED", done: "nothing was done." });
    expect(form.desk.fake.pressed).toEqual([]);
  });

  test("is blocked by an alert of its page", async () => {
    const frame = (...children: readonly ControlSketch[]): ControlSketch => ({ role: "window", children });
    const page: ControlSketch = { role: "web", name: "Shop", children: [button("Buy")] };
    const alert = frame({ role: "text", name: "Sure?" }, { ...button("OK"), states: ["focused"] });
    const form = open({ role: "group", children: [frame(page), alert] });
    const { code, message, nearest } = await form.refuse("buy", click);
    expect([code, message]).toEqual(["COVERED", 'txt "Sure?" must be answered before btn "Buy" can be used']);
    expect(nearest).toEqual([]);
    form.desk.find("OK").states.delete("focused");
    expect((await form.do("buy", click)).isDelivered).toBe(true);
  });

  test("is blocked by a dialog", async () => {
    const form = open(button("Go"));
    form.desk.app.openWindow({ title: "Sure?", role: "dialog", children: [button("Yes")] }).root.states.add("modal");
    expect(await form.refuse("go", twice)).toMatchObject({
      code: "COVERED",
      message: 'dialog "Sure?" must be answered before btn "Go" can be used',
    });
    expect(form.desk.fake.pressed).toEqual([]);
  });

  test("keeps moving", async () => {
    const form = open(button("Go", { bounds: place }));
    const go = form.desk.find("Go");
    let looks = 0;
    const { readWindows } = form.platform;
    form.platform.readWindows = (request) => {
      looks += 1;
      Object.assign(go.sketch, { bounds: { ...place, x: place.x + looks } });
      return readWindows.call(form.platform, request);
    };
    expect(await form.refuse("go", twice)).toMatchObject({ code: "MOVING", done: "nothing was done." });
    expect(form.desk.fake.pressed).toEqual([]);
  });

  test("stays covered by a window", async () => {
    const form = open(button("Go", { bounds: place }));
    const other = form.desk.fake.start({ name: "Panel", windows: [{ title: "Always above" }] });
    form.platform.findWindowAt = async () => {
      const list = await form.platform.listWindows();
      return list.ok ? succeed(list.value.windows.find(({ pid }) => pid === other.pid)) : list;
    };
    const failure = await form.refuse("go", twice);
    expect(failure.code).toBe("COVERED");
    expect(failure.message).toContain("Always above");
    expect(form.desk.fake.pressed).toEqual([]);
  });

  test("is covered by another one, according to the application", async () => {
    const form = open(button("Go", { bounds: place }), button("Veil", { bounds: { ...place, x: 400 } }));
    await form.desk.look();
    form.platform.askWhatIsAt = async () => succeed(form.desk.find("Veil").handle);
    expect(await form.refuse("go", twice)).toMatchObject({
      code: "COVERED",
      message: 'btn "Veil" covers btn "Go"',
    });
    expect(form.desk.fake.pressed).toEqual([]);
  });

  test("is filled by one inside it, which no caller should wait for", async () => {
    const row = { role: "row", name: "Alice", states: ["selectable"], bounds: place } as const;
    const form = open({ ...row, children: [button("Delete", { bounds: place })] });
    expect(await form.refuse("alice", twice)).toMatchObject({ code: "PATTERN_UNSUPPORTED", done: "nothing was done." });
    expect(form.desk.fake.pressed).toEqual([]);
  });

  test("is to be pressed at a point outside it; its size is reported", async () => {
    const form = open(button("Go", { bounds: place }));
    expect(await form.refuse("go", { ...twice, offset: { x: 70, y: 5 } })).toMatchObject({
      code: "USAGE",
      suggestion: "it is 60x20.",
    });
    expect(form.desk.fake.pressed).toEqual([]);
  });
});

describe("a label inside a control stands for it", () => {
  test("so that the control is pressed there", async () => {
    const form = open({ ...button("Go", { bounds: place }), children: [text("Go now")] });
    form.platform.askWhatIsAt = async () => succeed(form.desk.find("Go now").handle);
    expect((await form.do("go", twice)).way).toBe("pointer");
  });
});

test("a field that a closing list keeps from the focus is clicked again before anything is typed", async () => {
  const form = open({ role: "input", name: "Notes", states: ["editable", "focusable"], bounds: place });
  const { glimpse } = form.platform;
  let clicks = 0;
  Object.assign(form.desk.find("Notes").sketch, { onPress: () => (clicks += 1) });
  form.platform.glimpse = async (element, timeoutMs) => {
    const seen = await glimpse.call(form.platform, element, timeoutMs);
    if (!seen.ok || seen.value === undefined || clicks > 1) return seen;
    const states = new Set(seen.value.states);
    states.delete("focused");
    return { ok: true, value: { ...seen.value, states } };
  };
  const { verdict } = await form.do("notes", { kind: "type", text: "abc", delayMs: 0 });
  expect([clicks, verdict]).toEqual([2, "confirmed"]);
});
