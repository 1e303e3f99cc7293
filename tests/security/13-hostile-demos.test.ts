import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Demo } from "../../src/demo/file.ts";
import { parseParams } from "../../src/demo/given-values.ts";
import { chooseValues } from "../../src/demo/parameters.ts";
import { checkDemo } from "../../src/demo/read.ts";
import { readLinks } from "../../src/demo/replay/links.ts";
import { type Row, RowLog } from "../../src/demo/replay/rows.ts";
import { findPlaces } from "../../src/guard/places.ts";
import { openScene, type Scene } from "../desktop/scene.ts";

// A demo, its table and what lies beside them may come from anybody, and what a replay reads on the screen from any page.

const demo = {
  format: "deskmap-demo",
  version: 1,
  name: "evil",
  recorded: { at: "2026-01-01T00:00:00Z", by: "import" },
  parameters: { a: { type: "text", default: "x" } },
  steps: [{ tool: "expect", input: { condition: "screen still" } }],
} as const satisfies Demo;

describe("a link in the place of the log of rows", () => {
  let scene: Scene;
  let home: string;
  beforeAll(async () => {
    scene = await openScene({ width: 200, height: 150 });
    home = scene.sandbox.env.HOME ?? "";
    writeFileSync(join(home, "evil.demo.json"), JSON.stringify(demo));
    writeFileSync(join(home, "rows.csv"), "a\n1\n");
    // Makes the folders.
    scene.deskmap("read", "--no-daemon");
  });
  afterAll(() => scene.close());
  const log = () => join(home, "rows.csv.evil.log");
  beforeEach(() => rmSync(log(), { force: true }));
  const replay = (...args: string[]) => scene.deskmap("replay", join(home, "evil.demo.json"), ...args);

  test("stops nobody, and adds no line to another file", () => {
    const { stopped } = findPlaces(scene.sandbox.env);
    symlinkSync(stopped, log());
    expect(replay("--each", join(home, "rows.csv")).status).not.toBe(0);
    expect(existsSync(stopped)).toBe(false);
    rmSync(log());
    const letter = join(home, "letter.txt");
    writeFileSync(letter, "Dear Ada\n");
    symlinkSync(letter, log());
    expect(replay("--each", join(home, "rows.csv")).status).not.toBe(0);
    expect(readFileSync(letter, "utf8")).toBe("Dear Ada\n");
  });

  test("as a file of its own it is written, and the row is done once", () => {
    for (const _ of [1, 2]) expect(replay("--each", join(home, "rows.csv")).status).toBe(0);
    expect(readFileSync(log(), "utf8").match(/"state":"done"/g)).toHaveLength(1);
  });

  test("it, a report and an export are for their user alone", () => {
    const [report, exported] = [join(home, "report.json"), join(home, "export.json")];
    const before = process.umask(0);
    try {
      expect(replay("--each", join(home, "rows.csv"), "--report", "json", report).status).toBe(0);
      expect(scene.deskmap("demo", "export", join(home, "evil.demo.json"), exported, "--format", "json").status).toBe(
        0,
      );
    } finally {
      process.umask(before);
    }
    for (const file of [log(), report, exported]) expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600]);
  });

  test("nor do values or tables come from Deskmap's own files, or a log go there", () => {
    const { pin, state } = findPlaces(scene.sandbox.env);
    mkdirSync(join(pin, ".."), { recursive: true });
    writeFileSync(pin, '{"a":"tulip"}');
    const params = replay("--params", pin, "--dry-run");
    expect([params.status, params.stderr.includes("Deskmap's own folder")]).toEqual([2, true]);
    expect(`${params.stdout}${params.stderr}`).not.toContain("tulip");
    rmSync(pin);
    // A table elsewhere, by a link in the folder: the log would be beside the link.
    symlinkSync(join(home, "rows.csv"), join(state, "rows.csv"));
    expect(replay("--each", join(state, "rows.csv")).status).toBe(2);
    expect(existsSync(join(state, "rows.csv.evil.log"))).toBe(false);
  });
});

describe("the log of rows", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "deskmap-hostile-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("that another call has ended with an effect gives its row to nobody", () => {
    const row: Row = { n: 1, values: {}, key: "x" };
    const [one, other] = [new RowLog(join(folder, "rows.log")), new RowLog(join(folder, "rows.log"))];
    expect(one.begin(row)).toEqual({ ok: true, value: true });
    one.end(row, "stopped", 1);
    // It has looked before the first one began, and begins only now.
    expect(other.begin(row)).toEqual({ ok: true, value: false });
  });
});

describe("what an application shows", () => {
  const linked = (type: "text" | "number", was: string): Demo => ({
    ...demo,
    parameters: { order: { type, default: was, from: { step: 1, role: "text", name: "Result", what: "value" } } },
  });
  const show = (now: string) => ({
    effect: "confirmed" as const,
    delivered: true,
    way: "by its action",
    changes: { changed: [{ i: 1, r: "text", t: "Result", value: ["", now] as [string, string] }] },
  });

  test("is typed by a later step only if it is of the recorded type, and presses no keys", () => {
    expect(readLinks(linked("number", "7"), 1, show("12"))).toEqual({ values: { order: "12" }, doubts: [] });
    expect(readLinks(linked("text", "A-7"), 1, show("A-8"))).toEqual({ values: { order: "A-8" }, doubts: [] });
    const refused = [
      readLinks(linked("number", "7"), 1, show("7; shutdown")),
      readLinks(linked("text", "A-7"), 1, show("A-7\nrm -r .\n")),
      readLinks(linked("text", "A-7"), 1, show("A-7\tyes")),
    ];
    for (const { values, doubts } of refused) expect([values, doubts.length]).toEqual([{}, 1]);
  });

  test("names no secret that is filled in", () => {
    const filling = (type: "text" | "secret") => ({
      ...demo,
      parameters: { which: { type, default: "MAIL" } },
      steps: [{ tool: "fill-secret", input: { from: "{{which}}" }, ref: { role: "input", name: "Code" } }],
    });
    expect(checkDemo(filling("secret"), "it").ok).toBe(true);
    expect(checkDemo(filling("text"), "it")).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining("which is not of type secret") },
    });
  });
});

describe("a parameter that is called as something else is", () => {
  test("has no value but its own", () => {
    const parameters = { constructor: { type: "text" as const, default: "mine" } };
    expect(chooseValues({ ...demo, parameters }, {})).toEqual({ ok: true, value: { constructor: "mine" } });
  });

  test("is not dropped silently", () => {
    const given = parseParams(["__proto__=x"]);
    expect(given.ok && Object.keys(given.value)).toEqual(["__proto__"]);
    expect(given.ok && chooseValues(demo, given.value).ok).toBe(false);
  });
});
