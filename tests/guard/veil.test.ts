import { expect, test } from "bun:test";
import { sandboxPolicy } from "../../src/guard/policy/policy.ts";
import { Looks, veil } from "../../src/guard/veil/veil.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";

test("behind the veil there is a platform and nothing else: no way leads back before it", async () => {
  const platform = new FakeDesktop({ applications: [{ name: "pad", windows: [{ title: "Pad" }] }] }).open();
  const live = Object.assign(platform, { fresh: platform, mirror: { figures: () => 1 } });
  const veiled = veil(live, {
    policy: sandboxPolicy,
    looks: new Looks(),
    timeoutMs: 50,
    findStop: () => undefined,
  });
  expect(["fresh", "mirror", "constructor"].map((name): unknown => Reflect.get(veiled, name))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(veiled.name).toBe(platform.name);
  expect(await veiled.listWindows()).toMatchObject({ ok: true, value: { windows: [{ title: "Pad" }] } });
});
