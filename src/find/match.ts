import { parseCell } from "../model/cell-address.ts";
import { type Element, flatten, listWithPaths, type Placed } from "../model/element.ts";
import { kindOfRole, type Role, rolesNamed } from "../model/role.ts";
import type { WindowRead } from "../model/snapshot.ts";
import { isPixelSource } from "../model/source.ts";
import { hasTrait } from "../model/trait.ts";
import { fold } from "./fold.ts";
import { countEdits } from "./nearest.ts";

/** An element that matches words, with score and reason. */
export interface Match extends Placed {
  readonly read: WindowRead;
  /** Its place among all that matched, in the order of a read. */
  readonly order: number;
  /** 1 for the exact name; less for weaker matches. */
  readonly score: number;
  readonly reason: string;
}

/** The reason for an exact name. */
const exactReason = "its name";
/** The reason for a taught name. */
const taughtReason = "its taught name";
const shortcutReason = "its keyboard shortcut";
const idReason = "its id";

/** Whether the words are its whole name. */
export function isNamed({ reason }: Match): boolean {
  return reason === exactReason || reason === taughtReason;
}

/** Whether the words mean it and nothing else: its whole name, its shortcut, its id. */
export function isExact(match: Match): boolean {
  return isNamed(match) || match.reason === shortcutReason || match.reason === idReason;
}

const nothingTaught: ReadonlyMap<string, string> = new Map();

/** Matches scoring below half of the best are noise: "Wave" is spelt like "Save". */
const worthShowing = 0.5;

export interface WordQuery {
  /** Empty: whatever has one of the roles. */
  readonly words: string;
  readonly roles?: ReadonlySet<Role> | undefined;
  /** The handle of a container: only what is inside it. */
  readonly inside?: string | undefined;
}

/** Returns all matching elements, best first; ties stay in reading order. */
export function rankMatches(
  reads: readonly WindowRead[],
  { words, roles, inside }: WordQuery,
  taught: ReadonlyMap<string, string> = nothingTaught,
): readonly Match[] {
  const phrase = normalise(words);
  const query = { phrase, tokens: tokensOf(phrase), kinds: new Set(phrase.split(" ")), taught };
  const found = reads.flatMap((read) =>
    listCandidates(read.root).flatMap((placed): Omit<Match, "order">[] => {
      if (roles !== undefined && !roles.has(placed.element.role)) return [];
      if (inside !== undefined && placed.ancestors.every(({ handle }) => handle !== inside)) return [];
      if (phrase === "") return roles === undefined ? [] : [{ ...placed, read, score: 1, reason: roleReason }];
      const fit = isOtherCell(words, placed.element) ? undefined : judge(query, placed);
      return fit === undefined ? [] : [{ ...placed, read, ...fit, score: weigh(fit.score, placed.element) }];
    }),
  );
  const matches = found.map((match, order) => ({ ...match, order }));
  const best = matches.reduce((most, { score }) => Math.max(most, score), 0);
  const repeated = phrase === "" ? undefined : listRepeated(matches);
  const shadows = listShadows(matches);
  return matches
    .filter((match) => repeated?.has(match) !== true && !shadows.has(match))
    .filter(({ score }) => score >= best * worthShowing)
    .sort((a, b) => b.score - a.score);
}

/** B2 is not the beginning of B20. */
function isOtherCell(words: string, { role, name }: Element): boolean {
  const sought = words.trim().toUpperCase();
  return role === "cell" && name !== sought && parseCell(sought) !== undefined && parseCell(name) !== undefined;
}

/** Of a control and the label, item or box around or inside it that says the same, all but the control. */
function listRepeated(matches: readonly Match[]): ReadonlySet<Match> {
  const byHandle = new Map(matches.map((match) => [match.element.handle, match]));
  const repeated = new Set<Match>();
  for (const inner of matches) {
    for (const { handle } of inner.ancestors) {
      const outer = byHandle.get(handle);
      if (outer === undefined || wordsOf(outer) !== wordsOf(inner)) continue;
      const [isOuter, isInner] = [outer, inner].map(isControl);
      // An entry that can be selected and the button in it are two.
      if (isOuter && isInner) continue;
      const less = isInner || (!isOuter && inner.score > outer.score) ? outer : inner;
      if (less.reason !== taughtReason) repeated.add(less);
    }
  }
  return repeated;
}

/** Entries of a menu bar that is not shown beside one that is, and has them too. */
function listShadows(matches: readonly Match[]): ReadonlySet<Match> {
  const placed = matches.flatMap((match) => {
    const at = match.ancestors.findIndex(({ role }) => role === "menubar");
    const bar = match.ancestors[at];
    if (bar === undefined) return [];
    const path = [...match.ancestors.slice(at + 1), match.element].map(({ role, name }) => `${role} ${name}`);
    return [{ match, isShown: !bar.states.has("hidden"), key: JSON.stringify([match.read.window.id, path]) }];
  });
  const shown = new Set(placed.filter(({ isShown }) => isShown).map(({ key }) => key));
  return new Set(placed.filter(({ isShown, key }) => !isShown && shown.has(key)).map(({ match }) => match));
}

/** Without the bullet of "• Apples". */
function wordsOf({ element }: Match): string {
  const tokens = tokensOf(normalise(element.name));
  return tokens.filter((token) => /[\p{L}\p{N}]/u.test(token)).join(" ") || tokens.join(" ");
}

function isControl({ element: { role, actions } }: Match): boolean {
  return kindOfRole(role) === "control" && actions.some((action) => action !== "focus");
}

/**
 * A text that cannot be pressed and was not asked for as one: a sentence that contains a word is not a control. In a
 * window without a tree, a text may be all that is recognised of a button; its middle is pressed, so the words must be
 * there. Beside a tree, only what looks like a control is one.
 */
export function isPlainText(match: Match, words: string): boolean {
  const { element, reason, read } = match;
  const { role, invocations, name } = element;
  const isTreeless = read.root !== undefined && isPixelSource(read.root.source);
  const isLabel = isTreeless && (isExact(match) || isInMiddle(normalise(words), normalise(name)));
  const isAskedFor = reason === taughtReason || reason.includes(roleReason);
  const isText = kindOfRole(role) === "text" && role !== "image";
  return isText && invocations.press === undefined && !isLabel && !isAskedFor;
}

function isInMiddle(phrase: string, name: string): boolean {
  const [at, middle] = [name.indexOf(phrase), name.length / 2];
  return at >= 0 && at <= middle && middle < at + phrase.length;
}

/** The elements a read would show, with their full paths: a button, but not also the text in it. */
function listCandidates(root: Element | undefined): Placed[] {
  if (root === undefined) return [];
  const shown = new Set(flatten(root.children.flatMap((child) => fold(child))).map(({ handle }) => handle));
  return listWithPaths(root).filter(({ element }) => shown.has(element.handle));
}

interface Query {
  readonly phrase: string;
  readonly tokens: readonly string[];
  /** Words that may name a role: they stand alone, unlike the "txt" of a file name. */
  readonly kinds: ReadonlySet<string>;
  /** Taught names by handle. */
  readonly taught: ReadonlyMap<string, string>;
}

interface Fit {
  readonly score: number;
  readonly reason: string;
}

/** All ways to match; the best result counts. */
const ways: readonly ((query: Query, placed: Placed) => Fit | undefined)[] = [
  fitName,
  fitTaught,
  fitShortcut,
  fitId,
  fitTokens,
  fitContent,
];

function judge(query: Query, placed: Placed): Fit | undefined {
  let best: Fit | undefined;
  for (const fitOne of ways) {
    const fit = fitOne(query, placed);
    if (fit !== undefined && (best === undefined || fit.score > best.score)) best = fit;
  }
  return best;
}

/** Controls are meant more often than texts; hidden and disabled elements less often, those switched off least. */
function weigh(score: number, { role, states, actions, traits }: Element): number {
  const doesSomething = actions.some((action) => action !== "select" && action !== "focus");
  let weight = kindOfRole(role) !== "control" ? 0.95 : doesSomething ? 1 : 0.98;
  if (states.has("hidden")) weight *= hasTrait({ traits }, "switched-off") ? 0.7 : 0.8;
  if (states.has("disabled")) weight *= 0.95;
  return Math.round(score * weight * 100) / 100;
}

/** The arrow of a wizard's "Next >" and "< Back". */
const arrow = /^[<«‹←] (?=\p{L})|(?<=\p{L}) [>»›→]$/u;

function fitName({ phrase }: Query, { element }: Placed): Fit | undefined {
  const name = normalise(element.name);
  return fitWhole(phrase, name.replace(arrow, "") === phrase ? phrase : name);
}

/** A taught name counts as much as the name. */
function fitTaught({ phrase, taught }: Query, { element }: Placed): Fit | undefined {
  const name = taught.get(element.handle);
  const fit = name === undefined ? undefined : fitWhole(phrase, normalise(name));
  return fit && { ...fit, reason: fit.score === 1 ? taughtReason : "similar to its taught name" };
}

function fitWhole(phrase: string, name: string): Fit | undefined {
  if (phrase === "" || name === "") return undefined;
  if (name === phrase) return { score: 1, reason: exactReason };
  const at = name.indexOf(phrase);
  if (at < 0) return undefined;
  // The larger the matched share of the name, the better.
  const share = phrase.length / name.length;
  const isWhole = isBorder(name, at - 1) && isBorder(name, at + phrase.length);
  if (at === 0) return { score: (isWhole ? 0.85 : 0.75) + 0.1 * share, reason: "its name starts with it" };
  return { score: (isWhole ? 0.75 : 0.6) + 0.1 * share, reason: "its name contains it" };
}

function fitShortcut({ phrase }: Query, { element }: Placed): Fit | undefined {
  if (element.shortcut === "" || phrase.replaceAll(" ", "") !== element.shortcut.toLowerCase()) return undefined;
  return { score: 0.95, reason: shortcutReason };
}

function fitId({ phrase }: Query, { element }: Placed): Fit | undefined {
  return phrase !== "" && element.platformId.toLowerCase() === phrase ? { score: 0.9, reason: idReason } : undefined;
}

/** In a value or description; secret fields have no value here. */
function fitContent({ phrase }: Query, { element }: Placed): Fit | undefined {
  if (phrase === "") return undefined;
  const value = normalise(element.value);
  if (value === phrase) return { score: 0.8, reason: "its value" };
  if (value.includes(phrase)) return { score: 0.55, reason: "its value contains it" };
  if (normalise(element.description).includes(phrase)) return { score: 0.5, reason: "its description contains it" };
  return undefined;
}

interface TokenFit {
  readonly score: number;
  /** The reason it contributes to the match. */
  readonly because: string;
  /** Whether it distinguishes this element: a role or container alone does not. */
  readonly isOwn: boolean;
}

/** Word by word: "save button", "delete alice" (the one in Alice's row), "serach" (misspelt). Every word must match. */
function fitTokens({ tokens, kinds }: Query, placed: Placed): Fit | undefined {
  const own = tokensOf(normalise(placed.element.name));
  const around = new Set(tokensOf(normalise(listWordsAround(placed).join(" "))));
  const { role } = placed.element;
  const fits = tokens.map((token) => fitToken(token, own, around, kinds.has(token) ? role : undefined));
  if (fits.length === 0 || fits.some((fit) => fit === undefined)) return undefined;
  const found = fits.filter((fit) => fit !== undefined);
  const isOnlyKind = found.every((fit) => !fit.isOwn);
  if (isOnlyKind && found.some((fit) => fit.because !== roleReason)) return undefined;
  const mean = found.reduce((sum, fit) => sum + fit.score, 0) / found.length;
  const reasons = [...new Set(found.map((fit) => fit.because).filter((because) => because !== ""))];
  const reason = reasons.length === 0 ? "all words are in its name" : reasons.join(", ");
  const named = found.filter((fit) => fit.isOwn).length;
  const share = own.length === 0 ? 0 : Math.min(1, named / own.length);
  return { score: mean * (isOnlyKind ? 0.5 : 0.7 + 0.2 * share), reason };
}

/** The reason if only the role matches. */
export const roleReason = "its role";

/** Common words for roles beyond those in the table. */
const otherWords = new Map<string, readonly Role[]>([
  ["field", ["input", "spin", "select"]],
  ["textbox", ["input"]],
  ["box", ["input", "checkbox", "select"]],
  ["dropdown", ["select"]],
  ["combobox", ["select"]],
  ["key", ["button"]],
  ["picture", ["image"]],
  ["page", ["web", "document"]],
]);

function rolesCalled(word: string): readonly Role[] {
  return otherWords.get(word) ?? rolesNamed(word);
}

function fitToken(
  token: string,
  own: readonly string[],
  around: ReadonlySet<string>,
  role: Role | undefined,
): TokenFit | undefined {
  if (own.includes(token)) return { score: 1, because: "", isOwn: true };
  if (role !== undefined && rolesCalled(token).includes(role))
    return { score: 0.95, because: roleReason, isOwn: false };
  if (own.some((word) => word.startsWith(token))) return { score: 0.85, because: "words start with it", isOwn: true };
  if (around.has(token)) return { score: 0.8, because: `beside or inside "${token}"`, isOwn: false };
  if (own.some((word) => isMisspelt(token, word))) return { score: 0.5, because: "spelt alike", isOwn: true };
  return undefined;
}

/** One typo per four letters, at most two. */
function isMisspelt(token: string, word: string): boolean {
  const slips = Math.min(2, Math.floor(Math.min(token.length, word.length) / 4));
  return slips > 0 && Math.abs(token.length - word.length) <= slips && countEdits(token, word) <= slips;
}

/** How many levels up the text that identifies a control may be. */
const maxLevels = 3;

/** The names of the containers, and the texts in the nearest one that has any. */
function listWordsAround({ element, ancestors }: Placed): string[] {
  const names = ancestors.slice(1).map(({ name }) => name);
  for (const container of ancestors.slice(-maxLevels).toReversed()) {
    const texts = container.children.filter(
      (sister) => sister !== element && !ancestors.includes(sister) && isText(sister) && sister.name !== "",
    );
    if (texts.length > 0) return [...names, ...texts.map(({ name }) => name)];
  }
  return names;
}

/** A text, or a box named by its text, such as a cell. */
function isText({ role }: Element): boolean {
  const kind = kindOfRole(role);
  return kind === "text" || kind === "container" || role === "cell";
}

/** Normalises labels: without case, accents, the dots of "Save As…" and the colon of "Name:". */
export function normalise(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/(…|\.\.\.|:)(?=\s|$)/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function tokensOf(text: string): string[] {
  return text.split(/\s+/).flatMap((word) => {
    const parts = word.split(/[^\p{L}\p{N}+#]+/u).filter((token) => token !== "");
    // A single symbol is a word too: "×" is the name of a key.
    return parts.length > 0 || word === "" ? parts : [word];
  });
}

function isBorder(text: string, at: number): boolean {
  return !/[\p{L}\p{N}]/u.test(text.charAt(at));
}
