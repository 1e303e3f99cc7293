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

/** The states shown in text output; the others follow from role or actions. */
export const shownStates: readonly State[] = [
  "focused",
  "disabled",
  "selected",
  "checked",
  "mixed",
  "pressed",
  "expanded",
  "collapsed",
  "readonly",
  "required",
  "invalid",
  "busy",
  "modal",
  "default",
  "hidden",
  "secret",
];
