import { afterEach, beforeEach, expect, test } from "bun:test";
import { makeDemoTarget } from "../../src/find/demo-target.ts";
import { look } from "../../src/find/read.ts";
import type { DemoTarget } from "../../src/model/demo-ref.ts";
import { listElements } from "../../src/model/snapshot.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import type { ControlSketch } from "../../src/platform/fake/sketch.ts";
import { locate } from "../../src/tools/locate.ts";
import { button, makeMapFolder, text } from "../map/desk.ts";
import { runTool, toJson } from "./run-tool.ts";
import { makeSession } from "./session.ts";

let folder: ReturnType<typeof makeMapFolder>;
beforeEach(() => {
  folder = makeMapFolder();
});
afterEach(() => folder.remove());

const row = (name: string, word = "Delete"): ControlSketch => ({
  role: "group",
  name: `Account ${name}`,
  children: [text(name), button(word)],
});
const form: readonly ControlSketch[] = [
  button("Save"),
  button("Save as"),
  row("Ada"),
  row("Grace"),
  { role: "input", name: "Street" },
  { role: "input", name: "Town" },
  { role: "checkbox", name: "Wrap lines", id: "wrap" },
  { role: "list", name: "Twins", children: [button("+"), button("+"), button("+")] },
  { role: "button", name: "Row 2", hidden: true },
  button("Row 20"),
];

function open(children: readonly ControlSketch[], app = "Editor") {
  return new FakeDesktop({ applications: [{ name: app, windows: [{ title: "notes", children }] }] });
}

/** The refs of all elements with a name, in the order of a read. */
async function record(desktop: FakeDesktop, name: string): Promise<readonly DemoTarget[]> {
  const seen = await look(desktop.open(), {}, { includeHidden: true, timeoutMs: 1000 });
  if (!seen.ok) throw new Error(seen.failure.message);
  const found = listElements(seen.value.windows).filter((one) => one.name === name);
  return found.map((one) => makeDemoTarget(seen.value, one, undefined));
}

async function find(desktop: FakeDesktop, ref: unknown, more: Readonly<Record<string, unknown>> = {}) {
  const session = makeSession(desktop.open(), folder.open());
  try {
    const given = typeof ref === "string" ? ref : JSON.stringify(ref);
    const answer = await runTool(locate, { ref: given, ...more }, session);
    return answer.ok ? { ...toJson(answer.value), exitCode: answer.value.exitCode } : answer.failure;
  } finally {
    session.close();
  }
}

test("a recorded ref finds its control in another run of the application, and gets a mark", async () => {
  const [target] = await record(open(form), "Save");
  expect(target?.evidence).toContainEqual({ by: "role+name", matches: 1 });
  expect(target?.evidence).toContainEqual({ by: "ref", matches: 1 });
  const found = await find(open(form), target?.ref);
  expect(found).toMatchObject({ verdict: "match", role: "button", name: "Save", window: "notes", exitCode: 0 });
  expect(found.id).toBeGreaterThan(0);
  expect(JSON.stringify(target).length).toBeLessThan(1000);
});

test("each of two controls with one name is found by what is around it", async () => {
  const [ada, grace] = await record(open(form), "Delete");
  expect(ada?.evidence).toContainEqual({ by: "role+name", matches: 2 });
  expect(ada?.evidence).toContainEqual({ by: "role+name+container", matches: 1 });
  expect(ada?.evidence).toContainEqual({ by: "ref", matches: 1 });
  const swapped = form.toSpliced(2, 2, row("Grace"), row("Ada"));
  const [first, second] = await record(open(swapped), "Delete");
  for (const [sought, there] of [
    [ada, second],
    [grace, first],
  ] as const) {
    const found = await find(open(swapped), sought?.ref);
    expect(found).toMatchObject({ verdict: "match", name: "Delete" });
    const where = await find(open(swapped), there?.ref);
    expect(where.id).toBe(found.id);
  }
});

test("controls that only their order tells apart are counted, and refused once one more is there", async () => {
  const [, second] = await record(open(form), "+");
  expect(second?.evidence).toContainEqual({ by: "role+name", matches: 3 });
  const more = form.map((one) => (one.name === "Twins" ? { ...one, children: Array(4).fill(button("+")) } : one));
  const found = await find(open(more), second?.ref);
  expect(found).toMatchObject({ verdict: "ambiguous", exitCode: 1 });
  expect(found.id).toBeUndefined();
  expect(found.nearest.length).toBeGreaterThan(1);
});

test("of two look-alikes, the one that is left is not taken for the one that is gone", async () => {
  const [ada, grace] = await record(open(form), "Delete");
  for (const now of [form.filter(({ name }) => name !== "Account Grace"), form.toSpliced(3, 1, row("Linus"))]) {
    const gone = await find(open(now), grace?.ref);
    expect([gone.verdict === "match", gone.id]).toEqual([false, undefined]);
    expect(await find(open(now), ada?.ref)).toMatchObject({ verdict: "match", name: "Delete" });
  }
});

test("a control that is gone is not another one; one out of view is found", async () => {
  const [save] = await record(open(form), "Save");
  const without = form.filter(({ name }) => name !== "Save");
  const gone = await find(open(without), save?.ref);
  expect(gone.verdict).not.toBe("match");
  expect(gone.id).toBeUndefined();
  const [hidden] = await record(open(form), "Row 2");
  expect(await find(open(form), hidden?.ref)).toMatchObject({ verdict: "match", name: "Row 2" });
});

test("a relabelled control is found by its id where the application gives ids", async () => {
  const names = ["wrap", "bold", "spell", "print", "zoom", "quit"];
  const boxes = names.map((id): ControlSketch => ({ role: "checkbox", name: `Use ${id}`, id }));
  const [wrap] = await record(open(boxes), "Use wrap");
  expect(wrap?.evidence).toContainEqual({ by: "id", matches: 1 });
  const relabelled = boxes.map((one) => (one.id === "wrap" ? { ...one, name: "Zeilen umbrechen" } : one)).toReversed();
  expect(await find(open(relabelled), wrap?.ref)).toMatchObject({ verdict: "match", name: "Zeilen umbrechen" });
});

test("an application that is not running is named; without one, all windows are compared", async () => {
  const [save] = await record(open(form), "Save");
  const other = await find(open(form, "Painter"), save?.ref);
  expect(other).toMatchObject({ code: "NOT_FOUND", message: expect.stringContaining("editor is not running") });
  const anywhere = await find(open(form, "Painter"), { ...save?.ref, app: undefined });
  expect(anywhere).toMatchObject({ verdict: "match", app: "painter", name: "Save" });
});

test("a ref that is no ref is wrong usage", async () => {
  const deep = `${"[".repeat(8000)}${"]".repeat(8000)}`;
  const hostile: readonly unknown[] = [
    "{",
    "null",
    "[]",
    deep,
    `{"name":${deep.slice(0, 100)}`,
    "{}",
    { role: "" },
    { app: "Editor" },
    { role: 1 },
    { role: "button", bbox: [1, 2, 3] },
    { role: "button", bbox: [1, 2, 3, 1e99] },
    { role: "button", container_path: "group" },
    { role: "button", container_path: Array(200).fill("a") },
    { role: "button", twins: -1 },
    { role: "button", source: "elsewhere" },
    { role: "button", onclick: "x" },
    { role: "button", name: "x".repeat(5000) },
    { role: "button", name: "x".repeat(1 << 20) },
    '{"role":"button","__proto__":{"x":1}}',
  ];
  for (const ref of hostile) {
    const answer = await find(open(form), ref);
    expect(answer).toMatchObject({ code: "USAGE", suggestion: expect.stringContaining("role") });
    expect(answer.message.length).toBeLessThan(300);
  }
});
