import type { Window } from "../../model/window.ts";
import { isOwnWindow, ownFilesApp } from "../own-files.ts";

/**
 * What may be done with an application:
 *
 *   blind      never read, touched or remembered
 *   hands-off  read, not controlled
 *   normal     read and controlled
 */
export const standings = ["blind", "hands-off", "normal"] as const;
export type Standing = (typeof standings)[number];

export const decisions = ["allow", "ask", "deny"] as const;
export type Decision = (typeof decisions)[number];

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
  "disclose",
] as const;
export type Danger = (typeof dangers)[number];

/**
 * The first rule that matches decides. A part that is left out matches everything, except that sensitive actions are
 * allowed only if `actions` names them. Names may end in `*`.
 */
export interface Rule {
  readonly apps?: readonly string[] | undefined;
  readonly tools?: readonly string[] | undefined;
  readonly actions?: readonly Danger[] | undefined;
  readonly clients?: readonly string[] | undefined;
  readonly decision: Decision;
}

export interface Policy {
  /** Without approval; 0: no limit. */
  readonly actionsPerMinute: number;
  readonly sensitive: Decision;
  readonly isReadOnly: boolean;
  /** By names of applications, in lower case. Others are normal. */
  readonly standings: ReadonlyMap<string, Standing>;
  readonly rules: readonly Rule[];
  /** Words that make a label sensitive, in addition to the built-in ones. */
  readonly words: Readonly<Partial<Record<Danger, readonly string[]>>>;
  /** Names of applications that may be read, and are never sent to a model. A name may end in `*`. */
  readonly localOnly: readonly string[];
  /** Set for calls whose answers go to a model, and whose actions it proposed after reading applications. */
  readonly recipient?: RecipientView | undefined;
  /** Whether pressing Escape twice stops everything. */
  readonly hasHotkey: boolean;
  /** Of a client whose name is only claimed: everything that it could be by what the policy says of names. */
  readonly guises?: readonly Guise[] | undefined;
}

/** What the recipient of a call's answers may see. */
export interface RecipientView {
  readonly origin: string;
  /** Undefined: every application that is not local only. */
  readonly apps?: readonly string[] | undefined;
}

interface Guise {
  readonly client: string;
  readonly sensitive: Decision;
  readonly rules: readonly Rule[];
}

/** A private desktop contains nothing of the user's. */
export const sandboxPolicy: Policy = {
  actionsPerMinute: 0,
  sensitive: "allow",
  isReadOnly: false,
  standings: new Map(),
  rules: [],
  words: {},
  localOnly: [],
  hasHotkey: false,
};

export interface Stand {
  readonly standing: Standing;
  /** The entry of the lists or the policy that decides. */
  readonly entry: string | undefined;
  /** Whether only the recipient of this call must not see it. */
  readonly isWithheld?: true;
}

type Standings = Pick<Policy, "standings"> & Partial<Pick<Policy, "localOnly" | "recipient">>;

/** The entry for applications that no other entry names. */
const everyOther = "*";

/**
 * The strictest standing of an application's names, since a window chooses its own class. For each name the most specific
 * entry decides: the name itself before one that ends in `*`.
 */
export function findStand(policy: Standings, names: readonly string[]): Stand {
  const { standings: known, recipient } = policy;
  if (recipient !== undefined && isWithheld(policy, names)) {
    return { standing: "blind", entry: undefined, isWithheld: true };
  }
  const found = names.flatMap((name) => findEntry(known, name.toLowerCase()) ?? []);
  for (const standing of standings) {
    const stand = found.find((one) => one.standing === standing);
    if (stand !== undefined) return stand;
  }
  const other = names.length === 0 ? undefined : known.get(everyOther);
  return other === undefined ? { standing: "normal", entry: undefined } : { standing: other, entry: everyOther };
}

/** Whether the recipient of a call's answers must not see an application. */
export function isWithheld(
  { localOnly = [], recipient }: Omit<Standings, "standings">,
  names: readonly string[],
): boolean {
  const isNamedIn = (patterns: readonly string[]): boolean =>
    names.some((name) => patterns.some((pattern) => matches(pattern, name)));
  return isNamedIn(localOnly) || (recipient?.apps !== undefined && !isNamedIn(recipient.apps));
}

/**
 * The policy of calls for a model. What acts was proposed after text of applications was read, which is nobody's request:
 * sensitive actions are asked about, whatever a rule allows. Applications that its recipient must not see count as blind.
 */
export function restrictToRecipient(policy: Policy, recipient: RecipientView): Policy {
  const restrict = <Part extends Pick<Policy, "sensitive" | "rules">>(part: Part): Part => ({
    ...part,
    sensitive: pickStrictest([part.sensitive, "ask"]),
    rules: part.rules.filter(({ decision, actions }) => decision !== "allow" || actions === undefined),
  });
  const hidden = policy.localOnly.map((name) => [name.toLowerCase(), "blind"] as const);
  const shown = (recipient.apps ?? []).map((name) => [name, findStand(policy, [name]).standing] as const);
  const others = recipient.apps === undefined ? [] : [[everyOther, "blind"] as const];
  return {
    ...restrict(policy),
    recipient,
    guises: policy.guises?.map(restrict),
    standings: new Map([...policy.standings, ...shown, ...others, ...hidden]),
  };
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

/** Cached: every window is looked up by several names, and the lists are long. */
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

export function namesOf(window: Window): readonly string[] {
  const { app, aliases, class: className } = window;
  return [app, ...aliases, className, ...(isOwnWindow(window) ? [ownFilesApp] : [])].filter((name) => name !== "");
}

export function findWindowStanding(policy: Policy, window: Window): Standing {
  return findStand(policy, namesOf(window)).standing;
}

/** For a surface that is in no window list. Frames and tooltips are everywhere, so `*` does not apply to them. */
export function findPopupStanding(policy: Pick<Policy, "standings">, window: Window): Standing {
  const { standing, entry } = findStand(policy, namesOf(window));
  return entry === everyOther ? "normal" : standing;
}

export interface Case {
  readonly client: string;
  readonly tool: string;
  /** All names of the application; empty if none is concerned. */
  readonly apps: readonly string[];
  readonly dangers: readonly Danger[];
}

/** The strictest decision for the applications that one command reaches. */
export function decideAll(policy: Policy, cases: readonly Case[]): Decision {
  return pickStrictest(cases.map((one) => decide(policy, one)));
}

const strictest: readonly Decision[] = ["deny", "ask", "allow"];

export function pickStrictest(made: readonly Decision[]): Decision {
  return strictest.find((decision) => made.includes(decision)) ?? "allow";
}

/** A client with a claimed name gets the strictest decision of all names: another name gains nothing. */
export function decide({ sensitive, rules, guises }: Policy, one: Case): Decision {
  const possible = guises ?? [{ client: one.client, sensitive, rules }];
  return pickStrictest(possible.map((guise) => decideAs(guise, one)));
}

/** Falls back to the default for sensitive actions if no rule matches. */
function decideAs({ client, sensitive, rules }: Guise, one: Case): Decision {
  const fitting = rules.find((rule) => fits(rule, { ...one, client }));
  if (fitting !== undefined) return fitting.decision;
  return one.dangers.length > 0 ? sensitive : "allow";
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

export function matches(pattern: string, name: string): boolean {
  const [wanted, given] = [pattern.toLowerCase(), name.toLowerCase()];
  return wanted.endsWith("*") ? given.startsWith(wanted.slice(0, -1)) : given === wanted;
}
