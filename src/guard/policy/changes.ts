import { cleanText } from "../../model/plain-text.ts";
import { userPolicy } from "./defaults.ts";
import { mergePolicy } from "./file.ts";
import { type Danger, type Decision, dangers, findStand, type Policy, type Rule, standings } from "./policy.ts";
import type { ClientPart, Written } from "./schema.ts";

export interface Change {
  readonly words: string;
  /** Whether it allows more, or may do so. */
  readonly isLooser: boolean;
}

const nothingWritten: Written = { apps: new Map(), rules: [], clients: [], words: {} };
const strictFirst: readonly Decision[] = ["deny", "ask", "allow"];
const longestWords = 400;

/** The differences between two policies, those that loosen last. Undefined stands for no file. */
export function listChanges(before: Written = nothingWritten, after: Written = nothingWritten): readonly Change[] {
  const [was, is] = [mergePolicy(userPolicy, before), mergePolicy(userPolicy, after)];
  const changes = [
    ...compareSettings(was, is),
    ...compareApps({ before, was }, { after, is }),
    ...compareLocalOnly(was.localOnly, is.localOnly),
    ...compareLists("rule", before.rules.map(toEntryOfRule), after.rules.map(toEntryOfRule)),
    ...compareLists("clients", before.clients.map(toEntryOfClient), after.clients.map(toEntryOfClient)),
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
    // The applications that `*` matches may have been listed by other names.
    const isLooser = standings.indexOf(now) > standings.indexOf(old) || (name.endsWith("*") && now !== "blind");
    const how = old === now ? `${show(now)}, as before by another entry` : `${show(old)} → ${show(now)}`;
    return [{ words: `apps ${show(name)}: ${how}`, isLooser }];
  });
}

function compareLocalOnly(was: readonly string[], is: readonly string[]): readonly Change[] {
  const added = is.filter((name) => !was.includes(name)).map((name) => ({ name, isLooser: false }));
  const removed = was.filter((name) => !is.includes(name)).map((name) => ({ name, isLooser: true }));
  return [...added, ...removed].map(({ name, isLooser }) => {
    const words = isLooser ? `${show(name)} is local only no more: it may be sent` : `${show(name)} is local only`;
    return { words, isLooser };
  });
}

/** One entry of a list: complete, to compare it, and shortened, to show it. */
interface ListEntry {
  readonly whole: string;
  readonly words: string;
}

/** Order matters, and a later entry may have restricted what an earlier one allows: any change may loosen. */
function compareLists(what: string, before: readonly ListEntry[], after: readonly ListEntry[]): readonly Change[] {
  const isLooser = true;
  const missingIn =
    (others: readonly ListEntry[]) =>
    ({ whole }: ListEntry) =>
      others.every((one) => one.whole !== whole);
  const [gone, come] = [before.filter(missingIn(after)), after.filter(missingIn(before))];
  const [stayed, kept] = [before.filter((one) => !gone.includes(one)), after.filter((one) => !come.includes(one))];
  const isMoved = stayed.map(({ whole }) => whole).join("\n") !== kept.map(({ whole }) => whole).join("\n");
  return [
    ...gone.map((one) => ({ words: `${what} gone: ${one.words}`, isLooser })),
    ...come.map((one) => ({ words: `${what} new: ${one.words}`, isLooser })),
    ...(isMoved ? [{ words: `${what}: the order or number of the others has changed`, isLooser }] : []),
  ];
}

function compareWords(danger: Danger, before: readonly string[], after: readonly string[]): readonly Change[] {
  const gone = before.filter((word) => !after.includes(word));
  const come = after.filter((word) => !before.includes(word));
  return [
    ...come.map((word) => ({ words: `words ${danger} new: ${show(word)}`, isLooser: false })),
    ...gone.map((word) => ({ words: `words ${danger} gone: ${show(word)}`, isLooser: true })),
  ];
}

/** The decision comes first, since long texts are cut at the end. */
function toEntryOfRule({ apps, tools, actions, clients, decision }: Rule): ListEntry {
  return toEntry({ decision, apps, tools, actions, clients });
}

function toEntryOfClient({ name, rules, ...rest }: ClientPart): ListEntry {
  const decisions = rules.map(({ decision }) => decision);
  return toEntry({ name, ...(rules.length === 0 ? {} : { decisions }), ...rest, rules });
}

function toEntry(value: unknown): ListEntry {
  return { whole: JSON.stringify(value) ?? "", words: show(value) };
}

function show(value: unknown): string {
  return cleanText(JSON.stringify(value) ?? "", longestWords);
}
