import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import { type Result, succeed } from "../../src/model/failure.ts";
import type { ToolName } from "../../src/model/tool-name.ts";
import { OverlayController } from "../../src/overlay/controller.ts";
import { attend } from "../../src/platform/attentive.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import { Lack } from "../../src/platform/lack.ts";
import type { Capability } from "../../src/platform/port.ts";
import { toolEntries } from "../../src/tools/index.ts";
import type { Session } from "../../src/tools/session.ts";
import { makeMapFolder } from "../map/desk.ts";
import { runTool } from "./run-tool.ts";
import { makeActingSession } from "./session.ts";

const capabilities: readonly Capability[] = [
  "windows",
  "elements",
  "capture",
  "input",
  "clipboard",
  "programs",
  "person",
];

interface Call {
  readonly input: Readonly<Record<string, unknown>>;
  readonly needs: readonly Capability[];
  /** How it fails with all ports: the in-memory desktop has nothing to start. */
  readonly fails?: string;
}

const seeing = ["windows", "elements"] as const;
const pointing = [...seeing, "input"] as const;

/** A call of every tool, and the ports that it requires. */
const calls: Readonly<Record<ToolName, readonly Call[]>> = {
  list: [{ input: {}, needs: ["windows"] }],
  read: [{ input: {}, needs: seeing }],
  watch: [{ input: { for: "10ms" }, needs: seeing }],
  find: [{ input: { words: "save" }, needs: seeing }],
  at: [{ input: { x: 30, y: 30 }, needs: seeing }],
  element: [{ input: { id: 1 }, needs: [] }],
  locate: [{ input: { ref: '{"role":"button","name":"Save"}' }, needs: seeing }],
  text: [{ input: { id: 3 }, needs: seeing }],
  screenshot: [{ input: {}, needs: ["windows", "capture"] }],
  click: [
    { input: { words: "save" }, needs: seeing },
    { input: { x: 30, y: 30 }, needs: pointing },
  ],
  type: [
    { input: { text: "a", on: "name" }, needs: pointing },
    { input: { key: "enter" }, needs: pointing },
  ],
  "set-value": [{ input: { text: "a", on: "name" }, needs: seeing }],
  "fill-secret": [{ input: { words: "password", from: "mail" }, needs: seeing }],
  toggle: [{ input: { words: "wrap" }, needs: seeing }],
  check: [{ input: { words: "wrap" }, needs: seeing }],
  uncheck: [{ input: { words: "wrap" }, needs: seeing }],
  expand: [{ input: { words: "more" }, needs: seeing }],
  collapse: [{ input: { words: "more" }, needs: seeing }],
  select: [{ input: { words: "first" }, needs: seeing }],
  action: [{ input: { name: "press", on: "save" }, needs: seeing }],
  hover: [{ input: { words: "save" }, needs: pointing }],
  scroll: [{ input: { direction: "down", on: "all" }, needs: pointing }],
  drag: [{ input: { from: "save", to: "wrap" }, needs: pointing }],
  focus: [{ input: { words: "name" }, needs: seeing }],
  window: [{ input: { operation: "move", x: 20, y: 20 }, needs: ["windows"] }],
  open: [{ input: { what: "form" }, needs: ["programs"], fails: "NOT_FOUND" }],
  quit: [{ input: { app: "form" }, needs: ["windows", "programs"] }],
  clipboard: [
    { input: { action: "write", text: "a" }, needs: ["clipboard"] },
    { input: { action: "read" }, needs: ["clipboard"] },
  ],
  wait: [{ input: { for: "Save appears" }, needs: seeing }],
  expect: [{ input: { condition: "Save appears" }, needs: seeing }],
  get_screen_targets: [{ input: {}, needs: seeing }],
  get_screen_context: [{ input: {}, needs: seeing }],
  click_element: [{ input: { elementId: "1" }, needs: seeing }],
  type_in_element: [{ input: { elementId: "3", text: "a" }, needs: pointing }],
  teach: [{ input: { name: "it", x: 30, y: 30 }, needs: seeing }],
  teach_element: [{ input: { label: "it", x: 30, y: 30 }, needs: seeing }],
  record_action_result: [{ input: { elementId: "1", success: true }, needs: [] }],
  overlay: [{ input: { what: "on" }, needs: [...seeing, "person"] }],
  annotate: [{ input: { what: "highlight", id: 1 }, needs: [...seeing, "person"] }],
  // Each step fails like the tool that it names.
  do: [{ input: { steps: "click save" }, needs: [] }],
  doctor: [{ input: {}, needs: [] }],
};

const map = makeMapFolder();
afterAll(() => map.remove());
let desktop: FakeDesktop;
let marks: SqliteStore;
const closers: (() => void)[] = [];

beforeEach(async () => {
  const field = { role: "input", states: ["editable", "focusable"], actions: ["set"] } as const;
  desktop = new FakeDesktop({
    applications: [
      {
        name: "Form",
        windows: [
          {
            title: "Form",
            bounds: { x: 0, y: 0, width: 400, height: 400 },
            children: [
              { role: "button", name: "Save", actions: ["press"] },
              { role: "checkbox", name: "Wrap", actions: ["toggle"] },
              { ...field, name: "Name" },
              { ...field, name: "Password", secret: true },
              { role: "list", name: "All", children: [{ role: "option", name: "First", states: ["selectable"] }] },
              { role: "treeitem", name: "More", states: ["collapsed"], actions: ["expand"] },
            ],
          },
        ],
      },
    ],
  });
  desktop.secrets.set("mail", "hunter2");
  marks = map.open();
  // Assigns the marks that some calls name.
  await run("read", {}, []);
});
afterEach(() => {
  for (const close of closers.splice(0)) close();
  marks.close();
});

function openSession(without: readonly Capability[]): Session {
  const session = makeActingSession(desktop, marks, without);
  const live = attend(desktop.open(without), without.includes("person") ? undefined : desktop.person);
  const controller = new OverlayController(async () => succeed(live));
  closers.push(() => controller.close());
  const rights = {
    findVeto: () => undefined,
    isStopped: () => false,
    findPages: () => () => false,
    forbidAnchor: async () => undefined,
    beginPick: async () => succeed({ end: () => undefined }),
  };
  const openSession = (): Session => ({ ...session, close: () => undefined });
  return { ...session, overlay: { controller, openSession, rights, signal: undefined, gone: undefined } };
}

async function run(name: ToolName, input: Call["input"], without: readonly Capability[]): Promise<Result<unknown>> {
  const tool = await toolEntries.find((entry) => entry.name === name)?.load();
  if (tool === undefined) throw new Error(`no tool is called ${name}`);
  return runTool(tool, input, openSession(without));
}

const all = Object.entries(calls).flatMap(([name, some]) =>
  some.map((call) => [`${name} ${JSON.stringify(call.input)}`, name as ToolName, call] as const),
);

describe.each(all)("%s", (_what, name, { input, needs, fails }) => {
  test("works on a platform with only the ports it needs", async () => {
    const outcome = await run(
      name,
      input,
      capabilities.filter((one) => !needs.includes(one)),
    );
    expect(outcome.ok ? "ok" : `${outcome.failure.code} ${outcome.failure.message}`).toStartWith(fails ?? "ok");
  });

  if (needs.length === 0) return;
  test.each([...needs])("says what is missing on a platform without %s", async (missing) => {
    const { message, suggestion } = new Lack(missing, "fake").failure;
    const outcome = await run(name, input, [missing]);
    expect(outcome).toMatchObject({ ok: false, failure: { code: "UNAVAILABLE" } });
    expect(outcome.ok ? "" : outcome.failure.message).toContain(message);
    expect(outcome.ok ? "" : outcome.failure.suggestion).toBe(suggestion);
  });
});
