import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { act } from "../../src/desktop/index.ts";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import type { Effect } from "../../src/model/effect.ts";
import type { Failure } from "../../src/model/failure.ts";
import type { Aim, Order } from "../../src/model/order.ts";
import type { State } from "../../src/model/state.ts";
import type { FakeControl } from "../../src/platform/fake/control.ts";
import type { ControlSketch } from "../../src/platform/fake/sketch.ts";
import { openGuard } from "../guard/open-guard.ts";
import { button, Desk, makeMapFolder, text } from "../map/desk.ts";

const folder = makeMapFolder();
afterAll(() => folder.remove());
let store: SqliteStore;
beforeEach(() => {
  store = folder.open();
});
afterEach(() => {
  store.close();
});

const click: Order = { kind: "click", button: "left", count: 1 };

/** A window with a few controls, and the operations on it. */
function open(...children: readonly ControlSketch[]) {
  const desk = new Desk(store, { title: "Form", children });
  const guard = openGuard(desk.fake);
  const desktop = { platform: desk.fake.open(), marks: store, guard };
  const doIt = (aim: Aim, order: Order, isDryRun = false) =>
    act(desktop, { tool: order.kind, aim, order, isDryRun, timeoutMs: 1000 });
  return {
    desk,
    words: (words: string): Aim => ({ by: "words", words }),
    async do(words: string, order: Order, isDryRun = false): Promise<Effect> {
      const effect = await doIt({ by: "words", words }, order, isDryRun);
      if (!effect.ok) throw new Error(`${effect.failure.code} ${effect.failure.message}`);
      return effect.value;
    },
    async refuse(words: string, order: Order): Promise<Failure> {
      const effect = await doIt({ by: "words", words }, order);
      if (effect.ok) throw new Error(`it was ${effect.value.verdict}`);
      return effect.failure;
    },
    async doAt(x: number, y: number, order: Order): Promise<Effect> {
      const effect = await doIt({ by: "point", point: { x, y } }, order);
      if (!effect.ok) throw new Error(effect.failure.message);
      return effect.value;
    },
    pressed: (): readonly FakeControl[] => desk.fake.pressed,
  };
}

describe("a click", () => {
  test("is confirmed by a change elsewhere", async () => {
    const desk = open(text("nothing yet"), { role: "text", name: "log" });
    const log = desk.desk.find("log");
    desk.desk.app.windows[0]?.root.insert(button("Go", { onPress: () => log.rename("went") }));
    const effect = await desk.do("go", click);
    expect(effect.verdict).toBe("confirmed");
    expect(effect.way).toBe("action press");
    expect(effect.evidence).toEqual(['the name of txt "log" is "went" now']);
    expect(effect.changes.changed.map(({ element }) => element.name)).toEqual(["went"]);
    expect(effect.isDelivered).toBe(true);
  });

  test("without a visible effect is never confirmed", async () => {
    const desk = open(button("Go"));
    const effect = await desk.do("go", click);
    expect(effect).toMatchObject({ verdict: "no-change", isDelivered: true, isRetrySafe: false });
  });

  test("on a plain label is never confirmed, and says why accessibility actions were skipped", async () => {
    const effect = await open(text("Welcome")).do("welcome text", click);
    expect(effect.verdict).toBe("no-change");
    expect(effect.way).toBe("pointer");
    expect(effect.passedOver[0]).toEqual({ way: "action press", why: "it offers no such action" });
  });

  test("by a word that only a sentence contains presses nothing, and names the sentence", async () => {
    const desk = open(text("Draw a circle with the mouse"));
    expect(await desk.refuse("circle", click)).toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining("only a text does"),
      nearest: [expect.stringContaining('txt "Draw a circle with the mouse" in ')],
    });
    expect(desk.pressed()).toEqual([]);
  });

  test("by the whole name of an entry in a closed menu does not mean a visible control of that role and word", async () => {
    const list: ControlSketch = { role: "list", name: "Icon view" };
    const entry: ControlSketch = { role: "menuitem", name: "List View", hidden: true };
    const menu: ControlSketch = { role: "menu", name: "View", children: [entry] };
    const named = await open(list, menu).do("list view", click, true);
    expect(named.target?.element?.name).toBe("List View");
    const other = await open(list).do("list view", click, true);
    expect(other.target?.element?.name).toBe("Icon view");
  });

  test("by words means nothing that is switched off beside what can be reached, and that if there is nothing else", async () => {
    const bar: ControlSketch = {
      role: "toolbar",
      hidden: true,
      children: [button("Save", { traits: ["switched-off"] }), button("Store", { traits: ["switched-off"] })],
    };
    const entry: ControlSketch = { role: "menuitem", name: "Save", hidden: true };
    const menu: ControlSketch = { role: "menu", name: "File", children: [entry] };
    const saved = await open(bar, menu).do("save", click, true);
    expect(saved.target?.element?.role).toBe("menuitem");
    const loose = await open(bar, button("Store now")).do("store", click, true);
    expect(loose.target?.element?.name).toBe("Store now");
    const field: ControlSketch = {
      role: "input",
      name: "Find",
      hidden: true,
      actions: ["set"],
      traits: ["switched-off"],
    };
    expect((await open(bar, field).refuse("find", { kind: "set-value", text: "a" })).code).toBe("NOT_FOUND");
    const only = await open(bar, menu).do("store", click, true);
    expect(only.target?.element?.name).toBe("Store");
  });

  test("on a disabled button is refused before anything is done", async () => {
    const desk = open(button("Go", { states: ["disabled"] }));
    expect(await desk.refuse("go", click)).toMatchObject({ code: "DISABLED", done: "nothing was done." });
    expect(desk.pressed()).toEqual([]);
  });

  test("on words that match two controls is refused, and lists both with their marks", async () => {
    const desk = open(button("Delete"), button("Delete"));
    const failure = await desk.refuse("delete", click);
    expect(failure.code).toBe("AMBIGUOUS");
    expect(failure.nearest).toHaveLength(2);
    expect(desk.pressed()).toEqual([]);
  });

  test("on a misspelt word is refused with similar names", async () => {
    const desk = open(button("Search"));
    expect(await desk.refuse("serach", click)).toMatchObject({ code: "NOT_FOUND" });
    expect(desk.pressed()).toEqual([]);
  });

  test("on a field uses the pointer, so that click handlers run", async () => {
    const desk = open({ role: "input", name: "Name", states: ["editable", "focusable"], actions: ["press", "set"] });
    expect(await desk.do("name", click)).toMatchObject({ verdict: "confirmed", way: "pointer" });
    expect(desk.pressed().map(({ name }) => name)).toEqual(["Name"]);
  });

  test("on a row selects it, and does not press the button in it", async () => {
    const row: ControlSketch = { role: "row", name: "Alice", states: ["selectable"], children: [button("Delete")] };
    const desk = open({ role: "table", children: [row] });
    expect(await desk.do("alice", click)).toMatchObject({ verdict: "confirmed", way: "selection" });
    expect(desk.pressed()).toEqual([]);
  });

  test("on a row uses the pointer if another row is the current one, which the next keys would go to", async () => {
    const row = (name: string, ...states: State[]): ControlSketch => ({
      role: "row",
      name,
      states: ["selectable", ...states],
    });
    const desk = open({ role: "table", children: [row("Alice"), row("Bob", "focused")] });
    expect(await desk.do("alice", click)).toMatchObject({ way: "pointer" });
    expect(desk.pressed().map(({ name }) => name)).toEqual(["Alice"]);
    expect(await desk.do("bob", click)).toMatchObject({ way: "selection" });
  });

  test("waits until a blocking dialog is answered", async () => {
    const desk = open(button("Go"));
    desk.desk.app.openWindow({ title: "Sure?", role: "dialog", children: [button("Yes")] }).root.states.add("modal");
    expect(await desk.refuse("go", click)).toMatchObject({ code: "COVERED" });
    expect((await desk.do("yes", click)).isDelivered).toBe(true);
  });

  test("at a point presses what is there", async () => {
    const desk = open(button("Go", { bounds: { x: 100, y: 100, width: 50, height: 20 } }));
    await desk.doAt(110, 110, click);
    expect(desk.pressed().map(({ name }) => name)).toEqual(["Go"]);
  });

  test("that only moves the focus is not confirmed", async () => {
    const desk = open({ role: "image", name: "Logo", states: ["focusable"] });
    expect((await desk.do("logo", click)).verdict).toBe("no-change");
  });

  test("is not confirmed by a clock that ticks at the same moment", async () => {
    const desk = open(text("12:00:01"));
    const clock = desk.desk.find("12:00:01");
    desk.desk.app.windows[0]?.root.insert(button("Go", { onPress: () => clock.rename("12:00:02") }));
    expect((await desk.do("go", click)).verdict).toBe("no-change");
  });

  test("describes its plan and does nothing in a dry run", async () => {
    const desk = open(button("Go"));
    expect(await desk.do("go", click, true)).toMatchObject({
      verdict: "would",
      way: "action press",
      isDelivered: false,
    });
    expect(desk.pressed()).toEqual([]);
  });
});

describe("unrequested side effects are avoided", () => {
  test("a button that takes no focus is not clicked to focus it", async () => {
    const desk = open(button("Save"));
    expect(await desk.refuse("save", { kind: "focus" })).toMatchObject({ code: "PATTERN_UNSUPPORTED" });
    expect(await desk.refuse("save", { kind: "type", text: "x", delayMs: 0 })).toMatchObject({
      code: "PATTERN_UNSUPPORTED",
    });
    expect(desk.pressed()).toEqual([]);
  });

  test("a button is not pressed to select it", async () => {
    const desk = open(button("Save"));
    expect(await desk.refuse("save", { kind: "select" })).toMatchObject({ code: "PATTERN_UNSUPPORTED" });
    expect(desk.pressed()).toEqual([]);
  });
});

test("a launcher is confirmed by the window of the application it starts", async () => {
  const desk = open(
    button("Go", {
      onPress: () => desk.desk.fake.start({ name: "Other", windows: [{ title: "Foreign" }] }),
    }),
  );
  const effect = await desk.do("go", click);
  expect([effect.verdict, effect.evidence]).toEqual(["confirmed", ['window "Foreign" opened']]);
  expect(effect.changes.openedWindows.map(({ title }) => title)).toEqual(["Foreign"]);
});

describe("a pattern that a control does not support", () => {
  test.each(["check", "uncheck", "toggle"] as const)("is refused, and nothing is pressed: %s", async (kind) => {
    const desk = open(
      { role: "input", name: "Name", states: ["editable", "focusable"], actions: ["press", "set"] },
      { role: "menu", name: "File", actions: ["press"] },
    );
    for (const words of ["name", "file"]) {
      expect(await desk.refuse(words, { kind })).toMatchObject({ code: "PATTERN_UNSUPPORTED" });
    }
    expect(desk.pressed()).toEqual([]);
  });
});

test("a text for a drop-down list with a field is typed into the field", async () => {
  const field: ControlSketch = { role: "input", name: "Words", states: ["focusable", "editable"] };
  const list: ControlSketch = { role: "select", name: "Search for", children: [field] };
  const typed = await open(list).do("search for", { kind: "type", text: "two", delayMs: 0 });
  expect([typed.verdict, typed.target?.element?.name]).toEqual(["confirmed", "Words"]);
});

test("a row is selected through its selection or the pointer, never by a press, which would open it", async () => {
  const row: ControlSketch = { role: "row", name: "list.txt", actions: ["press"] };
  const desk = open({ role: "table", children: [row] });
  const effect = await desk.do("list.txt", { kind: "select" });
  expect(effect.way).toBe("pointer");
  expect(effect.passedOver.map(({ way }) => way)).toContain("action press");
  expect(effect.verdict).not.toBe("confirmed");
});

test("a box in the mixed state is not checked", async () => {
  const desk = open({ role: "checkbox", name: "All", states: ["checkable", "mixed"] });
  const effect = await desk.do("all", { kind: "check" });
  expect(effect.evidence.join()).not.toContain("already");
});

describe("no proof of an effect", () => {
  test("is an unchanged number of characters in a secret field", async () => {
    const desk = open({
      role: "input",
      name: "Password",
      value: "old123",
      secret: true,
      states: ["editable", "focusable"],
      actions: ["set"],
      accepts: () => false,
    });
    expect((await desk.do("password", { kind: "set-value", text: "new456" })).verdict).toBe("unverified");
  });
});

describe("a state", () => {
  const box = (states: ControlSketch["states"] = []): ControlSketch => ({
    role: "checkbox",
    name: "Wrap",
    actions: ["toggle"],
    states,
  });

  test("is reached and observed", async () => {
    expect(await open(box()).do("wrap", { kind: "check" })).toMatchObject({
      verdict: "confirmed",
      way: "action toggle",
      evidence: ["it is checked"],
    });
  });

  test("that already holds needs nothing", async () => {
    const desk = open(box(["checked"]));
    expect(await desk.do("wrap", { kind: "check" })).toMatchObject({
      verdict: "confirmed",
      way: "nothing needed",
      isDelivered: false,
    });
    expect(desk.pressed()).toEqual([]);
  });

  test("that another control takes on instead is a wrong target", async () => {
    const desk = open(
      { ...box(), onPress: () => desk.desk.find("Wrap").states.delete("checked") },
      { role: "checkbox", name: "Other" },
    );
    const other = desk.desk.find("Other");
    const wrap = desk.desk.find("Wrap");
    Object.assign(wrap.sketch, {
      onPress: () => {
        wrap.states.delete("checked");
        other.states.add("checked");
      },
    });
    const effect = await desk.do("wrap", { kind: "check" });
    expect(effect.verdict).toBe("wrong-target");
    expect(effect.evidence.join()).toContain("Other");
  });

  test("that a control cannot have is unsupported, and every attempted way is listed", async () => {
    const failure = await open(text("Welcome")).refuse("welcome text", { kind: "expand" });
    expect(failure.code).toBe("PATTERN_UNSUPPORTED");
    expect(failure.nearest?.length).toBeGreaterThan(2);
    expect(failure.done).toBe("nothing was done.");
  });
});

describe("a value", () => {
  const field = (more: Partial<ControlSketch> = {}): ControlSketch => ({
    role: "input",
    name: "Name",
    states: ["editable", "focusable"],
    actions: ["set"],
    ...more,
  });

  test("is set and read back", async () => {
    const desk = open(field());
    expect(await desk.do("name", { kind: "set-value", text: "Ada" })).toMatchObject({
      verdict: "confirmed",
      way: "editable text",
    });
    expect(desk.desk.find("Name").value).toBe("Ada");
  });

  test("that the field rejects is never confirmed", async () => {
    const desk = open(field({ accepts: (given) => /^\d*$/.test(given) }));
    const effect = await desk.do("name", { kind: "set-value", text: "abc" });
    expect(effect.verdict).toBe("no-change");
    expect(effect.isRetrySafe).toBe(true);
  });

  test("that is not a number is refused by numeric controls, and nothing is done", async () => {
    const spin = {
      role: "spin",
      name: "Size",
      value: "3",
      states: ["editable", "focusable"],
      actions: ["set"],
    } as const;
    const desk = open(spin, { ...spin, name: "Date", value: "2026-01-31" });
    for (const given of ["abc", "", "3 px"]) {
      const refused = await desk.refuse("size", { kind: "set-value", text: given });
      expect(refused).toMatchObject({ code: "USAGE", done: "nothing was done." });
      expect(refused.message).toContain("holds a number");
    }
    expect(desk.desk.find("Size").value).toBe("3");
    expect((await desk.do("size", { kind: "set-value", text: "4.5" })).verdict).toBe("confirmed");
    await desk.do("date", { kind: "set-value", text: "2026-02-01" });
    expect(desk.desk.find("Date").value).toContain("2026-02-01");
  });

  test("of a typed-into field is the typed text", async () => {
    const desk = open(field({ value: "x" }));
    const effect = await desk.do("name", { kind: "type", text: "yz", delayMs: 0 });
    expect(effect.verdict).toBe("confirmed");
    expect(effect.evidence).toContain("it holds what was typed");
    expect(desk.desk.find("Name").value).toBe("xyz");
  });

  test("of a secret field is counted, never revealed", async () => {
    const desk = open(field({ name: "Password", secret: true }));
    const effect = await desk.do("password", { kind: "set-value", text: "hunter2" });
    expect(effect.verdict).toBe("confirmed");
    expect(JSON.stringify(effect)).not.toContain("hunter2");
  });
});

test("only a press that should do something counts as a miss if nothing changes", async () => {
  const desk = open(button("Go"));
  const missesOf = (mark = 0): number | undefined => store.findLearned([mark]).get(mark)?.misses;
  const middle = await desk.do("go", { kind: "click", button: "middle", count: 1 });
  expect([middle.verdict, missesOf(middle.target.element?.mark) ?? 0]).toEqual(["no-change", 0]);
  const left = await desk.do("go", click);
  expect([left.verdict, missesOf(left.target.element?.mark)]).toEqual(["no-change", 1]);
});

test("a cell that is checked is not opened by its press", async () => {
  const form = open({
    role: "cell",
    name: "On",
    states: ["checkable"],
    actions: ["press"],
    bounds: { x: 100, y: 100, width: 20, height: 20 },
  });
  const effect = await form.do("on", { kind: "check" });
  expect([effect.way, effect.passedOver.map(({ way }) => way)]).toEqual([
    "pointer",
    expect.arrayContaining(["action press"]),
  ]);
});

describe("a cell of a sheet", () => {
  const cell = (name: string, states: readonly State[]): ControlSketch => ({
    role: "cell",
    name,
    states,
    bounds: { x: 100, y: name === "A1" ? 100 : 120, width: 60, height: 20 },
  });

  test("gets nothing typed if the cursor does not move to it", async () => {
    const sheet = open(cell("A1", ["focusable", "focused"]), cell("A2", []));
    const refused = await sheet.refuse("a2", { kind: "set-value", text: "Pear" });
    expect(refused).toMatchObject({ code: "FAILED", message: expect.stringContaining('did not move to cell "A2"') });
    expect(refused.done).toBe("only this was done: it was clicked for the focus.");
  });

  test("gets nothing typed while others are selected with it", async () => {
    const sheet = open(cell("A1", ["focusable", "selected"]), cell("A2", ["focusable", "selected"]));
    const refused = await sheet.refuse("a2", { kind: "set-value", text: "" });
    expect(refused).toMatchObject({ code: "FAILED", done: "only this was done: it was clicked for the focus." });
  });
});

test("a dry run of a drag tells of controls that are not in view, and does not bring them there", async () => {
  const form = open(button("Go"), button("Bin"));
  const [window] = form.desk.app.windows;
  if (window !== undefined) Object.assign(window.sketch, { state: ["minimised"] });
  const before = form.desk.fake.pointer;
  const effect = await form.do("go", { kind: "drag", to: form.words("bin"), button: "left" }, true);
  expect(effect).toMatchObject({ verdict: "would", isDelivered: false });
  expect(form.desk.fake.pointer).toEqual(before);
});
