import { roles, shortRole } from "../model/role.ts";

/** One control, as it was when it was read. */
export interface Control {
  /** Means this control in every later call, also after its application was restarted, or nothing. */
  readonly mark: number;
  /** button, input, link, checkbox, …: docs/tools.md lists them. */
  readonly role: string;
  readonly name: string;
  /** What a person taught to call it. */
  readonly taught?: string;
  /** The text of a field, the number of a slider, checked, unchecked or mixed. */
  readonly value: string;
  readonly description: string;
  /** In physical pixels of the screen. */
  readonly bounds?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly point?: { readonly x: number; readonly y: number };
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
  /** Why it is less than the whole truth; empty where it is all. */
  readonly notes: readonly { readonly code: string; readonly text: string }[];
  readonly controls: readonly Control[];
}

export interface WindowInfo {
  readonly app: string;
  readonly pid: number;
  readonly title: string;
  readonly id: number;
  readonly bounds: readonly [number, number, number, number];
  readonly focused: boolean;
  readonly class: string;
  readonly state: readonly string[];
  readonly monitor: string;
  readonly z: number;
}

export interface ApplicationInfo {
  readonly app: string;
  readonly pid: number;
  readonly windows: number;
  readonly focused: boolean;
  /** Whether it offers an accessibility tree. */
  readonly tree: boolean;
}

/** A difference of one control: what it was, and what it is. */
type Was = readonly [string, string];

interface BriefControl {
  readonly i?: number;
  readonly r: string;
  readonly t?: string;
  readonly v?: string;
}

/** What an action did, as it was observed. */
export interface Effect {
  readonly effect: "confirmed" | "partial" | "unverified" | "no-change" | "wrong-target" | "refused";
  readonly did: string;
  readonly target: unknown;
  /** How it was done. */
  readonly way: string;
  readonly evidence?: readonly string[];
  readonly changes?: {
    readonly openedWindows?: readonly Pick<WindowInfo, "id" | "app" | "title">[];
    readonly closedWindows?: readonly Pick<WindowInfo, "id" | "app" | "title">[];
    readonly appeared?: readonly (BriefControl & { readonly c?: readonly BriefControl[] })[];
    readonly gone?: readonly BriefControl[];
    readonly changed?: readonly (BriefControl & { readonly [what: string]: Was | string | number | undefined })[];
    readonly leftOut?: number;
  };
  readonly delivered: boolean;
  /** Whether doing it once more can do no harm. */
  readonly retry: "safe" | "unsafe";
}

/** A control as the tools write it (docs/tools.md lists the keys). */
interface ShortControl {
  readonly i: number;
  readonly r: string;
  readonly t?: string;
  readonly n?: string;
  readonly v?: string;
  readonly d?: string;
  readonly b?: readonly [number, number, number, number];
  readonly p?: readonly [number, number];
  readonly f?: boolean;
  readonly e?: boolean;
  readonly s?: boolean;
  readonly x?: readonly string[];
  readonly a?: readonly string[];
  readonly k?: string;
  readonly c?: readonly ShortControl[];
}

const longRoles = new Map<string, string>(roles.map((role) => [shortRole(role), role]));

export function toControl(short: ShortControl): Control {
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

interface ShortWindow {
  readonly app: string;
  readonly pid: number;
  readonly window: string;
  readonly id: number;
  readonly notes?: WindowContent["notes"];
  readonly elements: readonly ShortControl[];
}

/** One window stands alone in what `read` answers; several are in a list. */
export type ReadAnswer = ShortWindow | { readonly windows: readonly ShortWindow[] };

export function toWindows(answer: ReadAnswer): WindowContent[] {
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
