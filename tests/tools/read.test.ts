import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Result } from "../../src/model/failure.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import { showFailure } from "../../src/show/failure.ts";
import type { ToolAnswer } from "../../src/tools/define.ts";
import { list } from "../../src/tools/list.ts";
import { read } from "../../src/tools/read.ts";
import type { Session } from "../../src/tools/session.ts";
import { makeMapFolder } from "../map/desk.ts";
import { runTool } from "./run-tool.ts";
import { makeSession } from "./session.ts";

let folder: ReturnType<typeof makeMapFolder>;
let session: Session;
let opened = 0;

beforeEach(() => {
  folder = makeMapFolder();
  opened = 0;
  const platform = new FakeDesktop({
    applications: [
      {
        name: "Editor",
        windows: [
          {
            title: "notes.txt",
            children: [
              { role: "menu", name: "File", children: [{ role: "menuitem", name: "Open", hidden: true }] },
              { role: "group", children: [{ role: "button", name: "Save", actions: ["press"] }] },
              { role: "input", name: "Text", value: "hello", states: ["editable"] },
              { role: "input", name: "Password", value: "hunter2", secret: true },
            ],
          },
        ],
      },
      { name: "Stuck", manner: "hangs", windows: [{ title: "busy" }] },
    ],
  }).open();
  const marks = folder.open();
  session = makeSession(platform, marks, () => {
    opened += 1;
  });
});
afterEach(() => {
  session.close();
  folder.remove();
});

async function show(result: Promise<Result<ToolAnswer>>): Promise<string> {
  const shown = await result;
  return shown.ok ? shown.value.text() : showFailure(shown.failure);
}

describe("read", () => {
  test("shows what is on the screen, with marks from 1 in a new map", async () => {
    expect(await show(runTool(read, { app: "editor" }, session))).toMatchInlineSnapshot(`
      "# Editor "notes.txt"
      1 menu "File"
      2 btn "Save"
      3 input "Text"="hello"
      4 input "Password" secret"
    `);
  });

  test("shows hidden and structural parts when everything is requested", async () => {
    expect(await show(runTool(read, { app: "editor", all: true }, session))).toMatchInlineSnapshot(`
      "# Editor "notes.txt"
      1 menu "File"
       2 menuitem "Open" hidden
      3 group
       4 btn "Save"
      5 input "Text"="hello"
      6 input "Password" secret"
    `);
  });

  test("says which application does not answer, and reads the others", async () => {
    const shown = await show(runTool(read, { roles: "button" }, session));
    expect(shown).toMatchInlineSnapshot(`
      "# Editor "notes.txt"
      1 btn "Save"
      # Stuck "busy"
      ! TIMEOUT the application does not answer (waited 50 ms)"
    `);
  });

  test("never shows the content of a secret field, in any format", async () => {
    const result = await runTool(read, { all: true }, session);
    if (!result.ok) throw new Error(result.failure.message);
    const forms = [result.value.text(), JSON.stringify(result.value.data()), result.value.csv()];
    for (const form of forms) {
      expect(form).toContain("Password");
      expect(form).not.toContain("hunter2");
    }
  });

  test("says how many elements it left out", async () => {
    expect(await show(runTool(read, { app: "editor", max: 1 }, session))).toMatchInlineSnapshot(`
      "# Editor "notes.txt"
      ! TRUNCATED 3 more elements: raise --max
      1 menu "File""
    `);
  });

  test("combines roles, levels, points and the flat format", async () => {
    const input = { app: "editor", roles: "btn, input", depth: 1, points: true, compact: true };
    expect(await show(runTool(read, input, session))).toMatchInlineSnapshot(`
      "# Editor "notes.txt"
      1 btn "Save" 360,220
      2 input "Text"="hello" 360,340
      3 input "Password" secret 360,460"
    `);
  });
});

describe("read refuses, before it opens anything,", () => {
  test("--all together with --visible-only", async () => {
    expect(await show(runTool(read, { all: true, visibleOnly: true }, session))).toMatchInlineSnapshot(`
      "USAGE  --all and --visible-only exclude each other
      try: give one of them.   nothing was done."
    `);
    expect(opened).toBe(0);
  });

  test("an invalid box", async () => {
    expect(await show(runTool(read, { bbox: "1,2,3" }, session))).toMatchInlineSnapshot(`
      "USAGE  --bbox "1,2,3" is not a box
      try: four whole numbers, width and height above 0: --bbox 0,0,800,600   nothing was done."
    `);
    expect(opened).toBe(0);
  });

  test("an unknown role, with the nearest names", async () => {
    const lines = (await show(runTool(read, { roles: "button,buton" }, session))).split("\n");
    expect(lines.slice(0, 2)).toEqual(['USAGE  no role is called "buton"', 'nearest: "button", "btn", "icon"']);
    expect(lines[2]).toStartWith("try: one of btn, toggle, switch, chk, radio, input, lnk, ");
    expect(opened).toBe(0);
  });

  test("an empty list of roles", async () => {
    expect(await show(runTool(read, { roles: "" }, session))).toStartWith("USAGE");
    expect(opened).toBe(0);
  });
});

describe("list", () => {
  test("shows windows front to back, or applications", async () => {
    const windows = await show(runTool(list, {}, session));
    expect(windows.replace(/\b1\d{3}\b/g, "N")).toMatchInlineSnapshot(`
      "N  Editor  "notes.txt"  pid N  640x480 at 40,40 on fake-1  focused
      N  Stuck  "busy"  pid N  640x480 at 40,40 on fake-1"
    `);
    const applications = await show(runTool(list, { apps: true }, session));
    expect(applications.replace(/pid \d+/g, "pid N")).toMatchInlineSnapshot(`
      "Editor  pid N  1 window  focused
      Stuck  pid N  1 window"
    `);
  });

  test("refuses --windows together with --apps", async () => {
    expect(await show(runTool(list, { windows: true, apps: true }, session))).toMatchInlineSnapshot(`
      "USAGE  --windows and --apps exclude each other
      try: give one of them.   nothing was done."
    `);
    expect(opened).toBe(0);
  });

  test("lists what is there if nothing has the name", async () => {
    expect(await show(runTool(list, { app: "editr" }, session))).toMatchInlineSnapshot(`
      "NOT_FOUND  no application "editr"
      nearest: "Editor", "Stuck"
      try: deskmap list shows every window.   nothing was done."
    `);
  });
});

test("a tool validates its input, whoever calls it", () => {
  expect(() => runTool(read, { depth: -1 }, session)).toThrow();
  expect(() => runTool(list, { pid: "x" }, session)).toThrow();
});
