import * as z from "zod/mini";
import { screenSpace } from "../model/bounds.ts";
import type { ChangedControl, ChangeLine, StartReason, WindowName } from "../model/change-line.ts";
import { cleanLine, quoteText, shorten } from "../model/plain-text.ts";
import { shortRole } from "../model/role.ts";
import { joinRows } from "./csv.ts";
import { cutValue } from "./element.ts";
import { box, type DataOf, type Forms, space, stringify, titled } from "./output.ts";
import { maxNameLength, nameControl, nameWindow } from "./text.ts";

const maxTextLength = 500;

const startReasons = ["first", "expired", "restarted", "other-selection"] as const satisfies readonly StartReason[];
export const startReason = () => z.enum(startReasons);

const was = () =>
  z.strictObject({
    role: z.optional(z.string()),
    name: z.optional(z.string()),
    taught: z.optional(z.string()),
    value: z.optional(z.string()),
    states: z.optional(z.string()),
    place: z.optional(z.string()),
    title: z.optional(z.string()),
    focus: z.optional(z.string()),
  });

const controlFields = () => ({
  i: z.number(),
  r: z.string(),
  t: z.optional(z.string()),
  n: z.optional(z.string()),
  v: z.optional(z.string()),
  x: z.optional(z.array(z.string())),
  b: z.optional(box()),
  w: z.number(),
});

/** One change, with the keys of a read; docs/tools.md lists them. */
const lineOutput = () =>
  titled(
    "Change",
    z.union([
      z.strictObject({ kind: z.literal("start"), reason: startReason() }),
      z.strictObject({ kind: z.literal("note"), w: z.number(), code: z.string(), text: z.string() }),
      z.strictObject({ kind: z.literal("token"), token: z.string(), ts: z.number() }),
      z.strictObject({
        kind: z.literal("window"),
        what: z.enum(["opened", "closed", "changed", "focused"]),
        w: z.number(),
        app: z.string(),
        title: z.string(),
        place: z.optional(z.string()),
        x: z.optional(z.array(z.string())),
        was: z.optional(was()),
      }),
      z.strictObject({
        kind: z.enum(["appeared", "moved"]),
        ...controlFields(),
        in: z.optional(z.number()),
        after: z.optional(z.number()),
      }),
      z.strictObject({ kind: z.literal("changed"), ...controlFields(), was: was() }),
      z.strictObject({ kind: z.enum(["gone", "emptied", "focus"]), ...controlFields() }),
    ]),
  );

type LineData = DataOf<typeof lineOutput>;

export const changesOutput = () =>
  z.strictObject({
    ts: z.number(),
    space: z.optional(space()),
    changes: z.array(lineOutput()),
    token: z.optional(z.string()),
  });

export type ChangesData = DataOf<typeof changesOutput>;

export function lineToJson(line: ChangeLine): string {
  return stringify(lineToData(line), false);
}

function lineToData(line: ChangeLine): LineData {
  switch (line.kind) {
    case "start":
      return { kind: line.kind, reason: line.reason };
    case "note":
      return { kind: line.kind, w: line.window, code: line.code, text: line.text };
    case "token":
      return { kind: line.kind, token: line.token, ts: line.atMs / 1000 };
    case "window": {
      const { kind, what, window, app, title, place, states, was } = line;
      return { kind, what, w: window, app, title, place, x: states, was };
    }
    case "appeared":
    case "moved":
      return { kind: line.kind, ...controlToData(line), in: line.in, after: line.after };
    case "changed": {
      const { kind, value = "", was } = line;
      if (was.value === undefined) return { kind, ...controlToData(line), was };
      const [then, now] = showAround(was.value, value, maxTextLength);
      return { kind, ...controlToData(line), v: now, was: { ...was, value: then } };
    }
    case "gone":
    case "emptied":
    case "focus":
      return { kind: line.kind, ...controlToData(line) };
  }
}

function controlToData({ id, role, name, window, taught, value, states, bounds }: ChangedControl) {
  return {
    i: id,
    r: shortRole(role),
    t: name === "" ? undefined : shorten(name, maxTextLength),
    n: taught === undefined ? undefined : shorten(taught, maxTextLength),
    v: value === undefined ? undefined : cutValue(role, value, maxTextLength),
    x: states,
    b: bounds,
    w: window,
  };
}

const maxValueLength = 200;
const maxShownValue = 80;

export const startWords: Readonly<Record<StartReason, string>> = {
  first: "everything that is there",
  expired: "everything: the token has expired",
  restarted: "everything: the token is of a process that remembers no more",
  "other-selection": "everything: the token is of another selection",
};

/**
 * Changes as text, one line each: + appeared, - gone, ~ changed, > moved. A line with the window's name precedes changes of
 * another window than before. The names of windows are kept for later batches of the same reader.
 */
export class ChangeText {
  private readonly names = new Map<number, string>();
  private window: number | undefined;

  constructor(names: readonly WindowName[] = []) {
    for (const one of names) this.name(one);
  }

  /** Without tokens, which are for programs. */
  show(lines: readonly ChangeLine[]): string[] {
    const depths = new Map<string, number>();
    for (const line of lines) if (line.kind === "token") for (const one of line.names ?? []) this.name(one);
    return lines.flatMap((line) => {
      if (line.kind === "token") return [];
      if (line.kind === "start") return [`! ${startWords[line.reason]}`];
      if (line.kind === "window") return [this.showWindow(line)];
      const told = line.kind === "note" ? `! ${line.code} ${cleanLine(line.text)}` : showControl(line, depths);
      return [...this.enter(line.window), told];
    });
  }

  private showWindow(line: Extract<ChangeLine, { kind: "window" }>): string {
    const { what, window, title, was = {}, place, states } = line;
    const name = this.name(line);
    this.window = what === "closed" ? undefined : window;
    const now = { title, place, states: states?.join(" "), focus: "" };
    const facts = Object.entries(was).map(([aspect, then]) => showDifference(aspect, then, Reflect.get(now, aspect)));
    return `${windowSigns[what]} ${window} ${name}${facts.join(",")}`;
  }

  private enter(window: number): string[] {
    if (window === this.window) return [];
    this.window = window;
    return [`# ${this.names.get(window) ?? window}`];
  }

  private name({ window, app, title }: WindowName): string {
    const name = nameWindow({ app, title });
    this.names.set(window, name);
    return name;
  }
}

const windowSigns = { opened: "+ window", closed: "- window", changed: "~ window", focused: "focus window" } as const;

type ControlLine = Extract<ChangeLine, { kind: "appeared" | "moved" | "gone" | "emptied" | "changed" | "focus" }>;

function showControl(line: ControlLine, depths: Map<string, number>): string {
  const { id, role, name: label } = line;
  const name = `${id} ${nameControl({ mark: 0, role, name: label })}`;
  switch (line.kind) {
    case "appeared": {
      const outer = depths.get(`${line.window} ${line.in}`);
      const depth = outer === undefined ? 0 : outer + 1;
      depths.set(`${line.window} ${line.id}`, depth);
      const where = outer === undefined && line.in !== undefined ? ` in ${line.in}` : "";
      return `+ ${" ".repeat(depth)}${name}${describeContent(line)}${where}`;
    }
    case "moved":
      return `> ${name}${line.in === undefined ? "" : ` in ${line.in}`}${line.after === undefined ? "" : ` after ${line.after}`}`;
    case "gone":
      return `- ${name}`;
    case "emptied":
      return `- all in ${name}`;
    case "focus":
      return `focus ${name}`;
    case "changed": {
      const { taught, value, states, bounds } = line;
      const now = { role, name: label, taught, value, states: states?.join(" "), place: bounds?.join(",") };
      const facts = Object.entries(line.was).map(([aspect, then]) =>
        showDifference(aspect, then, Reflect.get(now, aspect)),
      );
      return `~ ${name}${facts.join(",")}`;
    }
  }
}

function describeContent({ role, name, taught, value = "", states = [], bounds }: ChangedControl): string {
  const shown = cutValue(role, value, maxValueLength);
  const held = shown === "" ? "" : `${name === "" ? " " : ""}=${quoteText(shown, maxValueLength)}`;
  const called = taught === undefined ? "" : ` taught ${quoteText(taught, maxNameLength)}`;
  const place = bounds === undefined ? "" : ` ${bounds.join(",")}`;
  return `${called}${held}${states.map((state) => ` ${state}`).join("")}${place}`;
}

function showDifference(what: string, then: string, now: unknown): string {
  const [before, after] = showAround(then, typeof now === "string" ? now : "", maxShownValue);
  return ` ${what} ${quoteText(before, maxShownValue)} → ${quoteText(after, maxShownValue)}`;
}

export interface ChangesValue {
  readonly lines: readonly ChangeLine[];
  readonly token: string | undefined;
  readonly atMs: number;
  /** Of windows that no line names. */
  readonly names: readonly WindowName[];
}

export const changesForms: Forms<ChangesValue, ChangesData> = {
  data({ lines, token, atMs }) {
    const changes = lines.filter(({ kind }) => kind !== "token").map(lineToData);
    const places = changes.flatMap((one) => [
      "b" in one ? one.b : undefined,
      "place" in one ? one.place : undefined,
      "was" in one ? one.was?.place : undefined,
    ]);
    const hasPlaces = places.some((place) => place !== undefined);
    return { ts: Math.floor(atMs / 1000), space: hasPlaces ? screenSpace : undefined, changes, token };
  },
  text({ lines, token, names }) {
    const told = new ChangeText(names).show(lines);
    const whole = told.length === 0 ? ["nothing changed"] : told;
    return [...whole, ...(token === undefined ? [] : [`token ${token}`])].join("\n");
  },
  /** One row for each change; the columns are the keys of JSON. */
  csv({ lines }) {
    const rows = lines.map((line) => {
      const told: Record<string, unknown> = { ...lineToData(line) };
      return columns.map((column) => {
        const cell = told[column];
        if (cell === undefined) return "";
        return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
      });
    });
    return joinRows(columns.join(","), rows);
  },
};

const columns = ["kind", "what", "w", "i", "r", "t", "v", "x", "in", "after", "was", "app", "title", "code", "text"];

const shownBefore = 20;

/** Cuts two long texts so that the place where they begin to differ is shown. */
export function showAround(before: string, after: string, maxLength: number): readonly [string, string] {
  const isLong = before.length > maxLength || after.length > maxLength;
  const start = isLong ? Math.max(0, countCommon(before, after) - shownBefore) : 0;
  const cut = (text: string): string => shorten(start === 0 ? text : `…${text.slice(start)}`, maxLength);
  return [cut(before), cut(after)];
}

/** The length of the common start, which does not end within a surrogate pair. */
function countCommon(before: string, after: string): number {
  const most = Math.min(before.length, after.length);
  let count = 0;
  while (count < most && before.charCodeAt(count) === after.charCodeAt(count)) count += 1;
  const last = before.charCodeAt(count - 1);
  return last >= 0xd800 && last <= 0xdbff ? count - 1 : count;
}
