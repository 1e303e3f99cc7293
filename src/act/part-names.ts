import { normalise } from "../find/match.ts";
import type { Element } from "../model/element.ts";

import type { NumberRange } from "../sources/port.ts";

/** The languages of browsers, the most frequent first. */
const languages =
  "en de fr es pt it pl ru ja zh nl cs sv tr hu id ko vi uk el fi ro da sk nb bg ar he fa hr sr sl lt lv et ca th hi af ast az be bn br bs cy dsb eo eu ff fy ga gd gl gu hsb hy ia is ka kk km kn mk mr ms my ne nn pa rm si sq ta te ur uz xh".split(
    " ",
  );

interface Named {
  readonly ranges: readonly NumberRange[];
  /** What the halves of the day are called; empty without them. */
  readonly halves: readonly string[];
}

const limits = {
  year: { least: 1, most: 275_760 },
  month: { least: 1, most: 12 },
  day: { least: 1, most: 31 },
  hour: { least: 0, most: 23 },
  minute: { least: 0, most: 59 },
  second: { least: 0, most: 59 },
} as const;

type Unit = keyof typeof limits;

/**
 * The ranges of the parts of a date or a time that tell none, by their names. Month, day and minute are called the same
 * everywhere; the year is what is left of a date, and minutes stand between hours and seconds.
 */
export function findNamedRanges(parts: readonly Pick<Element, "role" | "name">[]): Named | undefined {
  const spins = parts.filter(({ role }) => role === "spin");
  const hasHalves = spins.length < parts.length;
  for (const language of languages) {
    const units = findUnits(spins, language);
    if (units === undefined) continue;
    const shortHour = { least: 1, most: 12 };
    const ranges = units.map((unit) => (unit === "hour" && hasHalves ? shortHour : limits[unit]));
    const all = parts.map(({ role }) => (role === "spin" ? (ranges.shift() ?? limits.year) : { least: 1, most: 2 }));
    return { ranges: all, halves: hasHalves ? [9, 15].map((hour) => nameHalf(language, hour)) : [] };
  }
  return undefined;
}

function findUnits(spins: readonly Pick<Element, "name">[], language: string): Unit[] | undefined {
  const words = new Intl.DisplayNames(language, { type: "dateTimeField" });
  const find = (unit: Unit): number => spins.findIndex(({ name }) => isCalled(name, words.of(unit) ?? ""));
  const [month, day, minute] = [find("month"), find("day"), find("minute")];
  const hasDate = month >= 0 && day >= 0 && month !== day;
  const units = spins.map((_, at): Unit | undefined => {
    if (at === month || at === day) return hasDate ? (at === month ? "month" : "day") : undefined;
    if (at === minute) return "minute";
    if (minute >= 0 && Math.abs(at - minute) === 1) return at < minute ? "hour" : "second";
    return hasDate && at < 3 ? "year" : undefined;
  });
  const known = units.filter((unit) => unit !== undefined);
  return known.length === spins.length && new Set(known).size === known.length ? known : undefined;
}

/** By the beginning of the word: a label may be in the plural. */
function isCalled(name: string, word: string): boolean {
  const [one, other] = [normalise(name), normalise(word)];
  const length = Math.min(3, other.length);
  return length > 0 && one.slice(0, length) === other.slice(0, length);
}

function nameHalf(language: string, hour: number): string {
  const format = new Intl.DateTimeFormat(language, { hour: "numeric", hour12: true });
  return format.formatToParts(new Date(2000, 0, 1, hour)).find(({ type }) => type === "dayPeriod")?.value ?? "";
}
