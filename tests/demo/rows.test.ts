import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseCsv, type Row, RowLog, readRows } from "../../src/demo/replay/rows.ts";
import { fc } from "../property.ts";

const folder = mkdtempSync(join(tmpdir(), "deskmap-rows-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function rowsOf(text: string): readonly Row[] | string {
  const file = join(folder, "rows.csv");
  writeFileSync(file, text);
  const rows = readRows(file);
  return rows.ok ? rows.value : rows.failure.message.replace(`${file}: `, "");
}

describe("a table", () => {
  test("has the names of parameters in its first line, and cells in quotes", () => {
    const rows = rowsOf('\ufeffname,city\r\n"Lovelace, ""Ada""",London\r\n\r\nGrace,"New\nYork"\r\n');
    expect(typeof rows === "string" ? rows : rows.map(({ n, values }) => ({ n, values }))).toEqual([
      { n: 1, values: { name: 'Lovelace, "Ada"', city: "London" } },
      { n: 2, values: { name: "Grace", city: "New\nYork" } },
    ]);
  });

  test("is refused with the place of its fault", () => {
    expect(rowsOf("a,b\n1\n")).toBe("row 1 has 1 cells; there are 2 columns");
    expect(rowsOf("a,a\n1,2\n")).toBe("line 1: each column needs a name of its own");
    expect(rowsOf('a\n"x')).toBe("record 2: a quote is not closed");
    expect(rowsOf('a\n"x"y')).toBe("record 2: text after a closing quote");
  });

  test("whatever its cells hold is read as it was written", () => {
    const cell = fc.string({ unit: "grapheme" });
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (records) => {
        const text = records
          .map((record) => record.map((one) => `"${one.replaceAll('"', '""')}"`).join(","))
          .join("\r\n");
        expect(parseCsv(text)).toEqual({ ok: true, value: records });
      }),
    );
  });
});

describe("the log of rows", () => {
  const file = join(folder, "rows.log");
  const row = (key: string): Row => ({ n: 1, values: {}, key });
  const stateOf = (key: string) => new RowLog(file).stateOf(row(key));
  beforeEach(() => rmSync(file, { force: true }));

  test("repeats no row that was done or may have had an effect, in any later call", () => {
    const log = new RowLog(file);
    for (const key of ["done", "killed", "half", "clean"])
      expect(log.begin(row(key))).toEqual({ ok: true, value: true });
    log.end(row("done"), "done", 3);
    log.end(row("half"), "stopped", 1);
    log.end(row("clean"), "stopped", 0);
    const states = ["done", "killed", "half", "clean", "new"].map((key) => stateOf(key));
    expect(states.map((one) => one.ok && one.value)).toEqual(["done", "uncertain", "uncertain", "new", "new"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("lets one of two calls at the same time have a row", () => {
    const [one, other] = [new RowLog(file), new RowLog(file)];
    expect([one.begin(row("x")), other.begin(row("x"))]).toEqual([
      { ok: true, value: true },
      { ok: true, value: false },
    ]);
  });

  test("is read though its last line was cut off", () => {
    new RowLog(file).begin(row("x"));
    appendFileSync(file, '{"key":"y","sta');
    expect([stateOf("x"), stateOf("y")]).toMatchObject([{ value: "uncertain" }, { value: "new" }]);
  });

  test("two equal rows are two runs", () => {
    const rows = rowsOf("a\n1\n1\n2\n");
    expect(typeof rows === "string" ? 0 : new Set(rows.map(({ key }) => key)).size).toBe(3);
  });
});
