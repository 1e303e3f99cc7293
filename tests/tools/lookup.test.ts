import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Result } from "../../src/model/failure.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import type { FakeApplication } from "../../src/platform/fake/windows.ts";
import { showFailure } from "../../src/show/failure.ts";
import { at } from "../../src/tools/at.ts";
import type { ToolAnswer } from "../../src/tools/define.ts";
import { find } from "../../src/tools/find.ts";
import { read } from "../../src/tools/read.ts";
import type { Session } from "../../src/tools/session.ts";
import { text } from "../../src/tools/text.ts";
import { makeMapFolder } from "../map/desk.ts";
import { runTool, toJson } from "./run-tool.ts";
import { makeSession } from "./session.ts";

let folder: ReturnType<typeof makeMapFolder>;
let session: Session;
let desktop: FakeDesktop;
let editor: FakeApplication;

beforeEach(() => {
  folder = makeMapFolder();
  desktop = new FakeDesktop({ applications: [] });
  editor = desktop.start({
    name: "Editor",
    windows: [
      {
        title: "notes.txt",
        bounds: { x: 0, y: 0, width: 400, height: 300 },
        children: [
          { role: "menu", name: "File", children: [{ role: "menuitem", name: "Save All", hidden: true }] },
          { role: "button", name: "Save", actions: ["press"], bounds: { x: 10, y: 10, width: 80, height: 20 } },
          { role: "input", name: "Text", value: "first line\nsecond line", states: ["editable"], actions: ["set"] },
          { role: "input", name: "Password", value: "hunter2", secret: true },
        ],
      },
    ],
  });
  const platform = desktop.open();
  const marks = folder.open();
  session = makeSession(platform, marks);
});
afterEach(() => {
  session.close();
  folder.remove();
});

async function show(result: Promise<Result<ToolAnswer>>): Promise<string> {
  const shown = await result;
  return shown.ok ? shown.value.text() : showFailure(shown.failure);
}

async function readJson(result: Promise<Result<ToolAnswer>>): Promise<Record<string, unknown>> {
  const shown = await result;
  if (!shown.ok) throw new Error(shown.failure.message);
  return toJson(shown.value);
}

async function markOf(words: string): Promise<number> {
  const { matches } = await readJson(runTool(find, { words }, session));
  return (matches as { i: number }[])[0]?.i ?? 0;
}

describe("find", () => {
  test("shows the best matches with their marks, points, scores and reasons", async () => {
    expect(await show(runTool(find, { words: "save" }, session))).toMatchInlineSnapshot(`
      "# Editor "notes.txt"
      1 btn "Save" 50,20  1 its name"
    `);
  });

  test("shows what is out of view by its whole name beside what only begins with it", async () => {
    const rows = ["Row 2", "Row 20"].map((name) => ({ role: "option" as const, name, hidden: name === "Row 2" }));
    desktop.start({
      name: "Rows",
      windows: [{ title: "Rows", bounds: { x: 0, y: 0, width: 90, height: 90 }, children: rows }],
    });
    expect(await show(runTool(find, { words: "row 2", app: "rows" }, session))).toMatch(/"Row 20".*\n.*"Row 2" hidden/);
    expect(await show(runTool(find, { words: "row", app: "rows" }, session))).not.toContain("hidden");
  });

  test("gives the same marks as a read", async () => {
    const mark = await markOf("save");
    expect(await show(runTool(read, {}, session))).toContain(`${mark} btn "Save"`);
  });

  test("searches hidden elements if nothing visible matches, and says so", async () => {
    expect(await show(runTool(find, { words: "save all" }, session))).toMatchInlineSnapshot(`
      "# Editor "notes.txt"
      1 menuitem "Save All" hidden  0.78 its name, in menu "File""
    `);
  });

  test("lists what is there if nothing matches", async () => {
    expect(await show(runTool(find, { words: "sovereign" }, session))).toMatchInlineSnapshot(`
      "NOT_FOUND  no element matches "sovereign" in "notes.txt"
      nearest: "menuitem Save All", "btn Save", "menu File"
      try: deskmap read shows everything that is on the screen.   nothing was done."
    `);
  });

  test("never finds a secret field by what is in it", async () => {
    expect(await show(runTool(find, { words: "hunter2", all: true }, session))).toStartWith("NOT_FOUND");
  });

  test("refuses a role that does not exist", async () => {
    expect(await show(runTool(find, { words: "save", role: "buton" }, session))).toStartWith("USAGE");
  });
});

describe("at", () => {
  test("describes the element under a point, its actions, and its ancestors", async () => {
    expect(await show(runTool(at, { x: 20, y: 15 }, session))).toMatchInlineSnapshot(`
      "# Editor "notes.txt"
      2 btn "Save"
       bounds 80x20 at 10,10
       press at 50,20
       patterns invoke
       actions "press"
       platform role "button"
      in 1 window "notes.txt""
    `);
  });

  test("gives the screen's bounds if nothing is at the point", async () => {
    expect(await show(runTool(at, { x: 5000, y: 15 }, session))).toMatchInlineSnapshot(`
      "NOT_FOUND  no window is at 5000,15
      nearest: "fake-1 1280x800 at 0,0"
      try: points are physical pixels of the screen; deskmap list shows where the windows are.   nothing was done."
    `);
  });
});

describe("text", () => {
  test("gives the whole text with its lines", async () => {
    const id = await markOf("text input");
    expect(await show(runTool(text, { id }, session))).toBe(
      `# text of ${id}, characters 0 to 22 of 22\nfirst line\nsecond line`,
    );
  });

  test("gives a range, and the command for the next one", async () => {
    const id = await markOf("text input");
    expect(await show(runTool(text, { id, start: 6, end: 10 }, session))).toBe(
      `# text of ${id}, characters 6 to 10 of 22; next: deskmap text --id ${id} --start 10\nline`,
    );
    expect(await readJson(runTool(text, { id, start: 20 }, session))).toEqual({
      i: id,
      start: 20,
      end: 22,
      length: 22,
      text: "ne",
    });
  });

  test("refuses a secret field", async () => {
    const id = await markOf("password");
    const refused = await show(runTool(text, { id }, session));
    expect(refused).toStartWith("REFUSED");
    expect(refused).not.toContain("hunter2");
  });

  test("refuses a range that ends before it starts", async () => {
    expect(await show(runTool(text, { id: 1, start: 5, end: 5 }, session))).toStartWith("USAGE");
  });
});

describe("a mark", () => {
  test("that was never issued leads nowhere", async () => {
    expect(await show(runTool(text, { id: 99 }, session))).toMatchInlineSnapshot(`
      "NOT_FOUND  no control has the mark 99: it was forgotten or never allotted
      try: deskmap read gives every control its mark.   nothing was done."
    `);
  });

  test("whose control is gone says what it referred to and what is there, and never leads to another", async () => {
    const id = await markOf("save");
    const [window] = editor.windows;
    window
      ?.listControls()
      .find(({ name }) => name === "Save")
      ?.remove();
    const lost = await show(runTool(text, { id }, session));
    expect(lost).toContain(`${id} means button "Save" of editor; it is not there now`);
    expect(lost).toContain("menuitem Save All");
  });

  test("whose application is closed says so", async () => {
    const id = await markOf("save");
    desktop.end(editor);
    expect(await show(runTool(text, { id }, session))).toContain("which has no window open here");
  });

  test("of a control in a closed menu is found there", async () => {
    const id = await markOf("save all");
    expect(await show(runTool(text, { id }, session))).toEndWith("Save All");
  });

  test("is searched in the selected windows only", async () => {
    const id = await markOf("save");
    expect(await show(runTool(text, { id, app: "nothing" }, session))).toStartWith("NOT_FOUND");
  });
});
