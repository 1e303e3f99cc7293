interface Reaction {
  /** To keys and the pointer. */
  readonly input: number;
  /** To an action of an object. */
  readonly action: number;
}

const usual: Reaction = { input: 100, action: 100 };
/** A page has a process of its own, which answers no question. */
const browser: Reaction = { input: 200, action: 200 };
/** GTK 4 (pressesLate) and Qt 5.15 draw a button down, for 250 and 100 ms, before its action does anything. */
const byToolkit: Readonly<Record<string, Reaction>> = {
  Gecko: browser,
  Chromium: browser,
  GTK: { input: 25, action: 350 },
  Qt: { input: 25, action: 250 },
};

export function hasLateTitles(toolkit: string): boolean {
  return byToolkit[toolkit] === browser;
}

/** How many milliseconds a toolkit may take to begin to react, beyond the time it needs to answer a question. */
export function findReaction(toolkit: string, by: keyof Reaction): number {
  return ((Object.hasOwn(byToolkit, toolkit) ? byToolkit[toolkit] : undefined) ?? usual)[by];
}
