/** What can be done with an element, in platform-neutral terms. */
const actions = [
  "press",
  "toggle",
  "expand",
  "pick",
  "select",
  "set",
  "increment",
  "decrement",
  "scroll",
  "cancel",
  "menu",
  "focus",
] as const;

export type Action = (typeof actions)[number];

export type Invocations = Readonly<Partial<Record<Action, string>>>;
