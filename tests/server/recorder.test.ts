import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { findPlaces } from "../../src/guard/places.ts";
import { Journal } from "../../src/host/journal.ts";
import { Recorder } from "../../src/host/recorder.ts";
import type { DemoEvidence, RecordedAction } from "../../src/model/demo.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import { toolEntries } from "../../src/tools/index.ts";
import type { Session } from "../../src/tools/session.ts";
import { makeMapFolder } from "../map/desk.ts";
import { runTool } from "../tools/run-tool.ts";
import { makeActingSession } from "../tools/session.ts";
import { makeHome } from "./daemon-scene.ts";

// What is recorded of an action, on a desktop in memory.

let home: ReturnType<typeof makeHome>;
let folder: ReturnType<typeof makeMapFolder>;
let journal: Journal;
let session: Session;
let warnings: string[];

beforeEach(() => {
  home = makeHome();
  folder = makeMapFolder();
  journal = new Journal();
  warnings = [];
  const desktop = new FakeDesktop({
    applications: [
      {
        name: "Form",
        windows: [
          {
            title: "Sign in",
            children: [
              { role: "input", name: "User" },
              { role: "input", name: "Password", secret: true },
              { role: "checkbox", name: "Remember me", id: "remember" },
              { role: "group", name: "Ada", children: [{ role: "button", name: "Delete" }] },
              { role: "group", name: "Grace", children: [{ role: "button", name: "Delete" }] },
            ],
          },
        ],
      },
    ],
  });
  const recorder = new Recorder(findPlaces(home.env), "tester", journal);
  const own = makeActingSession(desktop, folder.open());
  session = {
    ...own,
    timeoutMs: 500,
    recordAction: (done) => {
      const trouble = recorder.record(done);
      if (trouble !== undefined) warnings.push(trouble);
    },
    hold: (_tool, work) => work(session),
  };
});
afterEach(() => {
  session.close();
  folder.remove();
  home.remove();
});

async function call(name: string, input: Readonly<Record<string, unknown>>): Promise<RecordedAction | undefined> {
  const tool = await toolEntries.find((one) => one.name === name)?.load();
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const before = journal.recall().length;
  await runTool(tool, input, session);
  return journal.recall()[before]?.action;
}

test("an action is recorded with its target's ref, evidence, point and effect, and without its marks", async () => {
  const action = await call("check", { words: "remember", app: "form" });
  expect(action).toMatchObject({
    n: 1,
    by: "agent",
    client: "tester",
    tool: "check",
    input: {},
    aim: "control",
    markField: "id",
    app: "form",
    window: "Sign in",
    ref: { role: "checkbox", name: "Remember me", app: "form", window: "Sign in", accessibility_id: "remember" },
    effect: { verdict: "confirmed" },
  });
  const unique = ["id", "role+name", "name", "role+name+container", "ref"] satisfies DemoEvidence["by"][];
  expect(action?.evidence).toEqual(unique.map((by) => ({ by, matches: 1 })));
  expect(action?.point).toBeDefined();
  expect(action?.ref?.bbox).toHaveLength(4);
  expect(action?.effect?.changed).toContainEqual(expect.objectContaining({ name: "Remember me", what: "states" }));
});

test("what was as wanted already is recorded; dry runs, refusals and failures are not", async () => {
  await call("check", { words: "remember" });
  expect(await call("check", { words: "remember" })).toMatchObject({ effect: { way: "nothing needed" } });
  expect(await call("check", { words: "remember", dryRun: true })).toBeUndefined();
  expect(await call("click", { words: "delete" })).toBeUndefined();
  expect(await call("click", { words: "no such thing" })).toBeUndefined();
  expect(await call("fill-secret", { words: "user", from: "MAIL" })).toBeUndefined();
});

test("each step of a batch is recorded, in order", async () => {
  await call("do", { steps: "set-value Ada --on user\ncheck remember", keepGoing: true });
  expect(journal.recall().map(({ action }) => [action.n, action.tool, action.input])).toEqual([
    [1, "set-value", { text: "Ada" }],
    [2, "check", {}],
  ]);
});

test("what is typed into a secret field is recorded nowhere, by whichever tool", async () => {
  writeRecording({ name: "all", startedMs: 1, kind: "agent" });
  const password = "hunter2-Zx";
  const typed = await call("type", { text: password, on: "password" });
  expect(typed).toMatchObject({ tool: "type", input: {}, secret: "Password", ref: { name: "Password" } });
  await call("type", { words: password, on: "password", replace: true });
  await call("set-value", { text: password, on: "password" });
  await call("type_in_element", { elementId: String(findMark("Password")), text: password });
  // No field has the focus here, as far as anybody tells.
  expect(await call("type", { text: password })).toMatchObject({
    input: {},
    aim: "focus",
    doubt: expect.stringContaining("whether the field is secret"),
  });
  const key = await call("type", { key: "shift+q", on: "password" });
  expect(key).toMatchObject({ secret: "Password", input: {} });
  const kept = `${JSON.stringify(journal.recall())}${readFileSync(findPlaces(home.env).steps, "utf8")}`;
  expect(kept).not.toContain(password);
  expect(kept).not.toContain("shift+q");
  expect(journal.recall().filter(({ action }) => action.secret === "Password").length).toBeGreaterThanOrEqual(4);
});

function findMark(name: string): number {
  const found = journal.recall().find(({ action }) => action.ref?.name === name);
  expect(found).toBeDefined();
  const store = folder.open();
  try {
    return store.listTargets({}).find(({ ref }) => ref.name === name)?.learned.mark ?? 0;
  } finally {
    store.close();
  }
}

test("a text with a recognisable secret is masked, with a doubt; a very long one is left out", async () => {
  const masked = await call("set-value", { text: "key AKIAABCDEFGHIJKLMNOP", on: "user" });
  expect(masked?.input).toEqual({ text: "key [key]" });
  expect(masked?.doubt).toContain("secret");
  const long = await call("set-value", { text: "x".repeat(40_000), on: "user" });
  expect(long).toMatchObject({ input: {}, doubt: "its text was too long to record" });
  expect(JSON.stringify(long).length).toBeLessThan(3000);
});

test("a drag is recorded with both ends, and a click at a point with what is there", async () => {
  const action = await call("drag", { fromOn: "remember", to: "user" });
  expect(action).toMatchObject({ aim: "control", markField: "fromId", input: {}, toRef: { name: "User" } });
  expect(action?.ref?.name).toBe("Remember me");
  expect(action?.toPoint).toBeDefined();
  const point = action?.point;
  const click = await call("click", { x: point?.x, y: point?.y });
  expect(click).toMatchObject({ aim: "point", input: {}, point, ref: { name: "Remember me" } });
  expect(await call("window", { operation: "move", x: 3, y: 4, app: "form" })).toMatchObject({
    aim: "window",
    input: { operation: "move", x: 3, y: 4 },
  });
});

function writeRecording(value: unknown): void {
  const { recording } = findPlaces(home.env);
  mkdirSync(dirname(recording), { recursive: true });
  writeFileSync(recording, typeof value === "string" ? value : JSON.stringify(value));
}

const readSteps = (): RecordedAction[] =>
  readFileSync(findPlaces(home.env).steps, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

test("while a recording is made, each action is a line of a private file, for its client alone", async () => {
  await call("check", { words: "remember" });
  writeRecording({ name: "mine", startedMs: 1, kind: "agent", client: "tester" });
  await call("uncheck", { words: "remember" });
  writeRecording({ name: "other", startedMs: 1, kind: "agent", client: "somebody" });
  await call("check", { words: "remember" });
  expect(readSteps().map(({ tool }) => tool)).toEqual(["uncheck"]);
  const { steps } = findPlaces(home.env);
  expect(statSync(steps).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(steps)).mode & 0o777).toBe(0o700);
  expect(warnings).toEqual([]);
});

test("an action that cannot be recorded is done, with a warning", async () => {
  writeRecording("{");
  expect(await call("check", { words: "remember" })).toMatchObject({ effect: { verdict: "confirmed" } });
  expect(warnings).toEqual([expect.stringContaining("not in the recording")]);
  writeRecording({ name: "mine", startedMs: 1, kind: "agent" });
  mkdirSync(findPlaces(home.env).steps);
  chmodSync(findPlaces(home.env).steps, 0o500);
  await call("uncheck", { words: "remember" });
  expect(warnings).toHaveLength(2);
});
