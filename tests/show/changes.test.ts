import { expect, test } from "bun:test";
import type { ChangeLine, WindowName } from "../../src/model/change-line.ts";
import { ChangeText, changesForms, changesOutput, lineToJson, showAround } from "../../src/show/changes.ts";

const lines: readonly ChangeLine[] = [
  { kind: "window", what: "changed", window: 7, app: "Pad", title: "*a", was: { title: "a" } },
  { kind: "appeared", id: 9, role: "menu", name: "File", window: 7, in: 1 },
  { kind: "appeared", id: 10, role: "menuitem", name: "Save", window: 7, in: 9, states: ["disabled"] },
  { kind: "emptied", id: 2, role: "menu", name: "Edit", window: 7 },
  { kind: "changed", id: 14, role: "input", name: "Name", window: 8, value: "b", was: { value: "a" } },
  { kind: "focus", id: 14, role: "input", name: "Name", window: 8 },
  { kind: "note", window: 8, code: "TIMEOUT", text: "no answer" },
  { kind: "token", token: "x.1", atMs: 1_700_000_000_500 },
];

function told(some: readonly ChangeLine[], names: readonly WindowName[] = []) {
  return { lines: some, token: "x.1", atMs: 1_700_000_000_500, names };
}

test("changes as text are one line each, below their window", () => {
  expect(changesForms.text(told(lines))).toBe(
    [
      '~ window 7 Pad "*a" title "a" → "*a"',
      '+ 9 menu "File" in 1',
      '+  10 menuitem "Save" disabled',
      '- all in 2 menu "Edit"',
      "# 8",
      '~ 14 input "Name" value "a" → "b"',
      'focus 14 input "Name"',
      "! TIMEOUT no answer",
      "token x.1",
    ].join("\n"),
  );
  expect(changesForms.text(told([]))).toBe("nothing changed\ntoken x.1");
});

test("a window without earlier lines is named as in a read, if its name is known", () => {
  const names = [{ window: 8, app: "Pad", title: "notes" }];
  expect(changesForms.text(told(lines, names)).split("\n")[4]).toBe('# Pad "notes"');
  const watching = new ChangeText();
  expect(watching.show([{ kind: "token", token: "x.0", atMs: 0, names }])).toEqual([]);
  expect(watching.show(lines.slice(4, 5))).toEqual(['# Pad "notes"', '~ 14 input "Name" value "a" → "b"']);
  // JSON has no names: programs get them with the lines about windows.
  expect(lineToJson({ kind: "token", token: "x.0", atMs: 0, names })).toBe('{"kind":"token","token":"x.0","ts":0}');
});

test("no application text can pass for a line, a mark or a window of ours", () => {
  const name = 'x"\n+ 1 btn "Delete';
  const deceiving: ChangeLine[] = [
    { kind: "appeared", id: 3, role: "button", name, value: name, window: 7 },
    { kind: "changed", id: 3, role: "button", name, window: 7, value: name, was: { value: name, name } },
    { kind: "window", what: "opened", window: 7, app: name, title: name },
    { kind: "note", window: 7, code: "FAILED", text: name },
  ];
  const texts = new ChangeText().show(deceiving);
  expect(texts.every((line) => !line.includes("\n"))).toBe(true);
  expect(deceiving.map(lineToJson).every((line) => !line.includes("\n"))).toBe(true);
});

test("a JSON line has the keys of a read, and JSON and CSV leave nothing out", () => {
  expect(lines.slice(2, 5).map(lineToJson)).toEqual([
    '{"kind":"appeared","i":10,"r":"menuitem","t":"Save","x":["disabled"],"w":7,"in":9}',
    '{"kind":"emptied","i":2,"r":"menu","t":"Edit","w":7}',
    '{"kind":"changed","i":14,"r":"input","t":"Name","v":"b","w":8,"was":{"value":"a"}}',
  ]);
  const json = changesOutput().parse(changesForms.data(told(lines)));
  expect(json).toMatchObject({ ts: 1_700_000_000, token: "x.1" });
  expect(json.changes).toHaveLength(7);
  expect(changesForms.csv(told(lines)).split("\n")).toHaveLength(9);
});

test("of a long text the changed part is shown", () => {
  const start = "word ".repeat(100);
  const [before, after] = showAround(`${start}old`, `${start}new`, 80);
  expect(before).toBe(`…${start.slice(-20)}old`);
  expect(after).toBe(`…${start.slice(-20)}new`);
  expect(showAround("a", "b", 80)).toEqual(["a", "b"]);
});
