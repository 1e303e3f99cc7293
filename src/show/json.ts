import { flatten } from "../model/element.ts";
import { escapeUnprintable, shorten } from "../model/plain-text.ts";
import { type Role, shortRole } from "../model/role.ts";
import { type State, shownStates } from "../model/state.ts";
import type { MarkedElement, View, WindowView } from "../model/view.ts";
import type { Application, Window } from "../model/window.ts";
import { cutValue } from "./cut-value.ts";

interface ElementOptions {
  readonly withPoints: boolean;
}

export interface JsonOptions extends ElementOptions {
  /** A flat list with only what names an element and what it holds. */
  readonly isCompact: boolean;
  readonly isPretty: boolean;
}

const maxTextLength = 500;

/** Short keys; what has its ordinary value is left out. docs/tools.md lists them. */
export interface JsonElement {
  i: number;
  r: string;
  t?: string;
  /** What a person taught to call it. */
  n?: string;
  v?: string;
  d?: string;
  b?: [number, number, number, number];
  p?: [number, number];
  f?: true;
  e?: false;
  s?: true;
  x?: readonly State[];
  a?: readonly string[];
  k?: string;
  c?: JsonElement[];
}

export function viewToJson(view: View, options: JsonOptions): string {
  const seconds = Math.floor(view.takenAtMs / 1000);
  const windows = view.windows.map((window) => windowToJson(window, options));
  const [only] = windows;
  const whole =
    windows.length === 1 && only
      ? { ...only.head, ts: seconds, ...only.body }
      : { ts: seconds, windows: windows.map(joinParts) };
  return stringify(whole, options.isPretty);
}

function joinParts({ head, body }: ReturnType<typeof windowToJson>) {
  return { ...head, ...body };
}

function windowToJson({ window, notes, elements }: WindowView, options: JsonOptions) {
  const list = options.isCompact
    ? flatten(elements).map((element) => compact(element, options))
    : elements.map((element) => elementToJson(element, options));
  const partial = notes.length === 0 ? {} : { partial: true, notes };
  return {
    head: { app: window.app, pid: window.pid, window: window.title, id: window.id },
    body: { ...partial, elements: list },
  };
}

/** One element with everything about it, and what it holds. */
export function elementToJson(element: MarkedElement, options: ElementOptions): JsonElement {
  const { bounds, states, description, actions, shortcut, children } = element;
  const json = compact(element, options);
  if (description !== "" && description !== element.name) json.d = shorten(description, maxTextLength);
  if (bounds !== undefined) json.b = [bounds.x, bounds.y, bounds.width, bounds.height];
  const others = otherStates.filter((state) => states.has(state));
  if (others.length > 0) json.x = others;
  if (actions.length > 0) json.a = actions;
  if (shortcut !== "") json.k = shortcut;
  if (children.length > 0) json.c = children.map((child) => elementToJson(child, options));
  return json;
}

function compact(element: MarkedElement, options: ElementOptions): JsonElement {
  const { states, clickPoint } = element;
  const json: JsonElement = { i: element.mark, r: shortRole(element.role) };
  if (element.name !== "") json.t = shorten(element.name, maxTextLength);
  if (element.taught !== undefined) json.n = shorten(element.taught, maxTextLength);
  const value = jsonValueOf(element);
  if (value !== "") json.v = cutValue(element.role, value, maxTextLength);
  if (options.withPoints && clickPoint !== undefined) json.p = [clickPoint.x, clickPoint.y];
  if (states.has("focused")) json.f = true;
  if (states.has("disabled")) json.e = false;
  if (states.has("selected")) json.s = true;
  return json;
}

/** States that stand under a key of their own, or in the value. */
const keyedStates: ReadonlySet<State> = new Set<State>(["focused", "disabled", "selected", "checked", "mixed"]);
export const otherStates = shownStates.filter((state) => !keyedStates.has(state));

function isOnOrOff(role: Role): boolean {
  return role === "checkbox" || role === "radio" || role === "switch";
}

/** A check box's state is its value. */
export function jsonValueOf(element: MarkedElement): string {
  if (element.value !== "") return element.value;
  if (element.states.has("mixed")) return "mixed";
  if (element.states.has("checked")) return "checked";
  return element.states.has("checkable") || isOnOrOff(element.role) ? "unchecked" : "";
}

export function windowsToJson(windows: readonly Window[], isPretty: boolean): string {
  const list = windows.map(({ app, pid, title, id, bounds, isFocused, class: className, state, monitor, zOrder }) => ({
    app,
    pid,
    title,
    id,
    bounds: [bounds.x, bounds.y, bounds.width, bounds.height],
    focused: isFocused,
    class: className,
    state,
    monitor,
    z: zOrder,
  }));
  return stringify(list, isPretty);
}

export function applicationsToJson(applications: readonly Application[], isPretty: boolean): string {
  const list = applications.map(({ app, pid, windowCount, isFocused, hasTree }) => ({
    app,
    pid,
    windows: windowCount,
    focused: isFocused,
    tree: hasTree,
  }));
  return stringify(list, isPretty);
}

/** JSON leaves much as it is that would act on a terminal or could not be seen: that is escaped, and stays exact. */
export function stringify(value: unknown, isPretty: boolean): string {
  return escapeUnprintable(isPretty ? JSON.stringify(value, undefined, 2) : JSON.stringify(value));
}
