import { screenSpace } from "../model/bounds.ts";
import type { ChangedControl, ChangeLine, StartReason, WindowName } from "../model/change-line.ts";
import { cleanLine, quoteName, quoteText } from "../model/plain-text.ts";
import { shortRole } from "../model/role.ts";
import { type ChangesData, lineToData } from "./change-data.ts";
import { showAround } from "./changed-value.ts";
import { joinRows } from "./csv.ts";
import { cutValue } from "./cut-value.ts";
import type { Forms } from "./output.ts";
import { maxNameLength } from "./text.ts";

const maxValueLength = 200;
const maxShownValue = 80;

export const startWords: Readonly<Record<StartReason, string>> = {
  first: "everything that is there",
  expired: "everything: the token has expired",
  restarted: "everything: the token is of a process that remembers no more",
  "other-selection": "everything: the token is of another selection",
};

/**
 * Changes as text, a line each: + appeared, - gone, ~ changed, > moved. What is of another window than the line before it
 * stands below a line that names the window as a read does. One reader is told the name of a window once: it is kept here.
 */
export class ChangeText {
  private readonly names = new Map<number, string>();
  private window: number | undefined;

  constructor(names: readonly WindowName[] = []) {
    for (const one of names) this.name(one);
  }

  /** Without tokens: they are for programs. */
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
    const name = `${quoteName(app)} ${quoteText(title, maxNameLength)}`;
    this.names.set(window, name);
    return name;
  }
}

const windowSigns = { opened: "+ window", closed: "- window", changed: "~ window", focused: "focus window" } as const;

type ControlLine = Extract<ChangeLine, { kind: "appeared" | "moved" | "gone" | "emptied" | "changed" | "focus" }>;

function showControl(line: ControlLine, depths: Map<string, number>): string {
  const name = nameControl(line);
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
      const { role, name: words, taught, value, states, bounds } = line;
      const now = { role, name: words, taught, value, states: states?.join(" "), place: bounds?.join(",") };
      const facts = Object.entries(line.was).map(([aspect, then]) =>
        showDifference(aspect, then, Reflect.get(now, aspect)),
      );
      return `~ ${name}${facts.join(",")}`;
    }
  }
}

function nameControl({ id, role, name }: ChangedControl): string {
  return `${id} ${shortRole(role)}${name === "" ? "" : ` ${quoteText(name, maxNameLength)}`}`;
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

/** What changed, and the token that goes on after it. */
export interface ChangesValue {
  readonly lines: readonly ChangeLine[];
  readonly token: string | undefined;
  readonly atMs: number;
  /** Of windows that are named in no line. */
  readonly names: readonly WindowName[];
}

export const changesForms: Forms<ChangesValue, ChangesData> = {
  data({ lines, token, atMs }) {
    const changes = lines.filter(({ kind }) => kind !== "token").map(lineToData);
    const hasPlaces = changes.some(
      (one) => "b" in one || "place" in one || ("was" in one && one.was?.place !== undefined),
    );
    return {
      ts: Math.floor(atMs / 1000),
      ...(hasPlaces ? { space: screenSpace } : {}),
      changes,
      ...(token === undefined ? {} : { token }),
    };
  },
  text({ lines, token, names }) {
    const told = new ChangeText(names).show(lines);
    const whole = told.length === 0 ? ["nothing changed"] : told;
    return [...whole, ...(token === undefined ? [] : [`token ${token}`])].join("\n");
  },
  /** A row a change; the columns are the keys of JSON, but for what was before, which is one cell. */
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
