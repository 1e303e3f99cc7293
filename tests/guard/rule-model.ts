/**
 * What docs/guard.md, docs/security.md and the comments of `deskmap policy init` say of an action, as one pure function.
 * Written from these pages alone: nothing of the guard is imported here.
 */

type Decision = "allow" | "ask" | "deny";
export type Standing = "blind" | "hands-off" | "normal";

export interface ModelRule {
  readonly apps?: readonly string[];
  readonly tools?: readonly string[];
  readonly actions?: readonly string[];
  readonly clients?: readonly string[];
  readonly decision: Decision;
}

interface Settings {
  readonly actionsPerMinute?: number;
  readonly sensitive?: Decision;
  readonly readOnly?: boolean;
}

/** A policy file. */
export interface ModelPolicy extends Settings {
  readonly apps?: Readonly<Record<string, Standing>>;
  readonly rules?: readonly ModelRule[];
  readonly clients?: Readonly<Record<string, Settings & { readonly rules?: readonly ModelRule[] }>>;
}

export interface ModelClient {
  readonly name: string;
  readonly process: number;
}

export interface ModelGrant {
  readonly app?: string;
  /** The name and the process that a person meant. */
  readonly client?: ModelClient;
  readonly isNameOnly?: boolean;
  readonly isSensitive: boolean;
  readonly untilMs: number;
}

export interface World {
  /** Undefined: a private desktop without a policy, which has no limits. */
  readonly policy: ModelPolicy | undefined;
  readonly isStopped: boolean;
  /** Who has the turn. */
  readonly holder: number | undefined;
  readonly grants: readonly ModelGrant[];
  /** When actions were done without a person's permission. */
  readonly doneAtMs: readonly number[];
  readonly nowMs: number;
}

export interface ModelAction {
  readonly client: ModelClient;
  readonly tool: string;
  /** The applications that it reaches now. */
  readonly apps: readonly string[];
  /** Whether it deletes, sends, pays …: of what kind. */
  readonly danger?: string | undefined;
  readonly namesOwnFile?: boolean | undefined;
  readonly copiesSecret?: boolean | undefined;
  /** The turn that it belongs to, if its client holds one. */
  readonly turn?: number | undefined;
}

export interface Judgement {
  readonly verdict: "allowed" | "asked" | "refused";
  /** Whether a person is to be asked, unless one has permitted it before. */
  readonly asks: boolean;
  /** Every reason that applies to a refusal. */
  readonly why: ReadonlySet<string>;
  /** Whether a person has permitted it before: no limit, no question. */
  readonly isGranted: boolean;
  /** How many actions a minute; 0: no limit. */
  readonly limit: number;
}

const byDefault = { actionsPerMinute: 10, sensitive: "ask", readOnly: false } as const;
const listed: Readonly<Record<string, Standing>> = { keepassxc: "blind", xterm: "hands-off" };
const minuteMs = 60_000;

/** May it be done? The limit is for `isOverLimit`: it counts only what is done. */
export function judge(world: World, action: ModelAction): Judgement {
  const { policy, grants, nowMs } = world;
  const why = new Set<string>();
  if (world.isStopped) why.add("stopped");
  if (world.holder !== action.turn) why.add("turn");
  if (action.copiesSecret === true) why.add("secret");
  const valid = grants.filter(({ untilMs }) => untilMs > nowMs);
  if (policy === undefined) return conclude(why, "allow", false, 0);

  for (const app of action.apps) {
    const standing = standingOf(policy, app);
    if (standing !== "normal") why.add(standing);
  }
  if (action.namesOwnFile === true) why.add("hands-off");
  // A name counts as itself if a person has said whose it is. Else it might be any, and the strictest counts. To lift the
  // limit for a client gives its name no more.
  const isKnown = valid.some(
    ({ client, isNameOnly = false }) => isNameOnly && client !== undefined && isSameClient(client, action.client),
  );
  const names = isKnown ? [action.client.name] : everyName;
  const settings = names.map((name) => settingsFor(policy, name));
  if (settings.some(({ readOnly }) => readOnly)) why.add("read-only");
  const decisions = settings.flatMap(({ name, rules, sensitive }) => {
    const each = action.apps.length === 0 ? [undefined] : action.apps;
    return each.map((app) => decide(rules, { name, tool: action.tool, app, danger: action.danger }, sensitive));
  });
  if (decisions.includes("deny")) why.add("rule");
  const limits = settings.map(({ actionsPerMinute }) => actionsPerMinute).filter((limit) => limit > 0);
  const isAsked = decisions.includes("ask");
  const isGranted = valid.some((grant) => permits(grant, action) && (grant.isSensitive || !isAsked));
  return conclude(why, isAsked ? "ask" : "allow", isGranted, limits.length === 0 ? 0 : Math.min(...limits));
}

function conclude(why: ReadonlySet<string>, decision: Decision, isGranted: boolean, limit: number): Judgement {
  const asks = decision === "ask";
  if (why.size > 0) return { verdict: "refused", asks, why, isGranted, limit };
  return { verdict: asks && !isGranted ? "asked" : "allowed", asks, why, isGranted, limit };
}

/** Without a person's permission: at most so many in the last minute. */
export function isOverLimit({ doneAtMs, nowMs }: World, { limit }: Judgement): boolean {
  return limit > 0 && doneAtMs.filter((atMs) => atMs > nowMs - minuteMs).length >= limit;
}

/** One for each way in which the names of the generated policies apply: see `writtenNames`. */
const everyName = ["alpha", "beta", "alfalfa", "stranger"];
export const writtenNames = ["alpha", "beta", "al*", "*"];

function settingsFor(policy: ModelPolicy, name: string) {
  const [, part = {}] = Object.entries(policy.clients ?? {}).find(([pattern]) => matches(pattern, name)) ?? [];
  const pick = <Key extends keyof typeof byDefault>(key: Key) => part[key] ?? policy[key] ?? byDefault[key];
  return {
    name,
    actionsPerMinute: pick("actionsPerMinute"),
    sensitive: pick("sensitive"),
    readOnly: pick("readOnly"),
    rules: [...(part.rules ?? []), ...(policy.rules ?? [])],
  };
}

interface Case {
  readonly name: string;
  readonly tool: string;
  readonly app: string | undefined;
  readonly danger: string | undefined;
}

function decide(rules: readonly ModelRule[], { name, tool, app, danger }: Case, sensitive: Decision): Decision {
  for (const { apps, tools, actions, clients, decision } of rules) {
    if (apps !== undefined && !apps.some((one) => app !== undefined && matches(one, app))) continue;
    if (tools !== undefined && !tools.includes(tool)) continue;
    if (clients !== undefined && !clients.some((one) => matches(one, name))) continue;
    const isNamed = danger !== undefined && actions?.includes(danger) === true;
    // What it leaves out fits all, but "allow" covers sensitive actions only where "actions" names them.
    if (decision === "allow" ? danger !== undefined && !isNamed : actions !== undefined && !isNamed) continue;
    return decision;
  }
  return danger === undefined ? "allow" : sensitive;
}

function standingOf({ apps = {} }: ModelPolicy, app: string): Standing {
  const known: Readonly<Record<string, Standing>> = { ...listed, ...apps };
  const starred = Object.keys(known).filter((one) => one.endsWith("*") && one !== "*" && matches(one, app));
  const [longest = ""] = starred.toSorted((one, other) => other.length - one.length);
  return known[app] ?? known[longest] ?? known["*"] ?? "normal";
}

function permits({ app, client, isNameOnly = false }: ModelGrant, action: ModelAction): boolean {
  if (isNameOnly || (client !== undefined && !isSameClient(client, action.client))) return false;
  return app === undefined || (action.apps.length > 0 && action.apps.every((one) => one === app));
}

function isSameClient(one: ModelClient, other: ModelClient): boolean {
  return one.name === other.name && one.process === other.process;
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
