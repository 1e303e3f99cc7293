import type { Template } from "./templates.ts";

/** The kinds of requests, in the order in which they are tried: the special ones first. */
export const intents = [
  ...(["stop", "repeat", "help", "numbersOn", "numbersOff", "undo", "redo"] as const),
  ...(["where", "screen", "changed", "actions", "how", "state"] as const),
  ...(["readThis", "readDialog", "readSelection", "readLine", "readLineAt", "readText", "readWindow"] as const),
  ...(["copy", "cut", "paste", "selectAll", "save"] as const),
  ...(["nextTab", "previousTab", "next", "previous"] as const),
  ...(["scrollEnd", "scrollStart", "scroll", "goTab", "goHeading"] as const),
  ...(["minimize", "maximize", "restore", "fullscreen", "closeTab", "close"] as const),
  ...(["clear", "set", "type", "choose", "check", "uncheck", "expand", "collapse"] as const),
  ...(["keySaid", "key", "twice", "right", "switch", "launch", "open", "focus", "press", "read", "number"] as const),
] as const;

export type Intent = (typeof intents)[number];

/** The words of one language. Everything that differs between languages is here. */
export interface Language {
  readonly code: string;
  /** What is said around a request and means nothing, at its beginning and at its end. */
  readonly before: readonly Template[];
  readonly after: readonly Template[];
  /** Words that are replaced first, wherever they stand. */
  readonly spelling: Readonly<Record<string, string>>;
  readonly templates: Readonly<Record<Intent, readonly Template[]>>;
  readonly articles: readonly string[];
  /** Words that stand for something said before: no control is called so. */
  readonly pronouns: readonly string[];
  /** What signs are called. */
  readonly signs: Readonly<Record<string, readonly string[]>>;
  /** What the controls are called that do the same as a key. */
  readonly commands: Readonly<Record<"undo" | "redo" | "copy" | "cut" | "paste" | "save", string>>;
  /** Nouns after or before a name, and the role that they mean; longer ones first where one ends with another. */
  readonly roles: Readonly<Record<string, string>>;
  /** Between a noun and its name: the button called Save. */
  readonly called: readonly string[];
  /** Between a control and what it is in. */
  readonly inside: readonly string[];
  /** What takes the only choice that was offered. */
  readonly yes: readonly string[];
  readonly ordinals: Readonly<Record<string, number>>;
  /** Before a mark: number 14. */
  readonly numberWords: readonly string[];
  readonly numbers: (text: string) => number | undefined;
  readonly directions: Readonly<Record<string, "up" | "down" | "left" | "right">>;
  readonly keys: Readonly<Record<string, string>>;
  readonly phrases: Phrases;
}

/** What the assistant says. `{0}`, `{1}` are replaced. */
export interface Phrases {
  readonly done: Readonly<Record<string, string>>;
  readonly opened: string;
  readonly closed: string;
  readonly nowHas: string;
  readonly isNow: string;
  readonly states: Readonly<Record<string, string>>;
  readonly unverified: string;
  readonly noChange: string;
  readonly partly: string;
  readonly wrongTarget: string;
  readonly notUnderstood: string;
  readonly needsModel: string;
  readonly notFound: string;
  readonly which: string;
  readonly didYouMean: string;
  readonly orElse: string;
  readonly orLaunch: string;
  readonly orKey: string;
  readonly refused: string;
  readonly failed: string;
  readonly window: string;
  readonly noWindow: string;
  readonly focusOn: string;
  readonly noFocus: string;
  readonly holds: string;
  readonly canDo: string;
  readonly also: string;
  readonly nothingChanged: string;
  readonly byKeys: string;
  readonly byTabs: string;
  readonly byMark: string;
  readonly nothingSelected: string;
  readonly noDialog: string;
  readonly noText: string;
  readonly secret: string;
  readonly atEnd: string;
  readonly noLine: string;
  readonly numbersOn: string;
  readonly numbersOff: string;
  readonly nothingToRepeat: string;
  readonly stopped: string;
  readonly couldBe: string;
  readonly help: string;
  readonly roles: Readonly<Record<string, string>>;
}
