import { expect, test } from "bun:test";
import { assignParts } from "../../src/act/parts.ts";

// The parts of Chromium's date and time fields, which differ by language, as their ranges tell them.

const range = (least: number, most: number) => ({ least, most });
const [year, month, day] = [range(1, 275_760), range(1, 12), range(1, 31)];
const [hour, shortHour, minute, half] = [range(0, 23), range(1, 12), range(0, 59), range(1, 2)];

test.each([
  ["2012-09-10", [month, day, year], ["09", "10", "2012"]],
  ["2012-09-10", [day, month, year], ["10", "09", "2012"]],
  ["2012-09", [month, year], ["09", "2012"]],
  ["2012-W37", [range(1, 53), year], ["37", "2012"]],
  ["14:05", [hour, minute], ["14", "05"]],
  ["14:05", [shortHour, minute, half], ["02", "05", "02"]],
  ["00:30", [shortHour, minute, half], ["12", "30", "01"]],
  ["14:05", [hour, minute, minute], ["14", "05", "00"]],
  ["2012-09-10T14:05", [month, day, year, shortHour, minute, half], ["09", "10", "2012", "02", "05", "02"]],
] as const)("%s is assigned to its parts", (text, ranges, texts) => {
  expect(assignParts(text, ranges)).toEqual([...texts]);
});

test.each([
  ["tomorrow", [month, day, year]],
  ["2012-13-10", [month, day, year]],
  ["2012-09-10", [month, year]],
  ["14:05:30", [hour, minute]],
  ["14:05", [month, day, year]],
  ["2012-09-10", [range(0, 7), day, year]],
] as const)("%s is not assigned to parts that it does not fit", (text, ranges) => {
  expect(assignParts(text, ranges)).toBeUndefined();
});
