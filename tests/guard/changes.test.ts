import { expect, test } from "bun:test";
import { listChanges } from "../../src/guard/policy/changes.ts";
import { readPolicyText } from "../../src/guard/policy/schema.ts";

function read(policy: object) {
  const given = readPolicyText(JSON.stringify(policy));
  if ("problems" in given) throw new Error(JSON.stringify(given.problems));
  return given;
}

function tell(before: object, after: object): string[] {
  return listChanges(read(before).value, read(after).value).map(({ words }) => words);
}

const apps = Array.from({ length: 40 }, (_, at) => `application-number-${at}`);

test("a rule that is too long to show is compared completely, and its decision is shown first", () => {
  const [gone, come, ...rest] = tell({ rules: [{ apps, decision: "deny" }] }, { rules: [{ apps, decision: "allow" }] });
  expect(gone).toStartWith('rule gone: {"decision":"deny","apps":["application-number-0"');
  expect(come).toStartWith('rule new: {"decision":"allow"');
  expect(rest).toEqual([]);
});

test("a client section that is too long to show is compared completely", () => {
  const part = (decision: string) => ({ clients: { agent: { rules: [{ apps, decision }] } } });
  const [gone, come] = tell(part("deny"), part("allow"));
  expect(gone).toContain('"decisions":["deny"]');
  expect(come).toContain('"decisions":["allow"]');
});

test("a changed order is reported even beside additions", () => {
  const [a, b, c] = ["gimp", "vlc", "gedit"].map((app) => ({ apps: [app], decision: "deny" }));
  const told = tell({ rules: [a, b] }, { rules: [b, a, c] });
  expect(told).toEqual([expect.stringContaining("gedit"), "rule: the order or number of the others has changed"]);
});

test("an equal policy has no changes", () => expect(tell({ rules: [] }, { rules: [] })).toEqual([]));
