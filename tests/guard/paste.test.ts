import { describe, expect, test } from "bun:test";
import { nobody } from "../../src/guard/approval/approver.ts";
import { Permit } from "../../src/guard/permit.ts";
import { userPolicy } from "../../src/guard/policy/defaults.ts";
import type { Actor, Deed } from "../../src/model/deed.ts";
import { type Failure, fail, nothingDone, succeed } from "../../src/model/failure.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import { control } from "./a-deed.ts";
import { MemoryRecords } from "./open-guard.ts";

/** Carries out a deed while somebody owns both selections; tells the refusal, or that it was let through. */
async function attempt(deed: Deed, owner: string, isSecret = false, element?: Actor): Promise<string> {
  const desktop = new FakeDesktop({ applications: [{ name: "Editor", windows: [{ title: "Notes" }] }] });
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
  const done = await permit.carryOut(deed, { tool: "type", element });
  return done.ok ? "let through" : (done.failure.reason ?? done.failure.code);
}

const pastes: readonly Deed[] = [
  { kind: "keys", combo: { modifiers: ["ctrl"], key: "v" } },
  { kind: "keys", combo: { modifiers: ["shift"], key: "Insert" } },
  { kind: "click", point: { x: 5, y: 5 }, button: "middle", count: 1 },
];

describe("a paste", () => {
  test.each([...pastes])("of what a blind application has copied is refused: %j", async (deed) => {
    expect(await attempt(deed, "keepassxc")).toBe("blind");
  });

  test.each([...pastes])("of what another has copied is not: %j", async (deed) => {
    expect(await attempt(deed, "mousepad")).not.toBe("blind");
  });

  test.each([...pastes])("of what must not be read is refused, but for a secret field: %j", async (deed) => {
    expect(await attempt(deed, "mousepad", true)).toBe("secret");
    expect(await attempt(deed, "mousepad", true, control("input", "City", "editable"))).toBe("secret");
    expect(await attempt(deed, "mousepad", true, control("input", "Password", "secret"))).not.toBe("secret");
  });
});
