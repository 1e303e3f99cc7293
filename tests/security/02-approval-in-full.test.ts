import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Question } from "../../src/guard/approval/approver.ts";
import { maxContent, refuseUnshown, showContent, showPages } from "../../src/guard/approval/content.ts";
import { describeQuestion } from "../../src/guard/approval/describe.ts";
import { emptyLedger } from "../../src/guard/audit/ledger.ts";
import type { Request } from "../../src/guard/gate.ts";
import { findPlaces } from "../../src/guard/places.ts";
import { sandboxPolicy } from "../../src/guard/policy/policy.ts";
import type { Command } from "../../src/model/command.ts";
import { fail, nothingDone } from "../../src/model/failure.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import { openScene, type Scene, waitFor } from "../desktop/scene.ts";
import { MemoryRecords, openGuard } from "../guard/open-guard.ts";
import { about, control, typing } from "../guard/sample-commands.ts";
import { launcher, startAtTerminal } from "../guard/terminal-session.ts";

describe("a program with a long command", () => {
  let scene: Scene;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "deskmap-full-"));
    scene = await openScene();
    const config = join(scene.sandbox.env.XDG_CONFIG_HOME ?? "", "deskmap");
    mkdirSync(config, { recursive: true });
    const policy = { sensitive: "ask", actionsPerMinute: 0, hotkey: false };
    writeFileSync(join(config, "policy.json"), JSON.stringify(policy));
  });
  afterAll(async () => {
    await scene.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const readLog = (): Record<string, unknown>[] =>
    readFileSync(findPlaces(scene.sandbox.env).audit, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  const start = (file: string) => {
    // The part that matters is beyond what one line would show, after an escape sequence that would clear the screen.
    const code = `x = 1 # ${" ".repeat(1200)}\u001b[2J\nopen(${JSON.stringify(file)}, "w").write("done")`;
    const words = ["open", "/usr/bin/python3", "--timeout-ms", "1000", "--", "-c", code];
    return startAtTerminal([launcher, ...words], scene.sandbox.env);
  };

  test("is shown to its end before a yes counts, and logged by a digest of its arguments", async () => {
    const file = join(folder, "yes");
    const person = start(file);
    const first = await person.see("Enter shows the next part, n refuses: ");
    expect(first).toContain('program     "/usr/bin/python3"');
    expect(first).not.toContain("write");
    // Not an answer yet.
    person.type("y\n");
    const rest = await person.see("then Enter: ");
    expect(rest).toContain(String.raw`\u001b[2J\n"`);
    expect(rest.replaceAll(/"\r\n +"/g, "")).toContain(String.raw`.write(\"done\")"`);
    expect(person.shown()).not.toContain("\u001b[2J");
    expect(existsSync(file)).toBe(false);
    person.type("y\n");
    await person.ended;
    await waitFor("its file", () => existsSync(file));
    const [asked, begun] = ["ask", "begin"].map((what) => readLog().findLast((line) => line.what === what));
    expect(asked?.digest).toMatch(/^[0-9a-f]{16}$/);
    expect(begun?.digest).toBe(asked?.digest ?? "");
    expect(begun?.target).toMatchObject({ words: expect.stringContaining("python3") });
    expect(readFileSync(findPlaces(scene.sandbox.env).audit, "utf8")).not.toContain("write(");
  });

  test("is refused on any page", async () => {
    const file = join(folder, "no");
    const person = start(file);
    await person.see("n refuses: ");
    person.type("n\n");
    expect(await person.ended).toBe(3);
    expect(existsSync(file)).toBe(false);
  });
});

const field = control("input", "To");
const ask = (command: Command, request: Request): Question => {
  const given = { client: "robot", policy: sandboxPolicy, records: new MemoryRecords(), receivers: [], warnings: [] };
  return describeQuestion({ command, request, ...given }, request.tool);
};

describe("a question holds", () => {
  const text = `${"a".repeat(500)}\u202e\u00a0\t end `;
  const texts: readonly (readonly [string, Command])[] = [
    ["typed text", typing(text)],
    ["a value", { kind: "set-text", element: field, text }],
    ["the clipboard", { kind: "write-clipboard", text, selection: "clipboard" }],
  ];
  test.each(texts)("%s in full, with every character visible", (_what, command) => {
    const question = ask(command, about(field));
    const rows = showContent(question.content);
    const shown = rows.map((row) => JSON.parse(row.slice(14))).join("");
    expect(shown).toBe(text);
    expect(rows.at(-1)).toContain(String.raw`\u202e\u00a0\t end "`);
    // It is in the log: of typed text, only the length.
    expect(question.words).toContain("characters with 0 line breaks");
  });

  const one = about(field);
  const window = one.window;
  if (window === undefined) throw new Error("no window");
  const operations: readonly (readonly [string, Command])[] = [
    ["resize to 10x20", { kind: "window", window, operation: { name: "resize", width: 10, height: 20 } }],
    ["close", { kind: "window", window, operation: { name: "close" } }],
    ["to 250", { kind: "set-number", element: field, value: 250 }],
    ["from 1,2 to 3,4", { kind: "drag", from: { x: 1, y: 2 }, to: { x: 3, y: 4 }, button: "left" }],
    ["down by 7", { kind: "wheel", point: { x: 1, y: 2 }, direction: "down", amount: 7 }],
    ["press ctrl+z 100 times", { kind: "keys", combo: { modifiers: ["ctrl"], key: "z" }, times: 100 }],
    ["at 700,20", { kind: "click", point: { x: 700, y: 20 }, button: "left", count: 1 }],
    ["process 77", { kind: "quit", pid: 77, windows: [window] }],
  ];
  test.each(operations)("what is done: %s", (words, command) => {
    expect(ask(command, one).words).toContain(words);
  });

  test("names that its first line shortens", () => {
    const long = control("button", `Delete ${"x".repeat(100)} everything`);
    const { content } = ask({ kind: "focus", element: long }, about(long, `${"t".repeat(100)} title`));
    expect(content.map(({ label, text: shown }) => [label, shown])).toEqual([
      ["control", long.name],
      ["window", `${"t".repeat(100)} title`],
    ]);
  });
});

describe("a question names to their end", () => {
  const start = "n".repeat(100);
  const secret: Command = { kind: "fill-secret", element: field, secret: `${start}PIN`, by: "text" };
  const cases: readonly (readonly [string, Command, Request, string])[] = [
    ["an action", { kind: "invoke", element: field, action: `${start} delete` }, about(field), `${start} delete`],
    ["a secret", secret, about(field), `${start}PIN`],
    ["an application", typing("a"), withApp(about(field), "Fi\u200bles"), "Fi\u200bles"],
  ];
  test.each(cases)("%s", (_what, command, request, name) => {
    const { content } = ask(command, request);
    expect(content.map(({ text }) => text)).toContain(name);
  });

  test("the application that gets what is dropped", () => {
    const { window } = about(field);
    if (window === undefined) throw new Error("no window");
    const mail = { ...window, id: 9, pid: 99, app: "Mail", title: "To everybody" };
    const command: Command = { kind: "drag", from: { x: 1, y: 2 }, to: { x: 900, y: 4 }, button: "left" };
    const given = { client: "robot", policy: sandboxPolicy, records: new MemoryRecords(), warnings: [] };
    const question = describeQuestion({ command, request: about(field), ...given, receivers: [window, mail] }, "drag");
    const shown = showContent(question.content).join("\n");
    for (const words of ['reaches too "Mail"', '"To everybody"']) expect(shown).toContain(words);
  });
});

function withApp(request: Request, app: string): Request {
  return { ...request, window: request.window && { ...request.window, app } };
}

test("what is too long to be shown is refused without asking, and says why", async () => {
  expect(maxContent).toBe(10_000);
  expect(refuseUnshown(ask(typing("a".repeat(maxContent)), about(field)))).toBeUndefined();
  const asked: Question[] = [];
  const records = new MemoryRecords();
  const guard = openGuard(new FakeDesktop({ applications: [] }), {
    policy: { sensitive: "ask", rules: [{ decision: "ask" }] },
    records,
    approver: {
      ask: async (question) => {
        asked.push(question);
        return fail({ code: "REFUSED", message: "no", done: nothingDone });
      },
    },
  });
  const refused = await guard.run({ tool: "type", isDryRun: false, timeoutMs: 100 }, async (gate) => {
    const done = await gate.carryOut(typing("a".repeat(maxContent + 1)), { tool: "type" });
    return done.ok ? fail({ code: "FAILED", message: "it was typed", done: nothingDone }) : done;
  });
  expect(refused).toMatchObject({ ok: false, failure: { reason: "unasked" } });
  expect(refused.ok ? "" : refused.failure.message).toContain(`${maxContent + 1} characters`);
  expect(asked).toEqual([]);
  expect(records.entries).toMatchObject([{ what: "refused" }]);
});

test("under a grant the log holds target and digest too, of all commands of an action", async () => {
  const log = async (...texts: readonly string[]) => {
    const records = new MemoryRecords();
    records.describeText = (text) => ({ length: text.length, hash: String(Bun.hash(text)) });
    records.ledger = { ...emptyLedger, grants: [{ isSensitive: true, untilMs: Date.now() + 60_000 }] };
    const guard = openGuard(new FakeDesktop({ applications: [] }), {
      policy: { sensitive: "ask", rules: [{ decision: "ask" }] },
      records,
    });
    await guard.run({ tool: "type", isDryRun: false, timeoutMs: 100 }, async (gate) => {
      for (const text of texts) await gate.carryOut(typing(text), { tool: "type" });
      return fail({ code: "NOT_FOUND", message: "no more", done: nothingDone });
    });
    return records.entries;
  };
  const [[begun, ended], [other, otherEnd]] = [await log("one", "two"), await log("one", "too")];
  expect([begun?.what, ended?.what]).toEqual(["begin", "end"]);
  expect(begun?.digest).toMatch(/^\d+$/);
  expect(other?.digest).toBe(begun?.digest ?? "");
  expect(ended?.digest).toMatch(/^\d+$/);
  expect(otherEnd?.digest).not.toBe(ended?.digest ?? "");
});

test("pages end at a no, and when nobody reads on", async () => {
  const content = [{ label: "text", text: "line\n".repeat(40) }];
  const read = async (typed: readonly (string | undefined)[]) => {
    const left = [...typed];
    const written: string[] = [];
    const write = (text: string): void => void written.push(text);
    const how = await showPages({ write, ask: () => Promise.resolve(left.shift()) }, content, () => false);
    return [how, written.length];
  };
  expect(await read(["", ""])).toEqual(["shown", 3]);
  expect(await read(["", "n"])).toEqual(["no", 2]);
  expect(await read([undefined])).toEqual(["over", 1]);
});
