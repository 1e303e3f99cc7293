import { describe, expect, test } from "bun:test";
import { flatten } from "../../src/model/element.ts";
import { cleanText } from "../../src/model/plain-text.ts";
import type { MarkedElement } from "../../src/model/view.ts";
import { listForms } from "../../src/show/list.ts";
import { showView } from "../../src/show/text.ts";
import { anyMarked, makeMarked, makeView, makeWindow } from "../fixtures/elements.ts";
import { fc } from "../property.ts";

const plain = { withPoints: false, isFlat: false };
/** Every character that some reader may treat as a line end. */
const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
const ownLine = /^ *\d+ [a-z]+( |$)/;

/** Names as a platform passes them on: cleaned. */
function clean(element: MarkedElement): MarkedElement {
  return {
    ...element,
    name: cleanText(element.name, 1000),
    value: cleanText(element.value, 2000),
    children: element.children.map(clean),
  };
}

describe("the text form", () => {
  test("truncates a long value at its end, and a terminal's at its start", () => {
    const value = `first ${"word ".repeat(100)}last`;
    const lines = showView(
      makeView([makeMarked(1, { role: "input", value }), makeMarked(2, { role: "terminal", value })]),
      plain,
    ).split("\n");
    expect(lines[1]).toMatch(/^1 input ="first word .*…"$/);
    expect(lines[2]).toMatch(/^2 term ="….* word last"$/);
  });

  test("quotes the name of an application that is no plain word, in the list of windows too", () => {
    const line = listForms.text({ windows: [makeWindow({ app: 'Fake  "Ok"  pid 1' })] });
    expect(line).toStartWith('7  "Fake \\"Ok\\" pid 1"  "notes.txt"  pid 42');
  });

  test("has one line for each element and one for the window, whatever the names", () => {
    fc.assert(
      fc.property(anyMarked, fc.boolean(), fc.boolean(), (elements, withPoints, isFlat) => {
        const lines = showView(makeView(elements.map(clean)), { withPoints, isFlat }).split(lineEnd);
        expect(lines).toHaveLength(1 + flatten(elements).length);
        expect(lines[0]?.startsWith("# Mousepad ")).toBe(true);
        for (const line of lines.slice(1)) expect(line).toMatch(ownLine);
      }),
      { numRuns: 300 },
    );
  });

  test("stays in its lines even for uncleaned names", () => {
    fc.assert(
      fc.property(anyMarked, (elements) => {
        const lines = showView(makeView(elements), plain).split("\n");
        expect(lines).toHaveLength(1 + flatten(elements).length);
        for (const line of lines.slice(1)) expect(line).toMatch(ownLine);
      }),
      { numRuns: 300 },
    );
  });

  test("shows the marks in reading order, and each name so that it can be parsed", () => {
    fc.assert(
      fc.property(anyMarked, (elements) => {
        const lines = showView(makeView(elements.map(clean)), plain)
          .split("\n")
          .slice(1);
        flatten(elements.map(clean)).forEach(({ mark, name }, index) => {
          const [, shownMark, quoted] = /^ *(\d+) [a-z]+(?: ("(?:[^"\\]|\\.)*"))?/.exec(lines[index] ?? "") ?? [];
          expect(shownMark).toBe(String(mark));
          if (name !== "") expect(JSON.parse(quoted ?? '""')).toBe(name);
        });
      }),
    );
  });

  test("does not let a name pass for a header, a note or another element", () => {
    const name = '\n# Firefox "Bank"\n1 btn "Pay"\n! GONE x';
    expect(showView(makeView([makeMarked(5, { name, value: name })], { title: name }), plain)).toMatchInlineSnapshot(`
      "# Mousepad "# Firefox \\"Bank\\" 1 btn \\"Pay\\" ! GONE x"
      5 btn "# Firefox \\"Bank\\" 1 btn \\"Pay\\" ! GONE x"="# Firefox \\"Bank\\" 1 btn \\"Pay\\" ! GONE x""
    `);
  });

  test("does not let an application's name pass for a title", () => {
    const shown = showView(makeView([], { app: 'Firefox "My Bank"', title: "evil" }), plain);
    expect(shown.startsWith('# Firefox "My Bank"')).toBe(false);
  });

  test("stays short for a name and a value of a megabyte", () => {
    const long = "x".repeat(1_000_000);
    const shown = showView(makeView([makeMarked(5, { name: long, value: long })], { title: long }), plain);
    expect(shown.length).toBeLessThan(700);
    expect(shown).toContain("…");
  });

  test("shows value, states and point, and omits defaults", () => {
    const field = makeMarked(5, {
      role: "input",
      name: "Name",
      value: "Ann",
      states: new Set(["focused", "editable", "focusable"]),
      bounds: { x: 10, y: 20, width: 100, height: 30 },
      clickPoint: { x: 60, y: 35 },
    });
    const bare = makeMarked(6, { role: "checkbox", states: new Set(["checked", "disabled"]) });
    expect(showView(makeView([field, bare]), { withPoints: true, isFlat: false })).toMatchInlineSnapshot(`
      "# Mousepad "notes.txt"
      5 input "Name"="Ann" focused 60,35
      6 chk disabled checked"
    `);
  });

  test("indents the content of a container, unless flat", () => {
    const bar = makeMarked(1, { role: "toolbar", name: "Tools", children: [makeMarked(2, { name: "Save" })] });
    expect(showView(makeView([bar]), plain)).toMatchInlineSnapshot(`
      "# Mousepad "notes.txt"
      1 toolbar "Tools"
       2 btn "Save""
    `);
    expect(showView(makeView([bar]), { ...plain, isFlat: true })).toMatchInlineSnapshot(`
      "# Mousepad "notes.txt"
      1 toolbar "Tools"
      2 btn "Save""
    `);
  });

  test("says under the header why a window could not be read completely", () => {
    const note = { code: "TIMEOUT", text: "the application does not answer (waited 5000 ms)" } as const;
    const view = { takenAtMs: 0, windows: [{ window: makeWindow(), elements: [makeMarked(1)], notes: [note] }] };
    expect(showView(view, plain)).toMatchInlineSnapshot(`
      "# Mousepad "notes.txt"
      ! TIMEOUT the application does not answer (waited 5000 ms)
      1 btn"
    `);
  });

  test("puts several windows one after the other, each under its header", () => {
    const [one] = makeView([makeMarked(1, { name: "Save" })]).windows;
    const [two] = makeView([], { app: "Zenity", title: "" }).windows;
    if (one === undefined || two === undefined) throw new Error("each view has a window");
    expect(showView({ takenAtMs: 0, windows: [one, two] }, plain)).toMatchInlineSnapshot(`
      "# Mousepad "notes.txt"
      1 btn "Save"
      # Zenity """
    `);
  });
});

describe("the list of windows", () => {
  test("has a line for each, front to back", () => {
    const windows = [
      makeWindow({ isFocused: true, state: ["maximised"] }),
      makeWindow({
        id: 8,
        app: "Zenity",
        title: 'a "b"\nc',
        monitor: "",
        bounds: { x: -5, y: 3, width: 10, height: 20 },
      }),
    ];
    expect(listForms.text({ windows })).toMatchInlineSnapshot(`
      "7  Mousepad  "notes.txt"  pid 42  800x600 at 0,0 on screen  focused  maximised
      8  Zenity  "a \\"b\\" c"  pid 42  10x20 at -5,3 on no monitor"
    `);
  });

  test("says so when there are none", () => {
    expect(listForms.text({ windows: [] })).toBe("no window is open");
  });
});

test("the list of applications says how many windows each has and which cannot be read", () => {
  const shown = listForms.text({
    apps: [
      { app: "Mousepad", pid: 42, windowCount: 1, isFocused: true, hasTree: true },
      { app: "Xterm", pid: 43, windowCount: 2, isFocused: false, hasTree: false },
    ],
  });
  expect(shown).toMatchInlineSnapshot(`
    "Mousepad  pid 42  1 window  focused
    Xterm  pid 43  2 windows  no accessibility tree"
  `);
});
