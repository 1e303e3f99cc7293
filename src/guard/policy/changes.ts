import { cleanText } from "../../model/plain-text.ts";
import { userPolicy } from "./defaults.ts";
import { mergePolicy } from "./file.ts";
import { type Danger, type Decision, dangers, findStand, type Policy, type Rule, standings } from "./policy.ts";
import type { ClientPart, Written } from "./schema.ts";

/** One thing that a policy says otherwise than another. */
export interface Change {
  readonly words: string;
  /** Whether more may be looked at or done by it; also where that cannot be told. */
  readonly isLooser: boolean;
}

const nothingWritten: Written = { apps: new Map(), rules: [], clients: [], words: {} };
const strictFirst: readonly Decision[] = ["deny", "ask", "allow"];
const longestWords = 400;

/** How one policy differs from another, what loosens last; undefined stands for no file. */
export function listChanges(before: Written = nothingWritten, after: Written = nothingWritten): readonly Change[] {
  const [was, is] = [mergePolicy(userPolicy, before), mergePolicy(userPolicy, after)];
  const changes = [
    ...compareSettings(was, is),
    ...compareApps({ before, was }, { after, is }),
    ...compareLists("rule", before.rules.map(tellRule), after.rules.map(tellRule)),
    ...compareLists("clients", before.clients.map(tellClient), after.clients.map(tellClient)),
    ...dangers.flatMap((danger) => compareWords(danger, before.words[danger] ?? [], after.words[danger] ?? [])),
  ];
  return changes.toSorted((one, other) => Number(one.isLooser) - Number(other.isLooser));
}

function compareSettings(was: Policy, is: Policy): readonly Change[] {
  const rate = (limit: number): number => (limit === 0 ? Number.POSITIVE_INFINITY : limit);
  const rank = ({ sensitive }: Policy): number => strictFirst.indexOf(sensitive);
  const settings: readonly (readonly [string, unknown, unknown, boolean])[] = [
    [
      "actionsPerMinute",
      was.actionsPerMinute,
      is.actionsPerMinute,
      rate(is.actionsPerMinute) > rate(was.actionsPerMinute),
    ],
    ["sensitive", was.sensitive, is.sensitive, rank(is) > rank(was)],
    ["readOnly", was.isReadOnly, is.isReadOnly, was.isReadOnly],
    ["hotkey", was.hasHotkey, is.hasHotkey, was.hasHotkey],
  ];
  return settings
    .filter(([, old, now]) => old !== now)
    .map(([name, old, now, isLooser]) => ({ words: `${name}: ${show(old)} → ${show(now)}`, isLooser }));
}

function compareApps(
  { before, was }: { readonly before: Written; readonly was: Policy },
  { after, is }: { readonly after: Written; readonly is: Policy },
): readonly Change[] {
  const names = [...new Set([...before.apps.keys(), ...after.apps.keys()])];
  return names.flatMap((name) => {
    if (before.apps.get(name) === after.apps.get(name)) return [];
    const [old, now] = [findStand(was, [name]).standing, findStand(is, [name]).standing];
    // What a star stands for may have been listed by other names.
    const isLooser = standings.indexOf(now) > standings.indexOf(old) || (name.endsWith("*") && now !== "blind");
    const how = old === now ? `${show(now)}, as before by another entry` : `${show(old)} → ${show(now)}`;
    return [{ words: `apps ${show(name)}: ${how}`, isLooser }];
  });
}

/** One entry of a list: all of it, for comparing, and what a person is shown of it. */
interface Told {
  readonly whole: string;
  readonly words: string;
}

/** Their order counts, and what one of them lets through another may have held back: any change may loosen. */
function compareLists(what: string, before: readonly Told[], after: readonly Told[]): readonly Change[] {
  const isLooser = true;
  const [old, now] = [before, after].map((list) => list.map(({ whole }) => whole));
  const gone = before.filter(({ whole }) => !now?.includes(whole));
  const come = after.filter(({ whole }) => !old?.includes(whole));
  const stayed = before.filter((one) => !gone.includes(one)).map(({ whole }) => whole);
  const isMoved =
    stayed.join("\n") !==
    after
      .filter((one) => !come.includes(one))
      .map(({ whole }) => whole)
      .join("\n");
  const others = isMoved ? [`${what}: others in another order, or another number of them`] : [];
  const words = [...gone.map((one) => `${what} gone: ${one.words}`), ...come.map((one) => `${what} new: ${one.words}`)];
  return [...words, ...others].map((one) => ({ words: one, isLooser }));
}

function compareWords(danger: Danger, before: readonly string[], after: readonly string[]): readonly Change[] {
  const gone = before.filter((word) => !after.includes(word));
  const come = after.filter((word) => !before.includes(word));
  return [
    ...come.map((word) => ({ words: `words ${danger} new: ${show(word)}`, isLooser: false })),
    ...gone.map((word) => ({ words: `words ${danger} gone: ${show(word)}`, isLooser: true })),
  ];
}

/** What is decided comes first: a long list of names is cut at its end. */
function tellRule({ apps, tools, actions, clients, decision }: Rule): Told {
  return tell({ decision, apps, tools, actions, clients });
}

function tellClient({ name, rules, ...rest }: ClientPart): Told {
  const decisions = rules.map(({ decision }) => decision);
  return tell({ name, ...(rules.length === 0 ? {} : { decisions }), ...rest, rules });
}

function tell(value: unknown): Told {
  return { whole: JSON.stringify(value) ?? "", words: show(value) };
}

function show(value: unknown): string {
  return cleanText(JSON.stringify(value) ?? "", longestWords);
}
