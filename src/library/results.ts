import type { Bounds, Point } from "../model/bounds.ts";
import { roles, shortRole } from "../model/role.ts";
import type { ElementData } from "../show/element.ts";
import type { ViewData } from "../show/view.ts";

/** One control, as it was when it was read. */
export interface Control {
  /** Names this control in later calls, also after a restart of its application. */
  readonly mark: number;
  /** button, input, link, checkbox, …: docs/tools.md lists them. */
  readonly role: string;
  readonly name: string;
  /** The taught name. */
  readonly taught?: string;
  /** The text of a field, the number of a slider, checked, unchecked or mixed. */
  readonly value: string;
  readonly description: string;
  /** In physical pixels of the screen. */
  readonly bounds?: Bounds;
  readonly point?: Point;
  readonly states: ReadonlySet<string>;
  readonly actions: readonly string[];
  readonly shortcut: string;
  readonly children: readonly Control[];
}

/** What was read of one window. */
export interface WindowContent {
  readonly app: string;
  readonly pid: number;
  readonly title: string;
  readonly id: number;
  /** Why the read is incomplete; empty if it is complete. */
  readonly notes: readonly { readonly code: string; readonly text: string }[];
  readonly controls: readonly Control[];
}

const longRoles = new Map<string, string>(roles.map((role) => [shortRole(role), role]));

/** Converts the short keys of the tools (docs/tools.md) to plain names. */
export function toControl(short: ElementData): Control {
  const { i, r, t = "", n, v = "", d = "", b, p, f, e, s, x = [], a = [], k = "", c = [] } = short;
  const states = new Set(x);
  if (f === true) states.add("focused");
  if (e === false) states.add("disabled");
  if (s === true) states.add("selected");
  if (v === "checked" || v === "mixed") states.add(v);
  return {
    mark: i,
    role: longRoles.get(r) ?? r,
    name: t,
    ...(n === undefined ? {} : { taught: n }),
    value: v,
    description: d,
    ...(b === undefined ? {} : { bounds: { x: b[0], y: b[1], width: b[2], height: b[3] } }),
    ...(p === undefined ? {} : { point: { x: p[0], y: p[1] } }),
    states,
    actions: a,
    shortcut: k,
    children: c.map(toControl),
  };
}

/** `read` answers with one window itself, or with a list of several. */
export function toWindows(answer: ViewData): WindowContent[] {
  const all = "windows" in answer ? answer.windows : [answer];
  return all.map(({ app, pid, window, id, notes = [], elements }) => ({
    app,
    pid,
    title: window,
    id,
    notes,
    controls: elements.map(toControl),
  }));
}
