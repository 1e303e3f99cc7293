import type { Window } from "../../model/window.ts";

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
  "unseen",
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

/** Why an application stands as it does: the entry that decides, where there is one. */
export interface Stand {
  readonly standing: Standing;
  /** As it is written in the lists or in the policy. */
  readonly entry: string | undefined;
}

/** What is said of the applications that nothing else names. */
export const everyOther = "*";

/**
 * Of the names by which an application may be known, the strictest standing counts: a window says itself what its class
 * is. For each name the entry that is most like it counts, itself before one that ends in `*`.
 */
export function findStand({ standings: known }: Pick<Policy, "standings">, names: readonly string[]): Stand {
  const found = names.flatMap((name) => findEntry(known, name.toLowerCase()) ?? []);
  for (const standing of standings) {
    const stand = found.find((one) => one.standing === standing);
    if (stand !== undefined) return stand;
  }
  const other = names.length === 0 ? undefined : known.get(everyOther);
  return other === undefined ? { standing: "normal", entry: undefined } : { standing: other, entry: everyOther };
}

function findEntry(known: Policy["standings"], name: string): Stand | undefined {
  const exact = known.get(name);
  if (exact !== undefined) return { standing: exact, entry: name };
  const fitting = listPatterns(known).find(({ entry }) => matches(entry, name));
  return fitting && { standing: fitting.standing, entry: fitting.entry };
}

interface Pattern {
  readonly entry: string;
  readonly standing: Standing;
}

/** Every window is asked for by several names, and the lists are long. */
const patterns = new WeakMap<Policy["standings"], readonly Pattern[]>();

/** The entries that end in `*`, the longest first. */
function listPatterns(known: Policy["standings"]): readonly Pattern[] {
  const listed =
    patterns.get(known) ??
    [...known]
      .filter(([entry]) => entry.endsWith("*") && entry !== everyOther)
      .map(([entry, standing]) => ({ entry, standing }))
      .sort((one, other) => other.entry.length - one.entry.length);
  patterns.set(known, listed);
  return listed;
}

export function findStanding(policy: Pick<Policy, "standings">, names: readonly string[]): Standing {
  return findStand(policy, names).standing;
}

export function namesOf({ app, aliases, class: className }: Window): readonly string[] {
  return [app, ...aliases, className].filter((name) => name !== "");
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

/** The strictest of what is decided of the several applications that one command reaches. */
export function decideAll(policy: Policy, cases: readonly Case[]): Decision {
  const made = cases.map((one) => decide(policy, one));
  return strictest.find((decision) => made.includes(decision)) ?? "allow";
}

const strictest: readonly Decision[] = ["deny", "ask", "allow"];

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

/** Whether a name is meant by one that may end in `*`. */
export function matches(pattern: string, name: string): boolean {
  const [wanted, given] = [pattern.toLowerCase(), name.toLowerCase()];
  return wanted.endsWith("*") ? given.startsWith(wanted.slice(0, -1)) : given === wanted;
}
