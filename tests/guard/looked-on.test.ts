import { expect, test } from "bun:test";
import { act } from "../../src/desktop/index.ts";
import { nobody } from "../../src/guard/approval/approver.ts";
import { Permit } from "../../src/guard/permit.ts";
import { userPolicy } from "../../src/guard/policy/defaults.ts";
import type { ActionObserver } from "../../src/model/activity.ts";
import { succeed } from "../../src/model/failure.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import { openFrozenRuntime } from "../server/frozen-runtime.ts";
import { MemoryRecords, openGuard } from "./open-guard.ts";

// An observer that the guard waits for: the checks must notice anything that happens in that moment.

function observing(whileLooking: () => void): ActionObserver {
  return {
    async captureBefore() {
      whileLooking();
      return () => undefined;
    },
    begin: () => undefined,
    end: () => undefined,
  };
}

async function openTwo() {
  const desktop = new FakeDesktop({
    applications: [
      { name: "pad", windows: [{ title: "Pad" }] },
      { name: "keepassxc", windows: [{ title: "Passwords" }] },
    ],
  });
  const [platform, hands, records] = [desktop.open(), desktop.openHands(), new MemoryRecords()];
  const real = platform.listWindows.bind(platform);
  let focused = "Pad";
  let typed = 0;
  platform.listWindows = async () => {
    const list = await real();
    if (!list.ok) return list;
    const windows = list.value.windows.map((one) => ({ ...one, isFocused: one.title === focused }));
    return succeed({ ...list.value, windows });
  };
  hands.input = async () => {
    typed += 1;
    return succeed(undefined);
  };
  const list = await platform.listWindows();
  const window = list.ok ? list.value.windows.find(({ title }) => title === "Pad") : undefined;
  const type = async (whileLooking: () => void): Promise<string> => {
    const permit = new Permit(
      {
        platform,
        policy: { ...userPolicy, sensitive: "allow" },
        records,
        approver: nobody,
        client: { name: "test" },
        observer: observing(whileLooking),
        openHands: async () => succeed(hands),
      },
      "type",
    );
    const done = await permit.carryOut({ kind: "type", text: "hello", delayMs: 0 }, { tool: "type", window });
    return done.ok ? `${typed} typed` : `${done.failure.reason ?? done.failure.code}, ${typed} typed`;
  };
  const focus = (title: string): void => {
    focused = title;
  };
  return { type, focus, records };
}

test("text is not typed into another window that took the keyboard meanwhile", async () => {
  const { type, focus } = await openTwo();
  expect(await type(() => undefined)).toBe("1 typed");
  expect(await type(() => focus("Passwords"))).toBe("blind, 1 typed");
});

test("an action that was stopped meanwhile is not done", async () => {
  const { type, records } = await openTwo();
  const stop = (): void => {
    records.stop = { atMs: 1, by: "a person" };
  };
  expect(await type(stop)).toBe("stopped, 0 typed");
});

test("the control is looked up again afterwards, before anything is aimed at", async () => {
  const children = [{ role: "button" as const, name: "Add" }];
  const desktop = new FakeDesktop({ applications: [{ name: "pad", windows: [{ title: "Pad", children }] }] });
  const platform = desktop.open();
  const marks = await openFrozenRuntime(desktop).openMap(() => {});
  if (!marks.ok) throw new Error(marks.failure.message);
  const order: string[] = [];
  const read = platform.readWindows.bind(platform);
  platform.readWindows = (request) => {
    order.push("read");
    return read(request);
  };
  const guard = openGuard(desktop, { observer: observing(() => order.push("looked on")) });
  const request = {
    tool: "click",
    aim: { by: "words", words: "add" },
    order: { kind: "click", button: "left", count: 1 },
    app: "pad",
    isDryRun: false,
    timeoutMs: 1000,
  } as const;
  expect((await act({ platform, marks: marks.value, guard }, request)).ok).toBe(true);
  expect(order.slice(0, 3)).toEqual(["read", "looked on", "read"]);
});
