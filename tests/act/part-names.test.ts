import { expect, test } from "bun:test";
import { findNamedRanges } from "../../src/act/part-names.ts";
import { assignParts } from "../../src/act/parts.ts";

// The parts of Firefox's dates and times tell no ranges. Their names are those of its translations.

const parts = (...names: string[]) => names.map((name) => ({ role: "spin" as const, name }));
const half = { role: "input" as const, name: "AM/PM" };

test.each([
  ["2012-09-10", parts("Month", "Day", "Year"), ["09", "10", "2012"]],
  ["2012-09-10", parts("Tag", "Monat", "Jahr"), ["10", "09", "2012"]],
  ["2012-09-10", parts("Jour", "Mois", "Année"), ["10", "09", "2012"]],
  ["2012-09-10", parts("年", "月", "日"), ["2012", "09", "10"]],
  ["14:05", parts("Ore", "Minuti"), ["14", "05"]],
  ["14:05:30", parts("Uren", "Minuten", "Seconden"), ["14", "05", "30"]],
  ["2012-09-10T14:05", parts("День", "Месяц", "Год", "Часы", "Минуты"), ["10", "09", "2012", "14", "05"]],
  ["00:30", [...parts("Hours", "Minutes"), half], ["12", "30", "01"]],
] as const)("%s is assigned to parts by their names", (text, named, texts) => {
  expect(assignParts(text, findNamedRanges(named)?.ranges ?? [])).toEqual([...texts]);
});

test("the halves of the day are called as in the language of the parts", () => {
  expect(findNamedRanges([...parts("Hours", "Minutes"), half])?.halves).toEqual(["AM", "PM"]);
  expect(findNamedRanges([...parts("時", "分"), half])?.halves).toEqual(["午前", "午後"]);
});

test.each([[parts("Width", "Height")], [parts("Month", "Month")], [parts("Day", "Year")], [parts("Minutes")]])(
  "%j are not the parts of a date that is known",
  (named) => {
    const ranges = findNamedRanges(named)?.ranges;
    expect(ranges && assignParts("2012-09-10", ranges)).toBeUndefined();
  },
);
