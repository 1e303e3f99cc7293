import { expect, test } from "bun:test";
import type { LogRow, Told } from "../../src/inspector/activity.ts";
import { type ActivityRow, ActivityRows, mostRows } from "../../web/activity-rows.ts";
import { findPart } from "../../web/crop-part.ts";
import { describeEffect } from "../../web/effect-words.ts";
import { nameAction, nameActor, nameApprover, nameCommand } from "../../web/log-words.ts";

const at = "2026-01-01T10:00:00.000Z";
const line = (row: Partial<LogRow> & Pick<LogRow, "n" | "what">): Told => ({
  kind: "line",
  row: { at, client: "cli", tool: "click", ...row },
});
const told: readonly Told[] = [
  line({ n: 4, what: "begin", app: "pad", window: "Pad", mark: 7, role: "button", name: "Add", way: "invoke click" }),
  {
    kind: "begun",
    n: 4,
    atMs: Date.parse(at),
    client: "cli",
    tool: "click",
    words: 'click btn "Add" (7)',
    app: "pad",
    window: "Pad",
    mark: 7,
    role: "button",
    name: "Add",
  },
  {
    kind: "ended",
    n: 4,
    atMs: 0,
    tookMs: 31,
    verdict: "confirmed",
    way: "action click",
    evidence: ["seen"],
    changes: [],
  },
  line({ n: 5, what: "end", begin: 4, way: "action click", effect: "confirmed", approval: "deskmap inspect" }),
];

test("the events of one action give the same row in any order after its beginning", () => {
  const orders = [
    [0, 1, 2, 3],
    [1, 0, 2, 3],
    [0, 3, 1, 2],
    [1, 2, 0, 3],
    [0, 1, 3, 2],
  ];
  const results = orders.map((order) => {
    const rows = new ActivityRows();
    for (const which of order) rows.take(told[which] ?? { kind: "lost", count: 0 });
    return rows.list();
  });
  for (const rows of results) expect(rows).toEqual(results[0] ?? []);
  expect(results[0]?.[0]).toMatchObject({
    n: 4,
    what: "action",
    words: 'click btn "Add" (7)',
    effect: "confirmed",
    way: "action click",
    evidence: ["seen"],
    approval: "deskmap inspect",
    tookMs: 31,
  });
});

test("actions of a process that reports nothing are shown as logged", () => {
  const rows = new ActivityRows();
  rows.take(line({ n: 1, what: "begin", name: "Add", role: "button" }));
  expect(describeEffect(rows.list()[0] ?? { what: "", effect: "?" }).word).toBe("Running");
  rows.take(line({ n: 2, what: "end", begin: 1, effect: "no-change", at: "2026-01-01T10:00:02.000Z" }));
  expect(rows.list()).toMatchObject([{ n: 1, effect: "no-change", tookMs: 2000, evidence: [] }]);
});

test("a question and its answer are one row; an end without a shown beginning is not shown", () => {
  const rows = new ActivityRows();
  rows.take(line({ n: 1, what: "end", begin: 0, effect: "confirmed" }));
  rows.take(line({ n: 2, what: "ask", words: "click" }));
  rows.take(line({ n: 3, what: "answer", begin: 2, effect: "denied", words: "delete" }));
  expect(rows.list()).toMatchObject([{ n: 2, what: "ask", effect: "denied", words: "click" }]);
  expect(describeEffect({ what: "ask", effect: "denied" }).word).toContain("person");
});

test("an action that a stop ended silently does not run forever; its own end takes precedence", () => {
  const rows = new ActivityRows();
  rows.take(line({ n: 1, what: "begin" }));
  rows.take(line({ n: 2, what: "stop" }));
  expect(rows.list().at(-1)?.effect).toBe("unfinished");
  rows.take(line({ n: 3, what: "end", begin: 1, effect: "stopped" }));
  expect(rows.list().at(-1)?.effect).toBe("stopped");
});

test("only the newest rows are kept, and the pictures of the others are released", () => {
  const gone: ActivityRow[] = [];
  const rows = new ActivityRows((row) => gone.push(row));
  for (let n = 1; n <= mostRows + 3; n += 1) {
    rows.take(line({ n, what: "begin" }));
    rows.takePicture(n, "before", { url: `blob:${n}`, width: 1, height: 1 });
  }
  expect(rows.list().length).toBe(mostRows);
  expect(rows.list()[0]?.n).toBe(mostRows + 3);
  expect(gone.map(({ crops }) => crops.before?.url)).toEqual(["blob:1", "blob:2", "blob:3"]);
});

test("a picture cut from the live one is replaced by the one taken for the action", () => {
  const gone: (string | undefined)[] = [];
  const rows = new ActivityRows(({ crops }) => gone.push(crops.before?.url));
  rows.take(line({ n: 1, what: "begin" }));
  rows.takePicture(1, "before", { url: "live", width: 1, height: 1, liveAtMs: 5 });
  rows.takePicture(1, "before", { url: "own", width: 1, height: 1 });
  rows.takePicture(1, "before", { url: "late", width: 1, height: 1, liveAtMs: 6 });
  expect(rows.list()[0]?.crops.before?.url).toBe("own");
  expect(gone).toEqual(["live", "late"]);
  const picture = { origin: { x: 0, y: 0 }, scale: 0.5, width: 500, height: 400 };
  expect(findPart(picture, { x: 10, y: 300, width: 40, height: 20 })).toEqual({ x: 0, y: 110, width: 95, height: 90 });
  expect(findPart(picture, { x: 3000, y: 0, width: 10, height: 10 })).toBeUndefined();
});

test("words are plain, whatever the origin: no codes, no repetition, and a person for an answer", () => {
  const target = { tool: "toggle", role: "toggle", name: "Bold", mark: 3, app: "pad", window: "Pad" };
  const told = 'toggle, by its action "toggle": toggle "Bold" (3) in "pad"';
  const plain = 'toggle the toggle button "Bold" (3) in pad, "Pad"';
  expect([nameAction({ ...target, words: "" }), nameAction({ ...target, words: told })]).toEqual([plain, plain]);
  const typed = 'type 5 characters with 0 line breaks into input "Note"';
  expect(nameAction({ ...target, tool: "type", role: "input", words: typed })).toBe(typed);
  for (const [what, effect] of [
    ["action", "USAGE"],
    ["refused", "turn"],
    ["stop", ""],
    ["resume", ""],
  ] as const) {
    const { word } = describeEffect({ what, effect });
    expect(word).not.toContain("USAGE");
    expect(word).toMatch(/^\w+.* .*\w$/);
  }
  const approval = "deskmap inspect, process 7, request AB12";
  expect(nameApprover(approval)).toBe("a person, in deskmap inspect");
  expect(nameActor({ what: "answer", client: "cli", effect: "yes", approval })).toBe("a person, in deskmap inspect");
  const rows = new ActivityRows();
  rows.take(line({ n: 1, what: "refused", effect: "turn", words: "another has it" }));
  expect(rows.list().map((row) => `${nameCommand(row.what)} ${nameAction(row)}: ${row.failure}`)).toEqual([
    "wanted to click: another has it",
  ]);
  expect(describeEffect({ what: "ask", effect: "", atMs: 0 }).word).toBe("No answer in the log");
});
