/** What can be true of an element besides its role, name and value. Each is absent in the ordinary case. */
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
  /** Not on the screen: a closed menu, another tab, scrolled away. */
  "hidden",
  /** Its text is secret and was not read. */
  "secret",
] as const;

export type State = (typeof states)[number];

/** The states worth a word in the text form; the rest follow from the role or from what can be done. */
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
