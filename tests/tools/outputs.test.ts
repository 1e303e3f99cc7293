import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as z from "zod/mini";
import type { ToolName } from "../../src/model/tool-name.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import { toToolResult } from "../../src/server/mcp/call-tool.ts";
import { toolEntries } from "../../src/tools/index.ts";
import type { Session } from "../../src/tools/session.ts";
import { makeMapFolder } from "../map/desk.ts";
import { OverlayScene } from "../overlay/scene.ts";
import { runTool } from "./run-tool.ts";
import { makeActingSession } from "./session.ts";

const map = makeMapFolder();
afterAll(() => map.remove());
let session: Session;

const applications = [
  {
    name: "Form",
    windows: [
      {
        title: "Form",
        bounds: { x: 0, y: 0, width: 400, height: 300 },
        children: [
          { role: "checkbox", name: "Wrap", actions: ["toggle"], bounds: { x: 10, y: 10, width: 80, height: 20 } },
          { role: "button", name: "Idle", actions: ["press"], bounds: { x: 10, y: 40, width: 80, height: 20 } },
          {
            role: "input",
            name: "Name",
            value: "Ada",
            states: ["editable", "focusable"],
            actions: ["set", "focus"],
            bounds: { x: 10, y: 70, width: 80, height: 20 },
          },
          {
            role: "input",
            name: "Password",
            states: ["editable", "focusable", "secret"],
            actions: ["set", "focus"],
            bounds: { x: 10, y: 100, width: 80, height: 20 },
          },
          {
            role: "treeitem",
            name: "Documents",
            states: ["collapsed"],
            actions: ["expand", "select"],
            bounds: { x: 10, y: 130, width: 80, height: 20 },
          },
        ],
      },
    ],
  },
] as const;

beforeEach(() => {
  const desktop = new FakeDesktop({ applications });
  desktop.secrets.set("MAIL", "hunter-2");
  session = makeActingSession(desktop, map.open());
});
afterEach(() => session.close());

type Input = Readonly<Record<string, unknown>>;
const wrap = { words: "wrap" };
const documents = { words: "documents", dryRun: true };

/** Everything with bounds or points names its coordinate space. */
const places = /"(b|p|at|bounds|clickPoint|position|origin)":[[{]|"position":"\(/;
const space = '"space":"screen-physical"';

/** Inputs that produce each form of each tool's answer. */
const inputs: Readonly<Record<Exclude<ToolName, "overlay" | "annotate">, readonly Input[]>> = {
  list: [{}, { apps: true }, { monitors: true }],
  read: [{}, { compact: true }, { points: true, all: true }, { token: true }, { since: "0.0" }],
  watch: [{ for: "1ms" }, { for: "1ms", points: true, since: "0.0" }],
  find: [{ words: "wrap" }],
  at: [{ x: 20, y: 20 }],
  element: [{ id: 1 }, { id: 1, evidence: true }],
  locate: [
    { ref: '{"role":"checkbox","name":"Wrap","app":"Form"}' },
    { ref: '{"role":"button","name":"None of these","source":"ocr"}', vision: "off" },
  ],
  text: [{ id: 3 }],
  screenshot: [{}, { app: "Form", marks: true }, { id: 1 }],
  click: [{ words: "idle" }, { words: "idle", dryRun: true }, { x: 30, y: 50 }],
  type: [{ text: "Bo", on: "name" }],
  "set-value": [{ text: "Bo", on: "name" }],
  "fill-secret": [{ words: "password", from: "MAIL" }],
  toggle: [wrap],
  check: [wrap],
  uncheck: [wrap],
  expand: [documents],
  collapse: [documents],
  select: [documents],
  action: [{ name: "press", on: "idle", dryRun: true }],
  hover: [wrap],
  scroll: [{ direction: "down", x: 30, y: 50 }],
  drag: [{ fromX: 20, fromY: 20, toX: 30, toY: 50 }],
  focus: [{ words: "name" }, { app: "Form" }],
  window: [{ operation: "move", app: "Form", x: 5, y: 5 }],
  // An in-memory desktop opens nothing; the tests on real desktops check this one (src/tools/perform.ts).
  open: [],
  quit: [{ app: "Form", dryRun: true }],
  clipboard: [{ action: "write", text: "x" }, { action: "read" }],
  wait: [{ for: "screen still" }, { for: 'button "Idle" appears' }],
  expect: [{ condition: 'checkbox "Wrap" exists' }, { condition: 'button "None" exists' }],
  get_screen_targets: [{}],
  get_screen_context: [{}],
  click_element: [{ elementId: "1" }],
  type_in_element: [{ elementId: "3", text: "Bo" }],
  teach: [{ id: 1, name: "Lines" }],
  teach_element: [{ label: "Lines", x: 20, y: 20 }],
  record_action_result: [{ elementId: "1", success: true }],
  do: [{ steps: "check wrap\nread\nclick nothing" }, { steps: "list\ncheck wrap" }],
  doctor: [{}],
};

describe("every tool's answer matches its declaration:", () => {
  for (const { name, load } of toolEntries) {
    const given: readonly Input[] = name === "overlay" || name === "annotate" ? [] : inputs[name];
    test(name, async () => {
      const tool = await load();
      await runTool(await loadNamed("read"), { all: true }, session);
      for (const input of given) {
        const result = await runTool(tool, input, session);
        if (!result.ok) throw new Error(`${JSON.stringify(input)}: ${result.failure.message}`);
        const data = result.value.data();
        const json = JSON.stringify(data);
        const reply = { outputs: { text: result.value.text() }, data, exitCode: 0, warnings: [] };
        for (const isBrief of [true, false]) {
          const { structuredContent } = toToolResult({ name, tool, acts: false, isBrief }, reply, true);
          tool.output().parse(structuredContent);
        }
        if (places.test(json)) expect([input, json]).toEqual([input, expect.stringContaining(space)]);
      }
    });
  }

  test("overlay and annotate, which need a long-lived process", async () => {
    const scene = new OverlayScene(applications);
    try {
      await scene.host.call({ tool: "read", input: {}, formats: ["text"] });
      for (const [tool, input] of [
        ["overlay", { what: "on" }],
        ["annotate", { what: "highlight", id: 1, label: "here" }],
        ["overlay", { what: "status" }],
        ["annotate", { what: "clear" }],
      ] as const) {
        const { data, failure } = await scene.host.call({ tool, input, formats: ["data"] });
        expect(failure).toBeUndefined();
        (await loadNamed(tool)).output().parse(data);
      }
    } finally {
      scene.close();
    }
  });
});

test("every output is an object, or a union of them, that JSON Schema can describe", async () => {
  for (const { load } of toolEntries) {
    const tool = await load();
    const schema = z.toJSONSchema(tool.output());
    for (const one of schema.anyOf ?? [schema]) expect([tool.name, one]).toMatchObject([tool.name, { type: "object" }]);
  }
});

async function loadNamed(name: ToolName) {
  const tool = await toolEntries.find((entry) => entry.name === name)?.load();
  if (tool === undefined) throw new Error(name);
  return tool;
}
