import { afterEach, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Grant } from "../../src/guard/audit/ledger.ts";
import {
  findCaller,
  identifyOwn,
  isForClient,
  isNameTrusted,
  judgeName,
  unknownStart,
} from "../../src/guard/identity.ts";
import { listGuiseNames, policyFor, policyForAny } from "../../src/guard/policy/file.ts";
import { decide, type Policy, sandboxPolicy } from "../../src/guard/policy/policy.ts";
import { readPolicyText } from "../../src/guard/policy/schema.ts";
import { type ProcessIdentity, processes } from "../../src/os/index.ts";
import { fc } from "../property.ts";

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    const ended = once(child, "exit");
    if (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL")) await ended;
  }
});

function start(): ProcessIdentity {
  const child = spawn("sleep", ["600"], { stdio: "ignore" });
  children.push(child);
  const found = identifyOwn(child.pid ?? 0);
  if (found === undefined) throw new Error("it does not run");
  return found;
}

const untilMs = Date.now() + 600_000;
const grantTo = (process: ProcessIdentity): Grant => ({ client: "robot", process, isSensitive: false, untilMs });

test("a grant is for the process that was meant and those that it starts, under the name that was meant", () => {
  const [child, other] = [start(), start()];
  const own = identifyOwn(process.pid);
  if (own === undefined) throw new Error("this process does not run");
  expect(isForClient(grantTo(child), { name: "Robot", process: child })).toBe(true);
  expect(isForClient(grantTo(own), { name: "robot", process: child })).toBe(true);
  expect(isForClient(grantTo(child), { name: "robot", process: own })).toBe(false);
  expect(isForClient(grantTo(child), { name: "robot", process: other })).toBe(false);
  expect(isForClient(grantTo(child), { name: "other", process: child })).toBe(false);
  expect(isForClient(grantTo(child), { name: "robot" })).toBe(false);
  expect(isForClient({ client: "robot", isSensitive: false, untilMs }, { name: "robot", process: child })).toBe(false);
});

const others: readonly (readonly [string, (of: ProcessIdentity) => Partial<ProcessIdentity>])[] = [
  ["start time: its pid was reused", ({ startTicks }) => ({ startTicks: startTicks + 1 })],
  ["program", () => ({ program: "/usr/bin/other" })],
  ["file under the same path", () => ({ file: "0:0" })],
  ["user", ({ uid }) => ({ uid: uid + 1 })],
  ["boot", () => ({ scope: "another" })],
];
test.each(others)("a process with another %s is not the one that was meant", (_what, differ) => {
  const child = start();
  const seen = { ...child, ...differ(child) };
  expect(isForClient(grantTo(seen), { name: "robot", process: child })).toBe(false);
  expect(judgeName({ name: "robot", process: child }, () => [grantTo(seen)])).toBe("claimed");
  expect(judgeName({ name: "robot", process: child }, () => [grantTo(child)])).toBe("allowed");
});

test("a process that has ended, or is shared by many clients, proves no name", async () => {
  const child = start();
  const shared = { pid: child.pid, startTicks: unknownStart };
  expect(judgeName({ name: "robot", process: shared }, () => [grantTo(child)])).toBe("claimed");
  expect(findCaller({ name: "robot", process: shared })).toBeUndefined();
  const [own] = children;
  own?.kill("SIGKILL");
  await once(own ?? process, "exit");
  expect(judgeName({ name: "robot", process: child }, () => [grantTo(child)])).toBe("claimed");
  expect(processes.identify(child.pid)).toBeUndefined();
});

test("a grant that lifts limits makes no rule hold for its name: that is a question of its own", () => {
  const child = start();
  const client = { name: "robot", process: child };
  expect(judgeName(client, () => [grantTo(child)])).toBe("allowed");
  expect(isNameTrusted(client, () => [grantTo(child)])).toBe(false);
  expect(isNameTrusted(client, () => [{ ...grantTo(child), isSensitive: true }])).toBe(false);
  expect(isNameTrusted(client, () => [{ ...grantTo(child), isNameOnly: true }])).toBe(true);
});

test("a grant that has run out proves no name", () => {
  const child = start();
  const over = { ...grantTo(child), untilMs: Date.now() - 1 };
  expect(judgeName({ name: "robot", process: child }, () => [over])).toBe("claimed");
});

test("nobody gives a name to the first process, or to one of another user", () => {
  expect(identifyOwn(1)).toBeUndefined();
  expect(identifyOwn(0)).toBeUndefined();
});

const name = fc.constantFrom("a", "a*", "ab", "ab*", "b", "*", "mcp:a*");
const decision = fc.constantFrom("allow" as const, "ask" as const, "deny" as const);
const rule = fc.record({ clients: fc.array(name, { minLength: 1, maxLength: 2 }), decision });
const part = fc.record(
  {
    readOnly: fc.boolean(),
    actionsPerMinute: fc.nat(5),
    sensitive: decision,
    rules: fc.array(fc.record({ decision }), { maxLength: 1 }),
  },
  { requiredKeys: [] },
);
const called = fc.constantFrom("a", "ab", "abc", "b", "c", "mcp:a", "mcp:ab", "");

test("a claimed name gets nothing that any other name would not get, whatever the policy says of names", () => {
  fc.assert(
    fc.property(
      fc.array(rule, { maxLength: 3 }),
      fc.dictionary(name, part, { maxKeys: 3 }),
      called,
      (rules, clients, client) => {
        const read = readPolicyText(JSON.stringify({ rules, clients }));
        if (!("value" in read)) throw new Error(JSON.stringify(read.problems));
        const loaded = { common: { ...sandboxPolicy, rules: read.value.rules } satisfies Policy, written: read.value };
        const [claimed, known] = [policyForAny(loaded), policyFor(loaded, client)];
        const strictness = ["allow", "ask", "deny"];
        for (const dangers of [[], ["delete"]] as const) {
          const one = { client, tool: "click", apps: ["pad"], dangers };
          expect(strictness.indexOf(decide(claimed, one))).toBeGreaterThanOrEqual(
            strictness.indexOf(decide(known, one)),
          );
        }
        expect(claimed.isReadOnly || !known.isReadOnly).toBe(true);
        const limitOf = ({ actionsPerMinute }: Policy): number => actionsPerMinute || Number.POSITIVE_INFINITY;
        expect(limitOf(claimed)).toBeLessThanOrEqual(limitOf(known));
        if (listGuiseNames(read.value).length === 1) expect(claimed).toEqual(known);
      },
    ),
    { numRuns: 500 },
  );
});
