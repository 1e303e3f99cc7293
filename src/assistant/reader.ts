import { type Result, succeed } from "../model/failure.ts";
import { type Desk, flatten, isAbsence, type Match, nameOf, type SeenElement, type SeenWindow } from "./desk.ts";
import { quote, type Speaker } from "./say.ts";

type Control = Pick<Match, "i" | "r" | "t" | "n" | "v" | "source"> & Partial<Pick<Match, "k" | "in" | "s" | "x">>;

/** What can be used, by its short role. */
const usable: ReadonlySet<string> = new Set([
  ...[
    "btn",
    "lnk",
    "input",
    "chk",
    "radio",
    "tab",
    "menu",
    "menuitem",
    "select",
    "slider",
    "switch",
    "toggle",
    "spin",
    "option",
  ],
]);
const readable: ReadonlySet<string> = new Set(["txt", "heading"]);
/** What holds a text that somebody writes. */
const written: ReadonlySet<string> = new Set(["input", "doc", "term"]);
const maxNamed = 8;
const maxSpoken = 1500;

/** Answers questions about the screen, from what the tools read. */
export class Reader {
  private token: string | undefined;
  private line: { readonly mark: number; readonly at: number } | undefined;

  constructor(private readonly desk: Desk) {}

  async findFocused({ id }: SeenWindow): Promise<Result<SeenElement | undefined>> {
    const elements = await this.desk.read(id);
    return elements.ok ? succeed(elements.value.findLast(({ f }) => f === true)) : elements;
  }

  async read(what: unknown, window: SeenWindow, speaker: Speaker): Promise<Result<string>> {
    if (what === "dialog") return this.readDialog(window, speaker);
    if (what === "window") return this.readWindow(window.id);
    if (what === "text") return this.readMainText(window, speaker);
    const focused = await this.findFocused(window);
    if (!focused.ok) return focused;
    if (focused.value === undefined) return succeed(speaker.phrases.noFocus);
    if (what === "selection") return this.readSelection(focused.value, speaker);
    if (what === "line") return this.readLine(focused.value, speaker);
    return this.readControl(focused.value, speaker);
  }

  async readControl(control: Control, speaker: Speaker): Promise<Result<string>> {
    const name = speaker.name(control);
    const read = await this.readText(control.i, {});
    if (!read.ok) {
      if (read.failure.code === "REFUSED") return succeed(speaker.fill(speaker.phrases.secret, name));
      return isAbsence(read.failure) ? read : succeed(speaker.fill(speaker.phrases.noText, name));
    }
    const { text } = read.value;
    return succeed(text.trim() === "" ? speaker.fill(speaker.phrases.noText, name) : `${name}: ${cut(text)}`);
  }

  /** Whether it is checked, chosen or open, or what it is set to. */
  async tellState(control: Control, speaker: Speaker): Promise<Result<string>> {
    const { states, isNow } = speaker.phrases;
    const state = stateOf(control);
    if (state === undefined) return this.readControl(control, speaker);
    return succeed(speaker.fill(isNow, speaker.name(control), states[state] ?? quote(state)));
  }

  async readLineAt(at: number, window: SeenWindow, speaker: Speaker): Promise<Result<string>> {
    const main = await this.findMainText(window);
    if (!main.ok) return main;
    if (main.value === undefined) return succeed(speaker.phrases.noFocus);
    const read = await this.readText(main.value.i, {});
    if (!read.ok) return read;
    const lines = read.value.text.replace(/\n$/u, "").split("\n");
    const index = at < 0 ? lines.length + at : at - 1;
    const line = lines[index];
    if (line === undefined) return succeed(speaker.fill(speaker.phrases.noLine, String(at), String(lines.length)));
    this.line = { mark: main.value.i, at: index };
    return succeed(`${index + 1}: ${quote(line)}`);
  }

  /** The text that somebody is writing; else the window's document, or its longest text. */
  private async findMainText(window: SeenWindow): Promise<Result<SeenElement | undefined>> {
    const elements = await this.desk.read(window.id);
    if (!elements.ok) return elements;
    const texts = elements.value.filter(({ r }) => written.has(r));
    const [longest] = texts.toSorted((a, b) => (b.v ?? "").length - (a.v ?? "").length);
    return succeed(texts.findLast(({ f }) => f === true) ?? texts.find(({ r }) => r === "doc") ?? longest);
  }

  private async readMainText(window: SeenWindow, speaker: Speaker): Promise<Result<string>> {
    const main = await this.findMainText(window);
    if (!main.ok) return main;
    return main.value === undefined ? this.readWindow(window.id) : this.readControl(main.value, speaker);
  }

  async describe(of: string, window: SeenWindow, speaker: Speaker): Promise<Result<string>> {
    if (of === "changed") return this.describeChanges(window, speaker);
    const elements = await this.desk.read(window.id);
    if (!elements.ok) return elements;
    const { phrases } = speaker;
    const place = speaker.fill(phrases.window, quote(window.app), quote(window.title));
    const focused = elements.value.findLast(({ f }) => f === true);
    const focus =
      focused === undefined ? phrases.noFocus : speaker.fill(phrases.focusOn, describeState(focused, speaker));
    if (of === "where") return succeed(`${place} ${focus}`);
    const controls = elements.value.filter((one) => usable.has(one.r) && one.e !== false && nameOf(one) !== "");
    const names = controls.map((one) => speaker.name(one));
    const more = names.length > maxNamed ? speaker.fill(phrases.also, String(names.length - maxNamed)) : "";
    const list = `${names.slice(0, maxNamed).join(", ")}${more}`;
    if (of === "actions") return succeed(names.length === 0 ? place : speaker.fill(phrases.canDo, list));
    const texts = elements.value
      .filter(({ r, t }) => readable.has(r) && (t ?? "").length > 2)
      .map(({ t }) => quote(t ?? ""));
    const said = texts.slice(0, 3).join(" ");
    const holds = names.length === 0 ? "" : speaker.fill(phrases.holds, list);
    return succeed([place, said, holds, focus].filter((part) => part !== "").join(" "));
  }

  /** How the keyboard reaches a control: its shortcut, its menu, or how often Tab is pressed. */
  async explain(control: Control, window: SeenWindow, speaker: Speaker): Promise<Result<string>> {
    const { phrases } = speaker;
    const name = speaker.name(control);
    const mark = speaker.fill(phrases.byMark, String(control.i), name);
    if (control.k !== undefined) return succeed(`${speaker.fill(phrases.byKeys, control.k, name)} ${mark}`);
    const path = control.in?.filter((one) => one !== "") ?? [];
    const elements = await this.desk.read(window.id);
    if (!elements.ok) return elements;
    if (control.r === "menuitem" && path.length > 0) {
      return succeed(
        `${speaker.fill(phrases.byTabs, ["F10", ...path.slice(-2), nameOf(control)].map(quote).join(" → "), name)} ${mark}`,
      );
    }
    const stops = elements.value.filter(({ r }) => usable.has(r));
    const [from, to] = [stops.findIndex(({ f }) => f === true), stops.findIndex(({ i }) => i === control.i)];
    if (to < 0) return succeed(mark);
    const steps = from < 0 ? to + 1 : to - from;
    const keys = `${steps < 0 ? "Shift+Tab" : "Tab"} × ${Math.abs(steps)}`;
    return succeed(`${speaker.fill(phrases.byTabs, keys, name)} ${mark}`);
  }

  private async describeChanges({ id }: SeenWindow, speaker: Speaker): Promise<Result<string>> {
    const { phrases } = speaker;
    const since = this.token === undefined ? {} : { since: this.token };
    const asked = await this.desk.ask<{
      readonly token?: string;
      readonly changes?: readonly (Partial<SeenElement> & {
        readonly kind: string;
        readonly title?: string;
        readonly what?: string;
      })[];
    }>("read", { windowId: id, since: this.token ?? "new", ...since });
    if (!asked.ok) return asked;
    const { token, changes } = asked.value;
    this.token = token;
    const lines = (changes ?? []).flatMap((one) => {
      if (one.kind === "window" && one.what === "opened") return [speaker.fill(phrases.opened, quote(one.title ?? ""))];
      if (one.kind === "window" && one.what === "closed") return [speaker.fill(phrases.closed, quote(one.title ?? ""))];
      if ((one.kind === "appeared" || one.kind === "changed") && one.r !== undefined && nameOf(one) !== "")
        return [speaker.fill(phrases.isNow, speaker.name({ ...one, r: one.r }), quote(one.v ?? one.kind))];
      return [];
    });
    return succeed(lines.length === 0 ? phrases.nothingChanged : lines.slice(0, maxNamed).join(" "));
  }

  private async readDialog(window: SeenWindow, speaker: Speaker): Promise<Result<string>> {
    const elements = await this.desk.read(window.id);
    if (!elements.ok) return elements;
    const dialogs = elements.value.filter(({ r, x }) => r === "dialog" || x?.includes("modal") === true);
    if (dialogs.length === 0) return succeed(speaker.phrases.noDialog);
    const inside = flatten(dialogs);
    const all = inside.length > 0 ? inside : elements.value;
    const texts = all.filter(({ r }) => readable.has(r)).map(({ t }) => quote(t ?? ""));
    const buttons = all.filter(({ r }) => r === "btn").map((one) => nameOf(one));
    return succeed(
      [quote(window.title), ...texts, speaker.fill(speaker.phrases.canDo, buttons.map(quote).join(", "))].join(" "),
    );
  }

  private async readWindow(windowId: number): Promise<Result<string>> {
    const elements = await this.desk.read(windowId);
    if (!elements.ok) return elements;
    const said = elements.value.map((one) =>
      quote([nameOf(one), one.v].filter((part) => part !== undefined && part !== "").join(": ")),
    );
    return succeed(cut(dropRepeats(said).join("\n")));
  }

  private async readSelection(focused: SeenElement, speaker: Speaker): Promise<Result<string>> {
    const read = await this.readText(focused.i, { caret: true });
    if (!read.ok) return read;
    const { caret, text } = read.value;
    const selected = caret === undefined ? "" : text.slice(caret.start, caret.end);
    return succeed(selected === "" ? speaker.phrases.nothingSelected : cut(selected));
  }

  /** The line after the one that was read last, in the same control. */
  private async readLine(focused: SeenElement, speaker: Speaker): Promise<Result<string>> {
    const read = await this.readText(focused.i, {});
    if (!read.ok) return read;
    const lines = read.value.text.split("\n");
    const at = this.line?.mark === focused.i ? this.line.at + 1 : 0;
    this.line = { mark: focused.i, at };
    const line = lines[at];
    return succeed(line === undefined ? speaker.phrases.atEnd : `${at + 1}: ${quote(line)}`);
  }

  private readText(id: number, more: Readonly<Record<string, unknown>>) {
    return this.desk.ask<{ readonly text: string; readonly caret?: { readonly start: number; readonly end: number } }>(
      "text",
      {
        id,
        ...more,
      },
    );
  }
}

const checkable: ReadonlySet<string> = new Set(["chk", "radio", "switch", "toggle"]);

/** The word for a state, or a value; undefined if it has none. */
function stateOf({ r, v, s, x }: Control): string | undefined {
  if (v !== undefined && v !== "") return v;
  if (checkable.has(r)) return "unchecked";
  if (s === true) return "selected";
  return ["expanded", "collapsed", "pressed"].find((one) => x?.includes(one));
}

function describeState(one: SeenElement, speaker: Speaker): string {
  const value =
    one.v === undefined || one.v === nameOf(one) ? "" : `: ${quote(speaker.phrases.states[one.v] ?? one.v)}`;
  return `${speaker.name(one)}${value}`;
}

function cut(text: string): string {
  return text.length > maxSpoken ? `${text.slice(0, maxSpoken)}…` : text;
}

function dropRepeats(lines: readonly string[]): readonly string[] {
  return lines.filter((line, index) => line !== "" && line !== lines[index - 1]);
}
