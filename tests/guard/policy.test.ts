import { describe, expect, test } from "bun:test";
import { decide, findStand, type Policy, type Rule, sandboxPolicy } from "../../src/guard/policy/policy.ts";

const base: Policy = { ...sandboxPolicy, sensitive: "ask" };
const withRules = (...rules: Rule[]): Policy => ({ ...base, rules });
const harmless = { client: "cli", tool: "click", apps: ["Mousepad", "org.xfce.mousepad"], dangers: [] };
const deleting = { ...harmless, dangers: ["delete"] as const };

describe("a rule", () => {
  test("that matches decides; the first one wins", () => {
    const policy = withRules({ apps: ["mousepad"], decision: "deny" }, { decision: "allow" });
    expect(decide(policy, harmless)).toBe("deny");
    expect(decide(policy, { ...harmless, apps: ["Gimp"] })).toBe("allow");
  });

  test("matches several names with a star at the end", () => {
    const policy = withRules({ apps: ["org.xfce.*"], tools: ["cl*"], decision: "ask" });
    expect(decide(policy, harmless)).toBe("ask");
    expect(decide(policy, { ...harmless, tool: "type" })).toBe("allow");
  });

  test("allows sensitive actions only if it names them", () => {
    expect(decide(withRules({ decision: "allow" }), deleting)).toBe("ask");
    expect(decide(withRules({ actions: ["delete"], decision: "allow" }), deleting)).toBe("allow");
    const both = { ...harmless, dangers: ["delete", "send"] as const };
    expect(decide(withRules({ actions: ["delete"], decision: "allow" }), both)).toBe("ask");
    expect(decide(withRules({ actions: ["delete"], decision: "deny" }), both)).toBe("deny");
  });

  test("applies to the clients that it names", () => {
    const policy = withRules({ clients: ["claude*"], decision: "deny" });
    expect(decide(policy, { ...harmless, client: "Claude Code" })).toBe("deny");
    expect(decide(policy, harmless)).toBe("allow");
  });
});

test("the strictest standing of all the names of an application counts", () => {
  const policy: Policy = {
    ...base,
    standings: new Map([
      ["a", "hands-off"],
      ["b", "blind"],
      ["c", "normal"],
    ] as const),
  };
  expect(findStand(policy, ["A", "c"]).standing).toBe("hands-off");
  expect(findStand(policy, ["a", "B"]).standing).toBe("blind");
  expect(findStand(policy, ["other"]).standing).toBe("normal");
});
