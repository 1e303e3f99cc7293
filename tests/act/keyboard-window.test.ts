import { afterAll, expect, test } from "bun:test";
import { act } from "../../src/desktop/index.ts";
import { fail, makeFailure, succeed } from "../../src/model/failure.ts";
import type { Modifier } from "../../src/model/keys.ts";
import { openGuard } from "../guard/open-guard.ts";
import { Desk, makeMapFolder, text } from "../map/desk.ts";

const folder = makeMapFolder();
afterAll(() => folder.remove());

test("keys go to the window with the keyboard, whatever another window of the process says of its focus", async () => {
  const marks = folder.open();
  const shape = { role: "image", name: "OLEShape", states: ["focusable", "focused"] } as const;
  // The last one is in front.
  const desk = new Desk(marks, { title: "Sheet", children: [shape] }, { title: "Letter", children: [text("Dear")] });
  const desktop = { platform: desk.fake.open(), marks, guard: openGuard(desk.fake) };
  const press = async (query: { readonly window?: string }) => {
    const order = { kind: "keys", combo: { modifiers: [], key: "F5" } } as const;
    const effect = await act(desktop, {
      tool: "type",
      aim: undefined,
      order,
      isDryRun: true,
      timeoutMs: 1000,
      ...query,
    });
    if (!effect.ok) throw new Error(effect.failure.message);
    return effect.value.target;
  };
  const target = await press({});
  expect([target.window?.title, target.element?.name]).toEqual(["Letter", undefined]);
  const behind = await press({ window: "Sheet" });
  expect([behind.window?.title, behind.element?.name]).toEqual(["Sheet", "OLEShape"]);
  marks.close();
});

test("keys for a named application reach it where no window has the keyboard and no other one is open", async () => {
  const marks = folder.open();
  const desk = new Desk(marks, { title: "Letter", children: [text("Dear")] });
  const platform = desk.fake.open();
  const { listWindows } = platform;
  platform.listWindows = async (...given) => {
    const list = await listWindows.apply(platform, given);
    if (!list.ok) return list;
    return succeed({ ...list.value, windows: list.value.windows.map((one) => ({ ...one, isFocused: false })) });
  };
  const desktop = { platform, marks, guard: openGuard(desk.fake) };
  const press = (query: { readonly window?: string }) => {
    const order = { kind: "keys", combo: { modifiers: [], key: "F5" } } as const;
    return act(desktop, { tool: "type", aim: undefined, order, isDryRun: true, timeoutMs: 1000, ...query });
  };
  expect(await press({ window: "Letter" })).toMatchObject({ value: { target: { window: { title: "Letter" } } } });
  expect(await press({})).toMatchObject({ failure: { message: "no window has the keyboard" } });
  marks.close();
});

test("a shortcut that shows nothing is not denied: it may have copied or saved something", async () => {
  const marks = folder.open();
  const field = { role: "input", name: "Name", states: ["focusable", "focused", "editable"] } as const;
  const desk = new Desk(marks, { title: "Letter", children: [field] });
  const desktop = { platform: desk.fake.open(), marks, guard: openGuard(desk.fake) };
  const press = async (modifiers: readonly Modifier[], key: string) => {
    const order = { kind: "keys", combo: { modifiers, key } } as const;
    const effect = await act(desktop, { tool: "type", aim: undefined, order, isDryRun: false, timeoutMs: 1000 });
    if (!effect.ok) throw new Error(effect.failure.message);
    return effect.value;
  };
  const copied = await press(["ctrl"], "c");
  expect(copied).toMatchObject({ verdict: "unverified", isDelivered: true });
  expect(copied.evidence.at(-1)).toBe("files and the clipboard are not watched");
  expect((await press(["shift"], "F5")).verdict).toBe("no-change");
  marks.close();
});

test("a question that takes the keyboard before the keys are sent is named", async () => {
  const marks = folder.open();
  const field = { role: "input", name: "Name", states: ["focusable", "editable"] } as const;
  const desk = new Desk(marks, { title: "Letter", children: [field] });
  const hands = desk.fake.openHands();
  desk.fake.openHands = () => hands;
  hands.input = async () => {
    desk.app.openWindow({ title: "Externally Modified", children: [text("Reload?")] });
    return fail(makeFailure("FAILED", "the window closed or lost the keyboard"));
  };
  const desktop = { platform: desk.fake.open(), marks, guard: openGuard(desk.fake) };
  const named = { by: "words", words: "Name" } as const;
  for (const aim of [undefined, named]) {
    const order = { kind: "type", text: "x", delayMs: 0 } as const;
    const request = { tool: "type", aim, order, isDryRun: false, timeoutMs: 1000, window: "Letter" };
    const effect = await act(desktop, request);
    expect(effect.ok ? effect.value : effect.failure).toMatchObject({
      code: "FAILED",
      message: expect.stringMatching(/lost the keyboard: window "Externally Modified" .*has it$/),
      suggestion: expect.stringMatching(/^deskmap read --window-id \d+$/),
    });
  }
  marks.close();
});

test("an open menu is closed before a text is typed into a field beside it, or nothing is typed", async () => {
  const marks = folder.open();
  const bounds = { x: 0, y: 0, width: 60, height: 20 };
  const entry = { role: "menuitem", name: "Save", bounds: { x: 0, y: 30, width: 60, height: 20 } } as const;
  const menu = { role: "menu", name: "File", bounds, children: [entry] } as const;
  const field = {
    role: "input",
    name: "Name",
    states: ["focusable", "editable"],
    bounds: { x: 200, y: 100, width: 200, height: 30 },
  } as const;
  const bar = { role: "menubar", bounds, children: [menu] } as const;
  const desk = new Desk(marks, { title: "Letter", children: [bar, field] });
  const platform = desk.fake.open();
  const list = await platform.listWindows();
  const [window] = list.ok ? list.value.windows : [];
  if (window === undefined) throw new Error("no window");
  const popup = { ...window, id: 99, bounds: entry.bounds, isFocused: false, isMenu: true };
  const sent: string[] = [];
  const hands = desk.fake.openHands();
  const { input } = hands;
  desk.fake.openHands = () => hands;
  let closes = true;
  hands.input = async (command, ...others) => {
    sent.push(command.kind === "keys" ? command.combo.key : command.kind);
    if (command.kind === "keys" && command.combo.key === "Escape" && closes) desk.fake.popups = [];
    return input.call(hands, command, ...others);
  };
  const desktop = { platform, marks, guard: openGuard(desk.fake) };
  const type = (words: string) => {
    const order = { kind: "type", text: "Ann", delayMs: 0 } as const;
    return act(desktop, { tool: "type", aim: { by: "words", words }, order, isDryRun: false, timeoutMs: 1000 });
  };
  desk.fake.popups = [popup];
  const typed = await type("name");
  expect(typed).toMatchObject({
    value: { verdict: "confirmed", evidence: expect.arrayContaining(['menu "File" was closed']) },
  });
  expect(sent).toEqual(["Escape", "type"]);

  closes = false;
  desk.fake.popups = [popup];
  sent.length = 0;
  expect(await type("name")).toMatchObject({
    failure: { code: "COVERED", message: expect.stringContaining('menu "File" is open and takes every key') },
  });
  expect(sent).toEqual(["Escape"]);
  marks.close();
});
