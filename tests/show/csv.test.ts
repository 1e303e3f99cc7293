import { describe, expect, test } from "bun:test";
import { flatten } from "../../src/model/element.ts";
import { cleanLines, shorten } from "../../src/model/plain-text.ts";
import { shortRole } from "../../src/model/role.ts";
import { viewToCsv } from "../../src/show/csv.ts";
import { anyMarked, makeMarked, makeView, makeWindow } from "../fixtures/elements.ts";
import { fc } from "../property.ts";

/** An RFC 4180 parser, as any reader of tables has. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let at = 0;
  while (at <= text.length) {
    let cell = "";
    if (text[at] === '"') {
      for (at += 1; ; at += 1) {
        if (at >= text.length) throw new Error("a quoted cell does not end");
        if (text[at] === '"' && text[at + 1] === '"') at += 1;
        else if (text[at] === '"') break;
        cell += text[at];
      }
      at += 1;
    } else {
      while (at < text.length && !/[,\r\n]/.test(text[at] ?? "")) {
        if (text[at] === '"') throw new Error("a quote inside a cell without quotes");
        cell += text[at];
        at += 1;
      }
    }
    rows.at(-1)?.push(cell);
    if (at < text.length && text[at] !== ",") {
      if (text[at] === "\r" && text[at + 1] === "\n") at += 1;
      else if (text[at] !== "\n") throw new Error("a cell goes on after its closing quote");
      rows.push([]);
    }
    at += 1;
  }
  return rows;
}

/** A cell that a spreadsheet would execute begins with an apostrophe, which marks it as text. */
function undo(cell: string | undefined): string {
  return cell?.replace(/^'/, "") ?? "";
}

describe("the CSV form", () => {
  test("reads back to the same marks, roles and names", () => {
    fc.assert(
      fc.property(anyMarked, (elements) => {
        const [header, ...rows] = parseCsv(viewToCsv(makeView(elements)));
        expect(header?.join(",")).toBe("window,i,r,t,v,x,y,w,h,states,actions");
        const all = flatten(elements);
        expect(rows).toHaveLength(all.length);
        all.forEach(({ mark, role, name }, index) => {
          const row = rows[index] ?? [];
          expect(row).toHaveLength(11);
          expect(row.slice(0, 3)).toEqual(["7", String(mark), shortRole(role)]);
          const shown = cleanLines(shorten(name, 500));
          expect([shown, `'${shown}`]).toContain(row[3] ?? "");
        });
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    "=1+1",
    "+1+1",
    "@SUM(A1)",
    "-2+3+cmd|' /C calc'!A0",
    "-cmd",
    '=HYPERLINK("http://evil","x")',
    "\t=1",
    " =1",
    "＝1+1",
    "＠SUM(A1)",
  ])("does not let a spreadsheet run %p", (name) => {
    const [, row] = parseCsv(viewToCsv(makeView([makeMarked(1, { name })])));
    expect(row?.[3]).toBe(`'${name}`);
    expect(undo(row?.[3])).toBe(name);
  });

  test("leaves negative numbers as numbers", () => {
    const element = makeMarked(1, { value: "-5", bounds: { x: -10, y: -20, width: 3, height: 4 } });
    const [, row] = parseCsv(viewToCsv(makeView([element])));
    expect(row?.slice(4, 9)).toEqual(["-5", "-10", "-20", "3", "4"]);
    const [, half] = parseCsv(viewToCsv(makeView([makeMarked(1, { value: "-0.25" })])));
    expect(half?.[4]).toBe("-0.25");
  });

  test("says in a separate row why a window could not be read completely", () => {
    const notes = [{ code: "TIMEOUT", text: 'it does not answer, "yet"' }] as const;
    const view = { takenAtMs: 0, windows: [{ window: makeWindow(), elements: [], notes }] };
    expect(parseCsv(viewToCsv(view))[1]?.slice(0, 4)).toEqual(["7", "", "note", 'TIMEOUT it does not answer, "yet"']);
  });

  test("has its header even without rows", () => {
    expect(viewToCsv({ takenAtMs: 0, windows: [] })).toBe("window,i,r,t,v,x,y,w,h,states,actions");
  });
});
