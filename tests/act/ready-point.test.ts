import { describe, expect, test } from "bun:test";
import { succeed } from "../../src/model/failure.ts";
import type { Order } from "../../src/model/order.ts";
import { button } from "../map/desk.ts";
import { type OpenWindow, useWindows } from "./open-window.ts";

// A control whose action comes late is pressed with the pointer, but only where that is as quiet as its action.

const open = useWindows();
const once: Order = { kind: "click", button: "left", count: 1 };
const place = { x: 100, y: 100, width: 60, height: 20 };

async function openLate(): Promise<OpenWindow> {
  const form = open({ ...button("Go", { bounds: place }), traits: ["action-comes-late"] });
  await form.desk.look();
  const { handle } = form.desk.find("Go");
  form.platform.askWhatIsAt = async () => succeed(handle);
  return form;
}

async function press(form: OpenWindow) {
  const { way, passedOver } = await form.do("go", once);
  const presses = form.desk.fake.pressed.filter(({ name }) => name === "Go").length;
  return { way, why: passedOver.find((one) => one.way === "pointer")?.why, presses };
}

const byAction = (why: string) => ({ way: "action press", why, presses: 1 });

test("a control whose action comes late is pressed with the pointer, once", async () => {
  const form = await openLate();
  expect(await press(form)).toEqual({ way: "pointer", why: undefined, presses: 1 });
  expect(form.desk.fake.pointer).toEqual({ x: 130, y: 110 });
});

test("any other is pressed by its action, and the pointer stays where it is", async () => {
  const form = open(button("Go", { bounds: place }));
  expect(await press(form)).toEqual({ way: "action press", why: undefined, presses: 1 });
  expect(form.desk.fake.pointer).toEqual({ x: 0, y: 0 });
});

describe("its action is used, and the pointer stays where it is, if", () => {
  const expectUnmoved = (form: OpenWindow): void => {
    expect(form.desk.fake.pointer).toEqual({ x: 0, y: 0 });
  };

  test("its window is not in front", async () => {
    const form = await openLate();
    const { listWindows } = form.platform;
    form.platform.listWindows = async () => {
      const list = await listWindows.call(form.platform);
      const windows = list.ok ? list.value.windows.map((window) => ({ ...window, isFocused: false })) : [];
      return list.ok ? succeed({ ...list.value, windows }) : list;
    };
    expect(await press(form)).toEqual(byAction("its window is not in front"));
    expectUnmoved(form);
  });

  test("another window lies there", async () => {
    const form = await openLate();
    form.platform.findWindowAt = async () => succeed(undefined);
    expect(await press(form)).toEqual(byAction("something may cover it"));
    expectUnmoved(form);
  });

  test("another part of the window lies there, or the application does not tell", async () => {
    for (const handle of ["another", undefined]) {
      const form = await openLate();
      form.platform.askWhatIsAt = async () => succeed(handle);
      expect(await press(form)).toEqual(byAction("something may cover it"));
      expectUnmoved(form);
    }
  });

  test("a menu is open, which a press beside it would close", async () => {
    const form = await openLate();
    await form.openPopup({ x: 400, y: 400, width: 50, height: 50 });
    form.desk.fake.popups = form.desk.fake.popups.map((popup) => ({ ...popup, isMenu: true }));
    expect(await press(form)).toEqual(byAction("something may cover it"));
    expectUnmoved(form);
  });

  test("it would be the second half of a double click", async () => {
    const form = await openLate();
    form.platform.findPressPause = async () => succeed(300);
    expect(await press(form)).toEqual(byAction("it would be a double click"));
    expectUnmoved(form);
  });

  test("it is elsewhere than it was read", async () => {
    const form = await openLate();
    const { glimpse } = form.platform;
    form.platform.glimpse = async (element, timeoutMs) => {
      const seen = await glimpse.call(form.platform, element, timeoutMs);
      return seen.ok && seen.value !== undefined ? succeed({ ...seen.value, place: "elsewhere" }) : seen;
    };
    expect(await press(form)).toEqual(byAction("it is not at rest"));
    expectUnmoved(form);
  });

  test("a person moves the pointer, or holds a button or a modifier", async () => {
    for (const [first, second] of [
      [
        { x: 5, y: 5, isHeld: false },
        { x: 6, y: 5, isHeld: false },
      ],
      [
        { x: 5, y: 5, isHeld: true },
        { x: 5, y: 5, isHeld: true },
      ],
    ] as const) {
      const form = await openLate();
      const answers = [first, second];
      form.platform.findPointer = async () => succeed(answers.shift() ?? second);
      expect(await press(form)).toEqual(byAction("a person is using the pointer"));
      expectUnmoved(form);
    }
  });
});
