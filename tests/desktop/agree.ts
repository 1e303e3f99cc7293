import { type Element, flatten } from "../../src/model/element.ts";
import { cleanText } from "../../src/model/plain-text.ts";
import { openPlatform } from "../../src/platform/pick.ts";
import type { Scene } from "./scene.ts";

/** One showing element as pyatspi reports it. */
export interface Seen {
  readonly path: string;
  readonly role: string;
  readonly name: string;
  readonly states: readonly string[];
  readonly extents: readonly [number, number, number, number] | null;
  readonly actions: readonly string[] | null;
  readonly text: string | null;
  readonly value: number | null;
}

export interface Case {
  readonly toolkit: string;
  readonly command: readonly [string, ...string[]];
  readonly title: string;
  /** The state that means "on the screen" in this toolkit. */
  readonly walk: readonly string[];
  /** Names to ignore: class names that the toolkit makes up. */
  readonly isMadeUp?: (name: string, role: string) => boolean;
  /** Set if the toolkit measures from the window and pyatspi passes that on; clicks then prove the bounds. */
  readonly measuresFromWindow?: boolean;
  readonly leastElements: number;
}

/** Reads the only window, once: toolkits differ most in their first answers. */
export async function readFirst(scene: Scene): Promise<{ elements: Map<string, Element>; pid: number }> {
  const platform = await openPlatform({ env: scene.sandbox.env, timeoutMs: 5000 });
  if (!platform.ok) throw new Error(platform.failure.message);
  try {
    const list = await platform.value.listWindows();
    if (!list.ok) throw new Error(list.failure.message);
    const { windows } = list.value;
    const reads = await platform.value.readWindows({ windows, includeHidden: false, timeoutMs: 5000 });
    const root = reads.ok ? reads.value[0]?.root : undefined;
    if (root === undefined) throw new Error(JSON.stringify(reads));
    return {
      elements: new Map(flatten([root]).map((element) => [pathOf(element), element])),
      pid: windows[0]?.pid ?? 0,
    };
  } finally {
    platform.value.close();
  }
}

function pathOf(element: Element): string {
  return element.handle.slice(element.handle.indexOf("/"));
}

/** Every difference as text; empty if they agree. */
export function compare(one: Case, elements: ReadonlyMap<string, Element>, seen: readonly Seen[]): string[] {
  const differences: string[] = [];
  const paths = new Set(seen.map(({ path }) => path));
  for (const [path, { platformRole, name }] of elements) {
    if (!paths.has(path)) differences.push(`${platformRole} "${name}": not showing, pyatspi says`);
  }
  for (const theirs of seen) {
    const ours = elements.get(theirs.path);
    const label = `${theirs.role} "${theirs.name}"`;
    const differ = (what: string, mine: unknown, others: unknown): void => {
      differences.push(`${label}: ${what} is ${JSON.stringify(mine)}, pyatspi says ${JSON.stringify(others)}`);
    };
    if (ours === undefined) {
      if (isInView(theirs, seen)) differences.push(`${label}: missing`);
      continue;
    }
    if (ours.platformRole !== theirs.role) differ("role", ours.platformRole, theirs.role);
    // Chromium later appends memory usage to the name of a tab.
    const name = cleanText(theirs.name, 1000).replace(/ - Memory usage - [\d.,]+ [KMG]?B$/, "");
    const half = name.slice(0, (name.length - 1) / 2);
    const isMadeUp = one.isMadeUp?.(name, theirs.role) === true || name === `${half} ${half}`;
    // By the web's naming rules, a field's text is part of its label's name; Deskmap removes it.
    const holdsValue = one.toolkit === "Firefox" && theirs.role === "label" && name === `${ours.ownName} bob`;
    if (ours.ownName !== name && !isMadeUp && !holdsValue) differ("name", ours.ownName, name);
    if (isMadeUp && ours.ownName !== "" && ours.ownName !== half && !/^[A-Z]/.test(half))
      differ("name", ours.ownName, half);
    if (!one.measuresFromWindow && isReal(theirs.extents)) {
      const { x, y, width, height } = ours.bounds ?? { x: NaN, y: NaN, width: NaN, height: NaN };
      if (JSON.stringify([x, y, width, height]) !== JSON.stringify(theirs.extents))
        differ("bounds", [x, y, width, height], theirs.extents);
    }
    // Every GTK 4 label has the clipboard actions; they are not queried.
    const isIdle = one.measuresFromWindow === true && theirs.role === "label";
    if (theirs.actions !== null && !isIdle && JSON.stringify(ours.platformActions) !== JSON.stringify(theirs.actions)) {
      differ("actions", ours.platformActions, theirs.actions);
    }
    for (const state of ["focused", "selected", "checked", "editable", "expanded", "focusable", "pressed"] as const) {
      if (ours.states.has(state) !== theirs.states.includes(state))
        differ(state, ours.states.has(state), theirs.states.includes(state));
    }
    const isUsable = theirs.states.includes("enabled") || theirs.states.includes("sensitive");
    const isControl =
      ours.role === "button" || ours.role === "menuitem" || ours.role === "checkbox" || ours.role === "input";
    if (isControl && ours.states.has("disabled") === isUsable) differ("disabled", !isUsable, theirs.states);
    if (
      theirs.states.includes("editable") &&
      theirs.role !== "password text" &&
      ours.value !== cleanText(theirs.text ?? "", 2000)
    ) {
      differ("value", ours.value, theirs.text);
    }
    if (ours.role === "slider" && Number(ours.value) !== theirs.value) differ("value", ours.value, theirs.value);
    if (ours.states.has("secret") && ours.value !== "") differ("value of a secret field", "some", "");
  }
  return differences;
}

function isReal(extents: Seen["extents"]): extents is [number, number, number, number] {
  return extents !== null && extents[2] > 0 && extents[3] > 0 && Math.abs(extents[0]) < 100_000;
}

/** Inside the first window's box: some toolkits call content that is scrolled out of view "showing". */
function isInView(theirs: Seen, seen: readonly Seen[]): boolean {
  const frame = seen[0]?.extents;
  if (!isReal(theirs.extents) || !frame || !isReal(frame)) return false;
  const [x, y, width, height] = theirs.extents;
  return x < frame[0] + frame[2] && y < frame[1] + frame[3] && x + width > frame[0] && y + height > frame[1];
}
