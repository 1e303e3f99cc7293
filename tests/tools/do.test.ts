import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import type { ToolAnswer } from "../../src/tools/define.ts";
import { chooseText } from "../../src/tools/do.ts";
import { toolEntries } from "../../src/tools/index.ts";
import type { Session } from "../../src/tools/session.ts";
import { makeMapFolder } from "../map/desk.ts";
import { runTool, toJson } from "./run-tool.ts";
import { makeActingSession } from "./session.ts";

const map = makeMapFolder();
afterAll(() => map.remove());
const folder = mkdtempSync(join(tmpdir(), "deskmap-do-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let desktop: FakeDesktop;
let session: Session;

beforeEach(() => {
  desktop = new FakeDesktop({
    applications: [
      {
        name: "Form",
        windows: [
          {
            title: "Form",
            children: [
              { role: "checkbox", name: "Wrap", actions: ["toggle"] },
              { role: "button", name: "Idle", actions: ["press"] },
              { role: "input", name: "Name", states: ["editable", "focusable"], actions: ["set"] },
            ],
          },
        ],
      },
    ],
  });
  session = makeActingSession(desktop, map.open());
});
afterEach(() => {
  session.close();
});

function run(...lines: readonly string[]): Promise<ToolAnswer> {
  return runWith({}, ...lines);
}

async function runWith(options: Readonly<Record<string, unknown>>, ...lines: readonly string[]): Promise<ToolAnswer> {
  const file = join(folder, "steps.txt");
  writeFileSync(file, lines.join("\n"));
  const tool = await toolEntries.find(({ name }) => name === "do")?.load();
  if (tool === undefined) throw new Error("there is no such tool");
  const shown = await runTool(tool, { file, ...options }, session);
  if (!shown.ok) throw new Error(shown.failure.message);
  return shown.value;
}

describe("a batch", () => {
  test("runs its steps in order, and reports each in a line", async () => {
    const shown = await run("# a form", "check wrap", "", 'set-value "Ada" --on name', 'expect input "Name" holds Ada');
    expect(shown.exitCode).toBe(0);
    expect(toJson(shown)).toMatchObject({
      done: true,
      notDone: 0,
      steps: [
        { line: 2, exit: 0, effect: "confirmed" },
        { line: 4, exit: 0, effect: "confirmed" },
        { line: 5, exit: 0, result: { met: true } },
      ],
    });
  });

  test("repeats no text that it types, in whatever form it was given", async () => {
    const steps = [
      'set-value "hunter-2 \\"x\\"" --on name',
      '{"do":"type","text":"hunter-2","on":"name"}',
      "type hunter-2 --on name",
    ];
    const shown = await run(...steps);
    const { steps: told } = toJson(shown) as { steps: { step: string }[] };
    expect(shown.csv()).toContain("set-value … --on");
    expect(told.map(({ step }) => step)).toEqual([
      'set-value … --on "name"',
      'type … --on "name"',
      'type … --on "name"',
    ]);
  });

  test("stops at the first step that is not confirmed, with its exit code", async () => {
    const shown = await run("click idle", "check wrap");
    expect(shown.exitCode).toBe(4);
    expect(toJson(shown)).toMatchObject({ done: false, notDone: 1 });
    expect(shown.text()).toContain("1 more step was not done.");
  });

  test("goes on if asked to, shows every failure, and ends with the exit code of the first", async () => {
    const shown = await runWith({ keepGoing: true }, "click idle", "click nowhere", "check wrap");
    expect(shown.exitCode).toBe(4);
    expect(toJson(shown)).toMatchObject({
      done: false,
      notDone: 0,
      steps: [{ exit: 4 }, { exit: 1, result: { error: { code: "NOT_FOUND" } } }, { exit: 0 }],
    });
    expect(desktop.pressed.map(({ name }) => name)).toContain("Wrap");
    expect(shown.text()).toMatch(/^1 {2}no-change.*\n2 {2}NOT_FOUND/);
  });

  test("stops at an expectation that does not hold", async () => {
    const shown = await run("expect wrap is checked", "check wrap");
    expect(shown.exitCode).toBe(1);
    expect(desktop.pressed).toEqual([]);
  });

  test("accepts steps in JSON too", async () => {
    expect((await run('{"do":"check","words":"wrap"}')).exitCode).toBe(0);
  });

  for (const [name, lines, message] of [
    ["a command that does not exist", ["check wrap", "clik x"], "line 2 begins with no command that a batch can do"],
    ["an option that does not exist", ["check wrap", "check wrap --hard"], "line 2: check has no option --hard"],
    ["a file to type from", ["type --file letter.txt"], "line 1: a step of a batch reads no file"],
    [
      "standard input to type from",
      ["check wrap", "type - --on Name"],
      "line 2: a step of a batch reads no standard input",
    ],
    ["a value that is none", ["check wrap", "click --id zero"], "line 2: click: id takes a whole number, 1 or more"],
    ["a batch in a batch", ["do other.txt"], "line 1 begins with no command that a batch can do"],
    ["JSON that is none", ['{"do"'], "line 1: this is not a step in JSON"],
    ["no step at all", ["# nothing"], "there is no step to do"],
  ] as const) {
    test(`with ${name} is refused before anything is done`, async () => {
      expect(run(...lines)).rejects.toThrow(message);
      expect(desktop.pressed).toEqual([]);
    });
  }
});

describe("a file with steps that another process reads", () => {
  test("is an ordinary one of at most 1 MiB: a device or a pipe would block it, a long one fill it", () => {
    const folder = mkdtempSync(join(tmpdir(), "deskmap-steps-"));
    try {
      writeFileSync(join(folder, "steps"), "list\n");
      writeFileSync(join(folder, "long"), "#".repeat((1 << 20) + 1));
      expect(spawnSync("mkfifo", [join(folder, "pipe")]).status).toBe(0);
      const read = (file: string) => chooseText({ file }, { folder, hasInput: false });
      expect(read("steps")).toEqual({ ok: true, value: "list\n" });
      for (const file of ["long", "pipe", "/dev/zero", folder, "-"])
        expect([file, read(file).ok]).toEqual([file, false]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
