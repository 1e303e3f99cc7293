import { expect, test } from "bun:test";
import { noChanges } from "../../src/model/effect.ts";
import { succeed } from "../../src/model/failure.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import { MemoryRecords, openGuard } from "./open-guard.ts";

test("text typed after a window was raised is logged by its length", async () => {
  const desktop = new FakeDesktop({ applications: [{ name: "Editor", windows: [{ title: "Notes" }] }] });
  const records = new MemoryRecords();
  const list = await desktop.open().listWindows();
  const window = list.ok ? list.value.windows[0] : undefined;
  if (window === undefined) throw new Error("no window");
  await openGuard(desktop, { records }).run({ tool: "type", isDryRun: false, timeoutMs: 100 }, async (gate) => {
    await gate.carryOut({ kind: "window", window, operation: { name: "front" } }, { tool: "type", window });
    await gate.carryOut({ kind: "type", text: "hello", delayMs: 0 }, { tool: "type", window });
    return succeed({
      verdict: "confirmed",
      intent: "type",
      target: { words: "what has the keyboard" },
      way: "keys",
      passedOver: [],
      evidence: [],
      changes: noChanges,
      isDelivered: true,
      isRetrySafe: false,
    });
  });
  expect(records.entries.map(({ what, typed }) => [what, typed?.length])).toEqual([
    ["begin", undefined],
    ["end", 5],
  ]);
});
