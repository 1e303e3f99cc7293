import { describe, expect, test } from "bun:test";
import { nobody } from "../../src/guard/approval/approver.ts";
import { Permit } from "../../src/guard/permit.ts";
import { userPolicy } from "../../src/guard/policy/defaults.ts";
import type { Command } from "../../src/model/command.ts";
import type { SingleElement } from "../../src/model/element.ts";
import { type Failure, fail, nothingDone, succeed } from "../../src/model/failure.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import type { WindowSketch } from "../../src/platform/fake/sketch.ts";
import { MemoryRecords } from "./open-guard.ts";
import { control } from "./sample-commands.ts";

/** Carries out a command while another client owns both selections; returns the refusal, or that it was let through. */
async function attempt(
  command: Command,
  owner: string,
  isSecret = false,
  element?: SingleElement,
  sketch: WindowSketch = { title: "Notes" },
): Promise<string> {
  const desktop = new FakeDesktop({ applications: [{ name: "Editor", windows: [sketch] }] });
  const windows = await desktop.open().listWindows();
  const [window] = windows.ok ? windows.value.windows : [];
  const hands = desktop.openHands();
  hands.findClipboardOwner = async () => succeed([owner]);
  const failure: Failure = { code: "REFUSED", reason: "secret", message: "", suggestion: "", done: nothingDone };
  if (isSecret) hands.readClipboard = async () => fail(failure);
  const permit = new Permit(
    {
      platform: desktop.open(),
      policy: { ...userPolicy, sensitive: "allow" },
      records: new MemoryRecords(),
      approver: nobody,
      client: { name: "test" },
      openHands: async () => succeed(hands),
    },
    "type",
  );
  const done = await permit.carryOut(command, { tool: "type", element, window });
  return done.ok ? "let through" : (done.failure.reason ?? done.failure.code);
}

const pastes: readonly Command[] = [
  { kind: "keys", combo: { modifiers: ["ctrl"], key: "v" } },
  { kind: "keys", combo: { modifiers: ["shift"], key: "Insert" } },
  { kind: "keys", combo: { modifiers: ["shift"], key: "KP_Insert" } },
  { kind: "keys", combo: { modifiers: [], key: "XF86Paste" } },
  { kind: "click", point: { x: 5, y: 5 }, button: "middle", count: 1 },
  { kind: "invoke", element: control("input", "City", "editable"), action: "clipboard.paste" },
];

const click: Command = { kind: "click", point: { x: 5, y: 5 }, button: "left", count: 1 };
const enter: Command = { kind: "keys", combo: { modifiers: [], key: "Return" } };

describe("a paste", () => {
  test.each([...pastes])("of a blind application's copy is refused: %j", async (command) => {
    expect(await attempt(command, "keepassxc")).toBe("blind");
  });

  test.each([...pastes])("of another application's copy is not: %j", async (command) => {
    expect(await attempt(command, "mousepad")).not.toBe("blind");
  });

  test.each([...pastes])("of unreadable content is refused, except into a secret field: %j", async (command) => {
    expect(await attempt(command, "mousepad", true)).toBe("secret");
    expect(await attempt(command, "mousepad", true, control("input", "City", "editable"))).toBe("secret");
    expect(await attempt(command, "mousepad", true, control("input", "Password", "secret"))).not.toBe("secret");
  });
});

describe("an entry or a button that pastes", () => {
  const labels = ["Paste", "Paste as plain text", "_Einfügen", "Coller", "Вставить", "粘贴"];

  test.each(labels)("is not pressed in any way with a blind application's copy: %s", async (label) => {
    const entry = control("menuitem", label);
    const invoke: Command = { kind: "invoke", element: entry, action: "click" };
    for (const command of [invoke, click, enter])
      expect(await attempt(command, "keepassxc", false, entry)).toBe("blind");
  });

  test("is recognised by its label", async () => {
    expect(await attempt(click, "keepassxc", false, control("menuitem", "Open"))).toBe("let through");
  });
});

test("controls that copy the focused content are not pressed while a secret field is in view", async () => {
  for (const [label, fields, outcome] of [
    ["Copy", [{ role: "input", name: "Password", states: ["secret"] }], "secret"],
    ["Ausschneiden", [{ role: "input", name: "Password", states: ["secret"] }], "secret"],
    ["Copy", [{ role: "input", name: "City", states: ["editable"] }], "let through"],
    ["Copyright", [{ role: "input", name: "Password", states: ["secret"] }], "let through"],
  ] as const) {
    const sketch = { title: "Notes", children: [...fields] };
    expect(await attempt(click, "mousepad", false, control("menuitem", label), sketch)).toBe(outcome);
  }
});
