import { describe, expect, test } from "bun:test";
import { assignParts } from "../../src/act/parts.ts";
import type { State } from "../../src/model/state.ts";
import { useWindows } from "./open-window.ts";

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
  ["2024-02-29", [month, day, year]],
  ["2000-02-29", [month, day, year]],
  ["0004-02-29", [month, day, year]],
  ["2026-W53", [range(1, 53), year]],
  ["2020-W53", [range(1, 53), year]],
  ["23:59:59", [shortHour, minute, minute, half]],
] as const)("%s exists", (text, ranges) => {
  expect(assignParts(text, ranges)).toBeDefined();
});

test.each([
  ["2026-02-29", [month, day, year]],
  ["1900-02-29", [month, day, year]],
  ["2026-02-30", [month, day, year]],
  ["2026-04-31T10:00", [month, day, year, hour, minute]],
  ["2026-04-00", [month, day, year]],
  ["2026-00", [month, year]],
  ["2025-W53", [range(1, 53), year]],
  ["2026-W00", [range(1, 53), year]],
  ["24:00", [hour, minute]],
  ["24:00", [shortHour, minute, half]],
  ["25:10", [shortHour, minute, half]],
  ["10:60", [shortHour, minute, half]],
  ["10:00:60", [hour, minute, minute]],
] as const)("%s does not exist", (text, ranges) => {
  expect(assignParts(text, ranges)).toBeUndefined();
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

describe("a date whose parts are typed", () => {
  const open = useWindows();
  const set = (text: string) => ({ kind: "set-value", text }) as const;

  /** A field as in Firefox; its day is never more than `lastDay`. */
  function openField(states: readonly State[], lastDay: number) {
    const children = ["Month", "Day", "Year"].map((name) => {
      return { role: "spin", name, states: ["focusable"] } as const;
    });
    const form = open({ role: "input", name: "Due", states, children });
    const glimpse = form.platform.glimpse.bind(form.platform);
    form.platform.glimpse = async (element, timeoutMs) => {
      const seen = await glimpse(element, timeoutMs);
      const { value, name } = form.desk.fake.findControl(element.handle) ?? { value: "", name: "" };
      const words = name === "Day" && Number(value) > lastDay ? String(lastDay) : value;
      if (!seen.ok || seen.value === undefined) return seen;
      return { ok: true, value: { ...seen.value, number: { value: Number(words), words, range: undefined } } };
    };
    return form;
  }

  test("is confirmed if each part says what was set", async () => {
    const form = openField([], 31);
    expect(await form.do("due", set("2012-09-30"))).toMatchObject({ verdict: "confirmed", isDelivered: true });
  });

  test("is not typed again if each part already says it", async () => {
    const form = openField([], 31);
    await form.do("due", set("2012-09-30"));
    expect(await form.do("due", set("2012-09-30"))).toMatchObject({ way: "nothing needed", isDelivered: false });
  });

  test("is set in part if the field is invalid, or a part says something else", async () => {
    expect(await openField(["invalid"], 31).do("due", set("2012-09-30"))).toMatchObject({
      verdict: "partial",
      evidence: ['it holds spin "Month" "09", spin "Day" "30", spin "Year" "2012", and says that this is invalid'],
    });
    expect(await openField([], 28).do("due", set("2012-09-30"))).toMatchObject({
      verdict: "partial",
      evidence: ['it holds spin "Month" "09", spin "Day" "28", spin "Year" "2012", not what was set'],
    });
  });

  test("is not typed if there is no such date", async () => {
    const form = openField([], 31);
    for (const text of ["2012-09-31", "2011-02-29", "24:00", "soon", ""]) {
      const { code, message } = await form.refuse("due", set(text));
      expect([code, message]).toEqual(["USAGE", 'the given text is no date or time, which input "Due" holds']);
    }
    expect(form.desk.find("Month").value).toBe("");
  });
});
