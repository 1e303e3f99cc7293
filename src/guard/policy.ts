import type { Window } from "../model/window.ts";

/**
 * What an application is to Deskmap:
 *
 *   blind      never looked at, never touched, never remembered
 *   hands-off  read, not controlled
 *   normal     read and controlled
 */
export const standings = ["blind", "hands-off", "normal"] as const;
export type Standing = (typeof standings)[number];

export const decisions = ["allow", "ask", "deny"] as const;
export type Decision = (typeof decisions)[number];

/** What makes an action one that a person should know of first. */
export const dangers = [
  "delete",
  "send",
  "pay",
  "overwrite",
  "log-out",
  "shut-down",
  "install",
  "grant",
  "run-program",
  "end-program",
  "fill-secret",
] as const;
export type Danger = (typeof dangers)[number];

/**
 * The first rule that fits decides; a part that is left out fits all, but that what is sensitive is allowed only where
 * `actions` names it. Names may end in `*`.
 */
export interface Rule {
  readonly apps?: readonly string[] | undefined;
  readonly tools?: readonly string[] | undefined;
  readonly actions?: readonly Danger[] | undefined;
  readonly clients?: readonly string[] | undefined;
  readonly decision: Decision;
}

/** What may be done, by whom, to what. */
export interface Policy {
  /** Without a person's word; 0: as many as anybody likes. */
  readonly actionsPerMinute: number;
  readonly sensitive: Decision;
  readonly isReadOnly: boolean;
  /** By names of applications, in lower case. What is not named is normal. */
  readonly standings: ReadonlyMap<string, Standing>;
  readonly rules: readonly Rule[];
  /** Words that make a label a sensitive one, besides the built-in ones. */
  readonly words: Readonly<Partial<Record<Danger, readonly string[]>>>;
  /** Whether two Escapes stop everything. */
  readonly hasHotkey: boolean;
}

/** On a private desktop there is nothing of the user's. */
export const sandboxPolicy: Policy = {
  actionsPerMinute: 0,
  sensitive: "allow",
  isReadOnly: false,
  standings: new Map(),
  rules: [],
  words: {},
  hasHotkey: false,
};

/** Of the names by which an application may be known, the strictest standing counts. */
export function findStanding({ standings: known }: Policy, names: readonly string[]): Standing {
  const found = names.flatMap((name) => known.get(name.toLowerCase()) ?? []);
  return standings.find((standing) => found.includes(standing)) ?? "normal";
}

export function namesOf({ app, aliases, class: className }: Window): readonly string[] {
  return [app, ...aliases, className];
}

export function findWindowStanding(policy: Policy, window: Window): Standing {
  return findStanding(policy, namesOf(window));
}

export interface Case {
  readonly client: string;
  readonly tool: string;
  /** Every name of the application; empty where no application is concerned. */
  readonly apps: readonly string[];
  readonly dangers: readonly Danger[];
}

/** What the rules say of a case; where none fits, the default for what is sensitive. */
export function decide(policy: Policy, one: Case): Decision {
  const fitting = policy.rules.find((rule) => fits(rule, one));
  if (fitting !== undefined) return fitting.decision;
  return one.dangers.length > 0 ? policy.sensitive : "allow";
}

function fits({ apps, tools, actions, clients, decision }: Rule, one: Case): boolean {
  if (!isAmong(apps, one.apps) || !isAmong(tools, [one.tool]) || !isAmong(clients, [one.client])) return false;
  const isNamed = (danger: Danger): boolean => actions?.includes(danger) === true;
  if (decision === "allow") return actions === undefined ? one.dangers.length === 0 : one.dangers.every(isNamed);
  return actions === undefined || one.dangers.some(isNamed);
}

function isAmong(patterns: readonly string[] | undefined, names: readonly string[]): boolean {
  return patterns === undefined || names.some((name) => patterns.some((pattern) => matches(pattern, name)));
}

function matches(pattern: string, name: string): boolean {
  const [wanted, given] = [pattern.toLowerCase(), name.toLowerCase()];
  return wanted.endsWith("*") ? given.startsWith(wanted.slice(0, -1)) : given === wanted;
}
