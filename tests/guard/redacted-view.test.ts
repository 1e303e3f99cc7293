import { expect, test } from "bun:test";
import { Looks } from "../../src/guard/audit/looks.ts";
import { sandboxPolicy } from "../../src/guard/policy/policy.ts";
import { createRedactedView } from "../../src/guard/view/redacted-view.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";

test("the redacted view is only a platform: nothing in it leads back to the unredacted one", async () => {
  const platform = new FakeDesktop({ applications: [{ name: "pad", windows: [{ title: "Pad" }] }] }).open();
  const live = Object.assign(platform, { fresh: platform, mirror: { figures: () => 1 } });
  const redacted = createRedactedView(live, {
    policy: sandboxPolicy,
    looks: new Looks(),
    timeoutMs: 50,
    findStop: () => undefined,
  });
  expect(["fresh", "mirror", "constructor"].map((name): unknown => Reflect.get(redacted, name))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(redacted.name).toBe(platform.name);
  expect(await redacted.listWindows()).toMatchObject({ ok: true, value: { windows: [{ title: "Pad" }] } });
});
