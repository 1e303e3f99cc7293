import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { identifyOwn } from "../../src/guard/identity.ts";
import type { ProcessIdentity } from "../../src/os/index.ts";
import { fc } from "../property.ts";
import { kinds } from "./rule-actions.ts";
import { apps, RuleDesk } from "./rule-desk.ts";
import { type ModelPolicy, type ModelRule, type Standing, writtenNames } from "./rule-model.ts";
import { type Act, clients, type Event, type Step, Trial } from "./rule-steps.ts";

// Random sequences of clients, turns, rules, focus changes and stops: the guard does what the documentation says
// (rule-model.ts), neither more nor less. `npm run soak -- rules` runs 10,000.

const runs = Number(process.env.DESKMAP_TEST_RUNS ?? 500);

const children: ChildProcess[] = [];
let processes: readonly ProcessIdentity[];
beforeAll(() => {
  for (let at = 0; at < 3; at += 1) children.push(spawn("sleep", ["100000"], { stdio: "ignore" }));
  processes = children.flatMap(({ pid = 0 }) => identifyOwn(pid) ?? []);
});
afterAll(async () => {
  for (const child of children) {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
});

const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 2 });
const rarely = (weight: number) => fc.integer({ min: 1, max: weight }).map((number) => number === weight);
const decision = fc.oneof(
  { weight: 4, arbitrary: fc.constant("allow" as const) },
  { weight: 5, arbitrary: fc.constant("ask" as const) },
  { weight: 1, arbitrary: fc.constant("deny" as const) },
);
const app = fc.constantFrom(...apps);
const someOf = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 });
const rule: fc.Arbitrary<ModelRule> = fc
  .record({
    apps: optional(someOf([...apps, "pa*", "*"])),
    tools: optional(someOf(["click", "type", "drag", "open", "quit", "window"])),
    actions: optional(someOf(["delete", "send", "run-program", "end-program", "fill-secret"])),
    clients: optional(someOf(writtenNames)),
    decision,
  })
  .map(dropUndefined);
const settings = {
  actionsPerMinute: optional(fc.constantFrom(0, 0, 1, 2, 3, 10, 100)),
  sensitive: optional(decision),
  readOnly: optional(rarely(20)),
};
const part = fc.record({ ...settings, rules: optional(fc.array(rule, { maxLength: 1 })) }).map((one) => {
  const rules = one.rules?.map(({ clients: _, ...rest }) => rest);
  return dropUndefined({ ...one, rules });
});
const standing = fc.constantFrom<Standing>("blind", "hands-off", ...Array<Standing>(6).fill("normal"));
const policy: fc.Arbitrary<ModelPolicy> = fc
  .record({
    ...settings,
    apps: optional(fc.dictionary(fc.constantFrom(...apps, "m*", "*"), standing, { maxKeys: 2, noNullPrototype: true })),
    rules: optional(fc.array(rule, { maxLength: 3 })),
    clients: optional(fc.dictionary(fc.constantFrom(...writtenNames), part, { maxKeys: 2, noNullPrototype: true })),
  })
  .map(dropUndefined);

const client = fc.nat(clients.length - 1);
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 9, arbitrary: fc.constant(undefined) },
  { weight: 6, arbitrary: fc.record({ on: fc.constant("focus" as const), app }) },
  { weight: 1, arbitrary: fc.constant({ on: "stop" as const }) },
);
const act: fc.Arbitrary<Act> = fc.record({
  do: fc.constant("act" as const),
  client,
  isOutside: rarely(6),
  kind: fc.constantFrom(...kinds),
  app: fc.constantFrom(...apps, ...Array<"pad" | "mail">(8).fill("pad").fill("mail", 4)),
  onto: app,
  isPlanned: fc.boolean(),
  between: event,
  answer: fc.constantFrom("yes" as const, "yes" as const, "no" as const, "nobody" as const),
  meanwhile: fc.oneof(
    { weight: 3, arbitrary: event },
    { weight: 1, arbitrary: fc.record({ on: fc.constant("other" as const), client }) },
  ),
  halfway: event,
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 18, arbitrary: act },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("policy" as const), policy: optional(policy) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("focus" as const), app }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("stop" as const) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("resume" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("begin turn" as const), client }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("end turn" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("end grants" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("wait" as const), seconds: fc.constantFrom(1, 20, 61, 700) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("allow" as const),
      app: optional(app),
      client: optional(client),
      isNameOnly: fc.boolean(),
      isSensitive: fc.boolean(),
      minutes: fc.constantFrom(1, 10),
    }),
  },
);
const steps = fc.tuple(policy, fc.array(step, { minLength: 4, maxLength: 30, size: "max" }));

test("the guard does what the documentation says of it, and nothing else", async () => {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-rules-"));
  const counts = { sequences: 0, allowed: 0, asked: 0, refused: 0 };
  try {
    await fc.assert(
      fc.asyncProperty(steps, async ([first, rest]) => {
        const home = join(folder, String(counts.sequences));
        mkdirSync(join(home, ".config/deskmap"), { recursive: true, mode: 0o700 });
        const trial = new Trial(await RuleDesk.open(home, processes));
        const difference = await trial.run([{ do: "policy", policy: first }, ...rest]);
        rmSync(home, { recursive: true });
        counts.sequences += 1;
        for (const verdict of ["allowed", "asked", "refused"] as const) counts[verdict] += trial.counts[verdict];
        expect(difference ?? "").toBe("");
      }),
      // Shrinking takes minutes.
      { numRuns: runs, endOnFailure: runs > 500 },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
    if (runs > 500) console.log(JSON.stringify(counts));
  }
  // None of the three is rare, or the comparison would be of little worth.
  const acts = counts.allowed + counts.asked + counts.refused;
  expect(Math.min(counts.allowed, counts.asked, counts.refused)).toBeGreaterThan(acts / 30);
});

const plain: Act = {
  do: "act",
  client: 0,
  isOutside: false,
  kind: "invoke Save",
  app: "pad",
  onto: "pad",
  isPlanned: false,
  between: undefined,
  answer: "nobody",
  meanwhile: undefined,
  halfway: undefined,
};
const typing: Act = { ...plain, kind: "type", answer: "yes" };
const found: readonly (readonly [string, readonly Step[]])[] = [
  [
    "what a grant permits does not use up the limit of the rest",
    [
      { do: "policy", policy: { actionsPerMinute: 1 } },
      { do: "allow", app: "pad", isNameOnly: false, isSensitive: false, minutes: 10 },
      ...[plain, plain, { ...plain, app: "mail" as const }, { ...plain, app: "mail" as const }],
    ],
  ],
  [
    "a yes to typing into one application is none to typing into another that comes to the front",
    [
      { do: "policy", policy: { rules: [{ tools: ["type"], decision: "ask" }] } },
      { ...typing, isPlanned: true, between: { on: "focus", app: "mail" } },
      { do: "focus", app: "pad" },
      { ...typing, halfway: { on: "focus", app: "mail" } },
    ],
  ],
];
test.each(found)("%s", async (_what, sequence) => {
  const home = mkdtempSync(join(tmpdir(), "deskmap-rules-"));
  try {
    mkdirSync(join(home, ".config/deskmap"), { recursive: true, mode: 0o700 });
    expect(await new Trial(await RuleDesk.open(home, processes)).run(sequence)).toBeUndefined();
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

function dropUndefined<T extends object>(value: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };
}
