import { type Element, flatten } from "../model/element.ts";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import { nameElement, quote } from "../model/observed.ts";
import type { NumberGlimpse, NumberRange } from "../sources/port.ts";
import type { Attempt } from "./attempt.ts";
import { confirm, type Judge } from "./judge.ts";
import { findNamedRanges } from "./part-names.ts";
import type { Intent } from "./perform.ts";
import { takeFocus } from "./ways.ts";

/** How long a part may take to show what was typed into it. */
const typedMs = 1500;

/** A part, the keys that set it, and what it shows then, where that is no number. */
interface Entry {
  readonly part: Element;
  readonly keys: string;
  readonly shown: string | undefined;
}

/**
 * The plan to set a date or a time that consists of spin buttons for its parts, or a part that shows words, such as
 * AM; undefined for anything else. Typed into the whole field, the digits would go to parts in the order of its language.
 */
export function planParts(element: Element, text: string): Result<Intent> | undefined {
  const parts = flatten(element.children).filter(({ role }) => role === "spin" || role === "input");
  const isWord = element.role === "spin" && !element.states.has("editable") && !/^[\d.,\s-]*$/.test(text);
  const isDate = element.role === "input" && parts.filter(({ role }) => role === "spin").length > 1;
  if (!isWord && !isDate) return undefined;
  if (isDate && parseMoment(text) === undefined) {
    return fail(describeUsage(`the given text is no date or time, which ${nameElement(element)} holds`, forms));
  }
  const assign = async (attempt: Attempt): Promise<readonly Entry[] | undefined> =>
    isWord ? [{ part: element, keys: text, shown: text }] : assignTo(attempt, parts, text);
  return succeed({
    chain: [
      {
        name: "keys for each part",
        take: async (attempt) => {
          const entries = await assign(attempt);
          return entries === undefined ? refuseText(attempt, parts) : typeParts(attempt, entries);
        },
      },
    ],
    judge: async (attempt) => judgeParts(attempt, (await assign(attempt)) ?? []),
    findDone: async ({ states }, attempt) => {
      const isSet = !states.has("invalid") && (await areHeld(attempt, (await assign(attempt)) ?? []));
      return isSet ? "it already held that" : undefined;
    },
    isRepeatable: true,
  });
}

const forms = "2012-09-10, 14:30, 2012-09-10T14:30, 2012-09 or 2012-W37.";

/** Parts may hold what is no date together, or none that the page takes: the field is invalid then. */
async function judgeParts(attempt: Attempt, entries: readonly Entry[]): Promise<Judge> {
  const read = (): Promise<readonly string[]> =>
    Promise.all(entries.map(async ({ part }) => (await readWords(attempt, part)) ?? ""));
  const before = await read();
  return async ({ target }) => {
    const isSet = await areHeld(attempt, entries);
    const isInvalid = target?.states.has("invalid") === true;
    if (isSet && !isInvalid) return confirm("it holds what was set");
    const now = await read();
    if (!isSet && now.every((words, at) => words === before[at])) return undefined;
    const told = entries.map(({ part }, at) => `${nameElement(part)} ${quote(now[at] ?? "")}`).join(", ");
    const why = isSet ? "and says that this is invalid" : "not what was set";
    return { verdict: "partial", evidence: [`it holds ${told}, ${why}`] };
  };
}

/** A part for the halves of the day comes last: an hour may change it. */
async function assignTo(
  attempt: Attempt,
  parts: readonly Element[],
  text: string,
): Promise<readonly Entry[] | undefined> {
  const glimpses = await Promise.all(parts.map((part) => glimpseNumber(attempt, part)));
  const told = glimpses.flatMap((glimpse) => glimpse?.range ?? []);
  const named = told.length === parts.length ? { ranges: told, halves: [] } : findNamedRanges(parts);
  const keys = named && assignParts(text, named.ranges);
  if (named === undefined || keys === undefined) return undefined;
  const entries = parts.map((part, at): Entry => {
    const one = keys[at] ?? "";
    const shown = part.role === "input" ? named.halves[Number(one) - 1] : undefined;
    return { part, keys: shown === undefined ? one : (halfKeys[Number(one) - 1] ?? ""), shown };
  });
  return entries.toSorted((a, b) => Number(a.shown !== undefined) - Number(b.shown !== undefined));
}

/** Browsers take these keys for the halves of the day in any language. */
const halfKeys = ["a", "p"] as const;

async function typeParts(attempt: Attempt, entries: readonly Entry[]): Promise<Result<void>> {
  for (const entry of entries) {
    const own = await attempt.turnTo(entry.part.handle, attempt.sighting.snapshot);
    if (!own.ok) return own;
    const focused = await takeFocus(own.value);
    if (!focused.ok) return focused;
    const typed = await attempt.deliver({ kind: "type", text: entry.keys, delayMs: 0 });
    if (!typed.ok) return typed;
    // The next part must not get the focus before this one has its keys.
    await attempt.waitUntil(typedMs, () => isHeld(attempt, entry));
  }
  return succeed(undefined);
}

function refuseText(attempt: Attempt, parts: readonly Element[]): Result<never> {
  const names = parts.map(nameElement).join(", ");
  return attempt.refuse(
    "USAGE",
    `${nameElement(attempt.element)} consists of ${names}, and the given text cannot be assigned to them`,
    `give all of them, as in ${forms} Or set each part by itself.`,
  );
}

async function glimpseNumber({ desktop, timeoutMs }: Attempt, part: Element): Promise<NumberGlimpse | undefined> {
  const glimpse = await desktop.platform.glimpse(part, timeoutMs);
  return glimpse.ok ? glimpse.value?.number : undefined;
}

async function areHeld(attempt: Attempt, entries: readonly Entry[]): Promise<boolean> {
  const held = await Promise.all(entries.map((entry) => isHeld(attempt, entry)));
  return held.length > 0 && held.every(Boolean);
}

async function isHeld(attempt: Attempt, { part, keys, shown }: Entry): Promise<boolean> {
  const words = await readWords(attempt, part);
  if (words === undefined) return false;
  if (shown !== undefined) return words.toLowerCase() === shown.toLowerCase();
  // An empty part is 0 too, but shows one digit at most.
  if (/^\d+$/.test(words)) return Number(words) === Number(keys) && (words.length > 1 || words !== "0");
  const now = await glimpseNumber(attempt, part);
  return now?.range !== undefined && now.value === Number(keys);
}

async function readWords(attempt: Attempt, part: Element): Promise<string | undefined> {
  if (part.role === "spin") return (await glimpseNumber(attempt, part))?.words;
  const { desktop, timeoutMs } = attempt;
  const read = await desktop.platform.readText({ element: part, start: 0, end: undefined, timeoutMs });
  return read.ok ? read.value.text.trim() : undefined;
}

const format =
  /^(?:(?<year>\d{4,6})-(?:W(?<week>\d\d?)|(?<month>\d\d?)(?:-(?<day>\d\d?))?))?[T ]?(?:(?<hour>\d\d?):(?<minute>\d\d)(?::(?<second>\d\d))?)?$/;

/** The numbers of a date or a time in the notation of ISO 8601; undefined if there is none such. */
function parseMoment(text: string): Map<string, number> | undefined {
  const given = Object.entries(format.exec(text.trim())?.groups ?? {}).filter(([, value]) => value !== undefined);
  const values = new Map(given.map(([name, value]) => [name, Number(value)]));
  // The calendar repeats after 400 years; before the year 100, Date means the 20th century.
  const dateOf = (month: number, day: number): Date =>
    new Date(Date.UTC(2000 + ((values.get("year") ?? 0) % 400), month, day));
  // The years with a Thursday at either end have 53 weeks.
  const isLong = [dateOf(0, 1), dateOf(11, 31)].some((date) => date.getUTCDay() === 4);
  const limits: readonly (readonly [string, number, number])[] = [
    ["month", 1, 12],
    ["day", 1, dateOf(values.get("month") ?? 0, 0).getUTCDate()],
    ["week", 1, isLong ? 53 : 52],
    ["hour", 0, 23],
    ["minute", 0, 59],
    ["second", 0, 59],
  ];
  const isReal = limits.every(([name, least, most]) => {
    const value = values.get(name) ?? least;
    return value >= least && value <= most;
  });
  return isReal && values.size > 0 ? values : undefined;
}

/** What to type into each part of a date or a time, from its range; undefined if text and parts do not fit. */
export function assignParts(text: string, ranges: readonly NumberRange[]): readonly string[] | undefined {
  const values = parseMoment(text);
  if (values === undefined) return undefined;
  const kinds = ranges.map(({ most }, at) => kindOf(ranges, most, at));
  const hour = values.get("hour");
  if (hour !== undefined && kinds.includes("half")) {
    values.set("half", hour < 12 ? 1 : 2);
    values.set("hour", hour % 12 === 0 ? 12 : hour % 12);
  }
  if (kinds.includes("second") && values.has("minute") && !values.has("second")) values.set("second", 0);
  const numbers = kinds.map((kind) => values.get(kind) ?? Number.NaN);
  const isFit = ranges.every(({ least, most }, at) => {
    const number = numbers[at] ?? Number.NaN;
    return number >= least && number <= most;
  });
  return isFit && values.size === kinds.length ? numbers.map((one) => String(one).padStart(2, "0")) : undefined;
}

/** The kinds of parts by the highest number they take; an hour is followed by its minute. */
const kindsByMost = new Map([
  [2, "half"],
  [12, "month"],
  [23, "hour"],
  [24, "hour"],
  [31, "day"],
  [53, "week"],
  [59, "minute"],
]);

function kindOf(ranges: readonly { readonly most: number }[], most: number, at: number): string {
  if (most >= 1000) return "year";
  if (most === 59 && ranges[at - 1]?.most === 59) return "second";
  return most === 12 && ranges[at + 1]?.most === 59 ? "hour" : (kindsByMost.get(most) ?? "");
}
