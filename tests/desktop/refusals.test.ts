import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toolEntries } from "../../src/tools/index.ts";
import { casesOf, matrix } from "../tier.ts";
import { measureSlowness } from "../wait.ts";
import { CountingScene, runApart } from "./counting.ts";
import { readShown } from "./shown.ts";
import type { ToolResult } from "./steps-client.ts";

// Every acting tool, for every reason to refuse it: the application counts nothing, no device moves, and no window, clipboard
// or process changes. Then each runs once more, allowed, and something is counted.

let counting: CountingScene;
let marks: ReadonlyMap<string, number>;
let point: readonly [number, number];

/** What the tool targets: an application on the screen, one yet to be started, or none. */
type Concern = "app" | "program" | "nobody";

interface Row {
  readonly words: string;
  readonly tool: string;
  readonly input: () => Record<string, unknown>;
  readonly concerns: Concern;
}

const app = { app: "countapp" };
const id = (name: string): number => marks.get(name) ?? 0;

/** Ordered so that each has something to do when all are allowed. */
const rows: readonly Row[] = [
  row("bring to the front", "window", () => ({ operation: "front", ...app, window: "Count main" })),
  row("send to the back", "window", () => ({ operation: "back", ...app, window: "Count other" })),
  row("click a mark", "click", () => ({ id: id("Press") })),
  row("click words", "click", () => ({ words: "press", ...app, window: "main" })),
  row("click a point", "click", () => ({ x: point[0], y: point[1] })),
  row("click with the right button", "click", () => ({ id: id("Press"), button: "right" })),
  row("type into a field", "type", () => ({ text: "abc", id: id("Entry") })),
  row("type to whatever has the keyboard", "type", () => ({ text: "abc" })),
  row("click an element", "click_element", () => ({ elementId: String(id("Press")) })),
  row("type in an element", "type_in_element", () => ({ elementId: String(id("Entry")), text: "abc" })),
  row("press a key", "type", () => ({ key: "a", id: id("Entry") })),
  row("press a key wherever the keyboard is", "type", () => ({ key: "b" })),
  row("set a value", "set-value", () => ({ text: "50", id: id("Scale") })),
  row("set a text", "set-value", () => ({ text: "set", id: id("Entry") })),
  row("fill in a secret", "fill-secret", () => ({ id: id("Code"), from: "CODE" })),
  row("check", "check", () => ({ id: id("Off") })),
  row("toggle", "toggle", () => ({ id: id("Off") })),
  row("uncheck", "uncheck", () => ({ id: id("On") })),
  row("expand", "expand", () => ({ id: id("More") })),
  row("collapse", "collapse", () => ({ id: id("Less") })),
  row("select", "select", () => ({ id: id("Row-2") })),
  row("do an action by its name", "action", () => ({ name: "click", id: id("Press") })),
  row("hover", "hover", () => ({ id: id("Off") })),
  row("turn the wheel", "scroll", () => ({ direction: "down", id: id("Rows") })),
  row("scroll to a percentage", "scroll", () => ({ percent: 50, id: id("Rows") })),
  row("scroll to a control", "scroll", () => ({ toId: id("Row-39") })),
  row("drag", "drag", () => ({ fromId: id("Scale"), toX: point[0], toY: point[1] })),
  row("focus a control", "focus", () => ({ id: id("Delete") })),
  row("focus a window", "focus", () => ({ ...app, window: "Count spare" })),
  row("minimize", "window", () => ({ operation: "minimize", ...app, window: "Count other" })),
  row("restore", "window", () => ({ operation: "restore", ...app, window: "Count small" })),
  row("maximize", "window", () => ({ operation: "maximize", ...app, window: "Count spare" })),
  row("fullscreen", "window", () => ({ operation: "fullscreen", ...app, window: "Count small" })),
  row("move", "window", () => ({ operation: "move", ...app, window: "Count main", x: 60, y: 50 })),
  row("resize", "window", () => ({ operation: "resize", ...app, window: "Count main", width: 300, height: 500 })),
  row("close a window", "window", () => ({ operation: "close", ...app, window: "Count spare" })),
  row("open", "open", () => ({ what: counting.program }), "program"),
  row("write the clipboard", "clipboard", () => ({ action: "write", text: "after" }), "nobody"),
  row("a batch with such a step", "do", () => ({ file: writeBatch(`click --id ${id("Press")}`) })),
  row("a batch that types", "do", () => ({ file: writeBatch("list", 'type "abc" --app countapp') })),
  row("quit", "quit", () => app),
  row("quit by force", "quit", () => ({ ...app, force: true })),
];

/** Each tool once; in the matrix, every way to use it. */
const firsts = rows.filter(({ tool }, at) => rows.findIndex((one) => one.tool === tool) === at);
const tried = new Set(casesOf(firsts, rows));

function row(words: string, tool: string, input: () => Record<string, unknown>, concerns: Concern = "app"): Row {
  return { words, tool, input, concerns };
}

function writeBatch(...steps: string[]): string {
  const file = join(counting.scene.sandbox.env.HOME ?? "", "steps.txt");
  writeFileSync(file, `${steps.join("\n")}\n`);
  return file;
}

interface Reason {
  readonly words: string;
  readonly expected: string;
  /** The error if Deskmap does not even know that the target exists. */
  readonly orElse?: RegExp;
  /** Whether it concerns applications: tools that target none are then not refused. */
  readonly isAboutApps?: boolean;
  /** Set if it concerns only some tools. */
  readonly tools?: readonly string[];
  readonly timeoutMs?: number;
  prepare(): void | (() => Promise<void>) | Promise<() => Promise<void>>;
}

const everyName = { countapp: "", "countapp-tool": "" };
const standing = (what: string) => Object.fromEntries(Object.keys(everyName).map((name) => [name, what]));
/** A policy that by itself gives no reason to refuse. */
const lenient = { actionsPerMinute: 0, sensitive: "allow" };

const reasons: readonly Reason[] = [
  {
    words: "everything was stopped",
    expected: "stopped",
    prepare: () => counting.write(counting.places.stopped, JSON.stringify({ atMs: Date.now(), by: "a test" })),
  },
  {
    words: "it was stopped, and the note cannot be read",
    expected: "stopped",
    prepare: () => counting.write(counting.places.stopped, "\0"),
  },
  { words: "the policy is broken", expected: "policy", prepare: () => counting.writePolicy('{ "sensitive": "allo') },
  {
    words: "the desktop may only be read",
    expected: "read-only",
    prepare: () => counting.writePolicy({ ...lenient, readOnly: true }),
  },
  {
    words: "the application is blind",
    expected: "blind",
    isAboutApps: true,
    orElse: /(?:: 1 |"message":")(?:no control has the mark \d+|no window has the keyboard)/,
    prepare: () => counting.writePolicy({ ...lenient, apps: standing("blind") }),
  },
  {
    words: "the application may be read, not controlled",
    expected: "hands-off",
    isAboutApps: true,
    prepare: () => counting.writePolicy({ ...lenient, apps: standing("hands-off") }),
  },
  {
    words: "a rule forbids it",
    expected: "rule",
    prepare: () => counting.writePolicy({ ...lenient, rules: [{ decision: "deny" }] }),
  },
  {
    words: "there were too many actions",
    expected: "rate",
    prepare: () => {
      counting.writePolicy({ ...lenient, actionsPerMinute: 1 });
      const actions = [{ atMs: Date.now(), client: "other", app: "other" }];
      counting.write(counting.places.ledger, JSON.stringify({ actions, grants: [] }));
    },
  },
  {
    words: "a person would have to be asked, and none can be",
    expected: "unasked",
    prepare: () => counting.writePolicy({ ...lenient, rules: [{ decision: "ask" }] }),
  },
  {
    words: "another client has the desktop",
    expected: "turn",
    timeoutMs: Math.round(60 * measureSlowness()),
    prepare: () => counting.holdTurn(),
  },
  {
    words: "nothing can be written down",
    expected: "audit",
    prepare: () => {
      counting.reset();
      mkdirSync(counting.places.audit, { recursive: true });
    },
  },
  { words: "there is no place to write anything", expected: "audit", prepare: () => counting.blockState() },
  {
    words: "the key of the log is damaged",
    expected: "audit",
    tools: ["click", "click_element", "type", "type_in_element", "set-value", "fill-secret", "clipboard", "do"],
    prepare: () => {
      counting.reset();
      counting.write(counting.places.key, "short");
    },
  },
];

beforeAll(async () => {
  counting = await CountingScene.open();
  await counting.start();
});
afterAll(() => counting.close());

/** Read again each time: a blind application is forgotten, including its marks. */
function readMarks(): void {
  // Reversed, so that a row wins over the text of the same name inside it.
  const shown = readShown(counting.scene, "--all").toReversed();
  marks = new Map(shown.map(({ t = "", i }) => [t, i]));
  point = shown.find(({ t }) => t === "Press")?.p ?? [0, 0];
  expect(point).not.toEqual([0, 0]);
  expect(
    ["Entry", "Code", "Off", "On", "More", "Less", "Row-2", "Row-39", "Rows", "Scale", "Delete"].map(id),
  ).not.toContain(0);
}

/** A batch reports its last step. */
function readReason({ exit, reason, json, message }: ToolResult): string {
  const inside = /"reason":"([a-z-]+)"/.exec(json ?? "")?.[1];
  return `${exit} ${reason ?? inside ?? `${message ?? ""}${json ?? ""}`}`;
}

test("every acting tool is tried here, and a batch", () => {
  const acting = toolEntries.filter(({ acts }) => acts).map(({ name }) => name);
  expect([...new Set([...tried].map(({ tool }) => tool))].sort()).toEqual([...acting, "do"].sort());
});

describe("nothing reaches the application, and no device moves, when", () => {
  for (const { words, expected, orElse, isAboutApps = false, tools, timeoutMs, prepare } of reasons) {
    test(words, async () => {
      counting.reset();
      readMarks();
      const before = await counting.look();
      const undo = await prepare();
      try {
        const isMeant = ({ concerns, tool }: Row): boolean =>
          (!isAboutApps || concerns !== "nobody") && tools?.includes(tool) !== false;
        const meant = rows.filter((one) => tried.has(one) && isMeant(one));
        const told: string[] = [];
        for (const { words: what, tool, input } of meant) {
          told.push(`${what}: ${readReason(await counting.call(tool, input(), timeoutMs))}`);
        }
        const after = await counting.look();
        const right = meant.map(({ words: what }) => `${what}: 3 ${expected}`);
        expect(told.map((one, at) => (orElse?.test(one) ? right[at] : one))).toEqual(right);
        expect(after).toEqual(before);
        expect(before.isAlive && !before.hasStarted && before.clipboard === "before").toBe(true);
        const command = runApart(counting.scene, ["click", "press", "--app", "countapp", "--timeout-ms", "1000"]);
        expect([command.status, JSON.parse(command.stderr).error.reason]).toEqual([3, expected]);
        expect(await counting.look()).toEqual(before);
      } finally {
        if (typeof undo === "function") await undo();
        counting.reset();
      }
    });
  }

  test("the target of a click is sensitive, in any way it is reached, and no person can be asked", async () => {
    counting.reset();
    readMarks();
    counting.writePolicy({ actionsPerMinute: 0 });
    const before = await counting.look();
    const [x, y] = readShown(counting.scene, "--window", "main").find(({ t }) => t === "Delete")?.p ?? [0, 0];
    const ways: [string, Record<string, unknown>][] = [
      ["click", { id: id("Delete") }],
      ["click", { words: "delete", ...app, window: "main" }],
      ["click", { x, y }],
      ["click", { id: id("Delete"), at: "3,3" }],
      ["click", { id: id("Delete"), double: true }],
      ["action", { name: "click", id: id("Delete") }],
      ["type", { key: "enter", id: id("Delete") }],
      ["type", { key: "space", id: id("Delete") }],
      ["type", { text: "\n", id: id("Delete") }],
      ["quit", { ...app, force: true }],
      ["open", { what: counting.program }],
    ];
    const told: string[] = [];
    for (const [tool, input] of ways.slice(0, -2)) {
      told.push(`${tool} ${JSON.stringify(input)}: ${readReason(await counting.call(tool, input))}`);
    }
    const after = await counting.look();
    expect(after.app.filter((event) => ["clicked", "pressed", "activate"].includes(event))).toEqual([]);
    expect(after.devices).toEqual(before.devices);
    expect(told.filter((one) => !one.endsWith(": 3 unasked"))).toEqual([]);
    const opened = await counting.call("open", { what: counting.program });
    expect([readReason(opened), (await counting.look()).hasStarted]).toEqual(["3 unasked", false]);
  });
});

matrix.describe("something is counted, when it is allowed to", () => {
  beforeAll(() => {
    counting.reset();
    readMarks();
    counting.scene.run("xdotool", "search", "--name", "Count other", "windowactivate", "--sync");
  });
  const last = ["quit", "quit by force"];
  for (const { words, tool, input } of rows.filter((one) => !last.includes(one.words))) {
    test(words, async () => {
      counting.reset();
      const before = await counting.look();
      const call = words.startsWith("write") ? writeApart() : counting.call(tool, input(), 1000);
      const told = await call;
      const after = await counting.look();
      expect([words, Bun.deepEquals(after, before)]).toEqual([words, false]);
      expect([words, [0, 4].includes(told.exit) ? "done" : told]).toEqual([words, "done"]);
    });
  }

  test("quit, and quit by force", async () => {
    counting.reset();
    expect(await counting.call("quit", app)).toMatchObject({ exit: 0 });
    expect(await counting.look()).toMatchObject({ isAlive: false });
    await counting.start("stubborn");
    expect(await counting.call("quit", app, 1000)).toMatchObject({ exit: 4 });
    expect(await counting.look()).toMatchObject({ isAlive: true });
    expect(await counting.call("quit", { ...app, force: true }, 1000)).toMatchObject({ exit: 0 });
    expect(await counting.look()).toMatchObject({ isAlive: false });
  });
});

/** The text is held by another Deskmap process, which only the command itself can start. */
async function writeApart(): Promise<ToolResult> {
  const { status, stderr } = runApart(counting.scene, ["clipboard", "write", "after"]);
  return { exit: status, message: stderr };
}
