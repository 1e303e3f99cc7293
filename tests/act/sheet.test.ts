import { describe, expect, test } from "bun:test";
import { spreadOverCells } from "../../src/act/sheet.ts";

describe("text typed into a sheet", () => {
  test("is spread over columns by Tab and over rows by Return, from the current cell", () => {
    const entries = spreadOverCells({ column: 26, row: 9 }, "a\tb\n\tc\nlast");
    expect(entries.map(({ address, text, isOpen }) => [address, text, isOpen])).toEqual([
      ["Z9", "a", false],
      ["AA9", "b", false],
      ["AA10", "c", false],
      ["Z11", "last", true],
    ]);
  });

  test("names columns past Z as sheets do", () => {
    const names = [1, 26, 27, 52, 53, 702, 703].map((column) => spreadOverCells({ column, row: 1 }, "x")[0]?.address);
    expect(names).toEqual(["A1", "Z1", "AA1", "AZ1", "BA1", "ZZ1", "AAA1"]);
  });
});
