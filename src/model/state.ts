/** States of an element. All are absent in the ordinary case. */
const states = [
  "focused",
  "disabled",
  "selected",
  "checked",
  "mixed",
  "pressed",
  "expanded",
  "collapsed",
  "editable",
  "readonly",
  "required",
  "invalid",
  "busy",
  "modal",
  "active",
  "default",
  "visited",
  "multiline",
  "multiselect",
  "focusable",
  "selectable",
  "checkable",
  "haspopup",
  "horizontal",
  "vertical",
  /** Not on the screen: in a closed menu or another tab, or scrolled away. */
  "hidden",
  /** Its text is secret and was not read. */
  "secret",
] as const;

export type State = (typeof states)[number];

const known: ReadonlySet<string> = new Set(states);

export function isState(name: string): name is State {
  return known.has(name);
}

/** States that follow from role or actions; text output leaves them out. */
const implied: ReadonlySet<State> = new Set<State>([
  ...(["editable", "active", "visited", "multiline", "multiselect", "focusable", "selectable"] as const),
  ...(["checkable", "haspopup", "horizontal", "vertical"] as const),
]);

export const shownStates: readonly State[] = states.filter((state) => !implied.has(state));
