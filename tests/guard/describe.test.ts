import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import type { Approver, Question } from "../../src/guard/approval/approver.ts";
import { describeQuestion } from "../../src/guard/approval/describe.ts";
import type { Request } from "../../src/guard/gate.ts";
import { type Policy, sandboxPolicy } from "../../src/guard/policy/policy.ts";
import type { Command } from "../../src/model/command.ts";
import { fail, nothingDone } from "../../src/model/failure.ts";
import { showLocalTime } from "../../src/model/local-time.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import { MemoryRecords, openGuard } from "./open-guard.ts";
import { about, click, control, keys, press, typing } from "./sample-commands.ts";
import { launcher } from "./terminal-session.ts";

const button = control("button", "Delete");
const noControl = about(undefined);
const nowhere: Request = { tool: "type" };

const wheel: Command = { kind: "wheel", point: { x: 3, y: 4 }, direction: "down", amount: 7 };

const describeWords = (command: Command, request: Request): string => {
  const records = new MemoryRecords();
  const matter = { command, request, client: "robot", policy: sandboxPolicy, records, receivers: [], warnings: [] };
  return describeQuestion(matter, request.tool).words;
};

describe("the words of a question read as a sentence", () => {
  const cases: readonly (readonly [string, Command, Request])[] = [
    ['press Return on btn "Delete" in "Files"', keys("Return"), about(button)],
    ['press Return in "Files"', keys("Return"), noControl],
    ["press ctrl+q", keys("q", "ctrl"), nowhere],
    ['type 3 characters with 1 line breaks into btn "Delete" in "Files"', typing("ab\n"), about(button)],
    ['type 3 characters with 1 line breaks in "Files"', typing("ab\n"), noControl],
    ['click, by its action "click": btn "Delete" in "Files"', press(button), about(button)],
    ["press ctrl+z 100 times", { ...keys("z", "ctrl"), times: 100 }, nowhere],
    ['click btn "Delete" in "Files"', { ...click, point: { x: 40, y: 10 } }, about(button)],
    ['right click btn "Delete" in "Files"', { ...click, point: { x: 40, y: 10 }, button: "right" }, about(button)],
    ['click at 1,1 btn "Delete" in "Files"', click, about(button)],
    ['middle double click at 1,1 in "Files"', { ...click, button: "middle", count: 2 }, noControl],
    ['click at 3,4 in "Files"', { kind: "point", point: { x: 3, y: 4 } }, noControl],
    ['click at 3,4 down by 7 in "Files"', wheel, noControl],
    [
      'right drag from 1,2 to 3,4: btn "Delete" in "Files"',
      { kind: "drag", from: { x: 1, y: 2 }, to: { x: 3, y: 4 }, button: "right" },
      about(button),
    ],
    [
      'fill in the secret "MAIL": btn "Delete" in "Files"',
      { kind: "fill-secret", element: button, secret: "MAIL", by: "text" },
      about(button),
    ],
  ];
  test.each(cases)("%s", (words, command, request) => {
    expect(describeWords(command, request)).toBe(words);
  });
});

describe("a missing secret", () => {
  const asked: Question[] = [];
  const approver: Approver = {
    ask: async (question) => {
      asked.push(question);
      return fail({ code: "REFUSED", reason: "denied", message: "no", done: nothingDone });
    },
  };

  function fill(secret: string, policy: Partial<Policy>) {
    asked.length = 0;
    const desktop = new FakeDesktop({
      applications: [{ name: "Mail", windows: [{ title: "In", children: [{ role: "input", name: "Password" }] }] }],
    });
    desktop.secrets.set("MAIL", "tulip");
    const records = new MemoryRecords();
    const guard = openGuard(desktop, { policy, records, approver });
    const element = control("input", "Password", "secret");
    const command = { kind: "fill-secret", element, secret, by: "text" } as const;
    return guard
      .run({ tool: "fill-secret", isDryRun: false, timeoutMs: 100 }, async (gate) => {
        const done = await gate.carryOut(command, { tool: "fill-secret" });
        return done.ok ? fail({ code: "FAILED", message: "it was filled in", done: nothingDone }) : done;
      })
      .then((result) => ({ failure: result.ok ? undefined : result.failure, entries: records.entries }));
  }

  test("is reported before a person is asked, and is logged", async () => {
    const missing = await fill("MALI", { sensitive: "ask" });
    expect(missing.failure?.code).toBe("NOT_FOUND");
    expect(asked).toEqual([]);
    expect(missing.entries).toMatchObject([{ what: "refused", effect: "NOT_FOUND" }]);
  });

  test("is not revealed to a client that the policy forbids it to: whether it exists is private", async () => {
    const names = ["MALI", "MAIL"];
    const [none, one] = await Promise.all(names.map((name) => fill(name, { sensitive: "deny" })));
    expect(none?.failure?.reason).toBe("rule");
    expect(none?.failure?.message.replace("MALI", "MAIL")).toBe(one?.failure?.message ?? "");
  });

  test("an existing one needs approval", async () => {
    expect((await fill("MAIL", { sensitive: "ask", rules: [{ decision: "ask" }] })).failure).toBeDefined();
  });
});

test("times are shown in local time, with the time zone", () => {
  const script = `import { showLocalTime } from "${import.meta.dir}/../../src/model/local-time.ts"; console.log(showLocalTime(Date.parse("2031-07-01T22:30:00Z")), "|", showLocalTime(NaN))`;
  const show = (zone: string): string =>
    spawnSync(process.execPath, ["-e", script], { env: { ...process.env, TZ: zone }, encoding: "utf8" }).stdout.trim();
  expect(show("Europe/Berlin")).toBe("2031-07-02 00:30:00 +02:00 | an unknown time");
  expect(show("America/St_Johns")).toBe("2031-07-01 20:00:00 -02:30 | an unknown time");
  expect(show("UTC")).toBe("2031-07-01 22:30:00 +00:00 | an unknown time");
  expect(showLocalTime(0)).toMatch(/^19(69|70)-/);
});

test("a sandbox with a missing policy says so, and is not opened", () => {
  const { status, stderr } = spawnSync(launcher, ["sandbox", "--policy", "/nowhere/missing.json"], {
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(stderr).toContain('--policy "/nowhere/missing.json": there is no such file, and no sandbox was opened');
  expect(stderr).not.toContain("correct it");
});
