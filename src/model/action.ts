/** What can be done with an element, in the platform-neutral words of the CLI. */
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

/** Which of the platform's own actions does what. */
export type Invocations = Readonly<Partial<Record<Action, string>>>;
