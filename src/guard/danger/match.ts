import { type Danger, dangers, type Policy } from "../policy/policy.ts";
import { foldLabel } from "./fold.ts";
import {
  agreeingLabels,
  allowingWords,
  decliningLabels,
  harmlessPhrases,
  permissionWords,
  savingWords,
  undoingWords,
} from "./harmless-words.ts";
import { isUnspaced, PhraseTable } from "./phrase-table.ts";
import { dangerousPhrases } from "./words.ts";

/** A label may hold a sensitive word anywhere, or must be brief and come to the point: what people wrote is no button. */
export type Measure = "anywhere" | "brief";

/** Which dangers a label tells of. */
export function findInLabel(text: string, measure: Measure, words: Policy["words"] = {}): readonly Danger[] {
  const found = new Set<Danger>();
  for (const reading of foldLabel(text)) {
    const tokens = takeOutHarmless(reading);
    for (const danger of judgeTokens(tokens, measure, tables().dangerous)) found.add(danger);
    for (const danger of judgeTokens(tokens, measure, foldOwn(words))) found.add(danger);
    if (holds(tables().allowing, tokens) && holds(tables().permissions, tokens)) found.add("grant");
  }
  return [...found];
}

type Dangerous = readonly (readonly [Danger, PhraseTable])[];

function judgeTokens(tokens: readonly string[], measure: Measure, dangerous: Dangerous): readonly Danger[] {
  const bare = tokens.filter((token) => !isKeyName(token) && !tables().fillers.has(token));
  const hasScript = tokens.some(isUnspaced);
  return dangerous
    .filter(
      ([, table]) => isSpoken(table, tokens, bare, measure) || (hasScript && isWritten(table, bare.join(""), measure)),
    )
    .map(([danger]) => danger);
}

function isSpoken(table: PhraseTable, tokens: readonly string[], bare: readonly string[], measure: Measure): boolean {
  const isAll = table.findAt(bare, 0, true).some(({ length }) => length === bare.length);
  if (isAll && bare.length > 0) return true;
  return tokens.some((_token, index) =>
    table.findAt(tokens, index).some((phrase) => measure === "anywhere" || isToThePoint(bare, phrase)),
  );
}

const briefCount = 3;
const pointedCount = 8;

/** A few words with one of them sensitive, or some more that begin with it. */
function isToThePoint(tokens: readonly string[], phrase: readonly string[]): boolean {
  if (tokens.length <= Math.max(briefCount, phrase.length)) return true;
  return tokens.length <= pointedCount && phrase.every((word, index) => tokens[index] === word);
}

const briefLength = 12;

/** In scripts without spaces a phrase is looked for as it stands. */
function isWritten(table: PhraseTable, text: string, measure: Measure): boolean {
  return table.listUnspaced().some((phrase) => {
    if (phrase.isWhole) return text.replace(/[a-z0-9|]/g, "") === phrase.text;
    return text.includes(phrase.text) && (measure === "anywhere" || text.length <= briefLength);
  });
}

/** Between what is left stands a word that no phrase has. */
const gap = "|";

function takeOutHarmless(reading: string): readonly string[] {
  const { harmless, undoing, saving } = tables();
  const tokens = (isUnspaced(reading) ? takeOutScripts(reading) : reading).split(" ").filter((token) => token !== "");
  const left: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const [meant] = harmless.findAt(tokens, at);
    const [undo] = undoing.findAt(tokens, at);
    const undone = tokens[at + (undo?.length ?? 0)];
    const isUndone = undo !== undefined && undone !== undefined && !saving.has(undone) && !begins(tokens, at);
    const skipped = meant?.length ?? (isUndone ? undo.length + 1 : 0);
    left.push(skipped > 0 ? gap : (tokens[at] ?? ""));
    at += Math.max(0, skipped - 1);
  }
  return left;
}

/** "Cancel subscription" undoes nothing that a person would not miss. */
function begins(tokens: readonly string[], at: number): boolean {
  return tables().dangerous.some(([, table]) => table.findAt(tokens, at).length > 0);
}

function takeOutScripts(reading: string): string {
  // The longest first: a part of one must not leave the rest of it standing.
  const phrases = tables()
    .harmless.listUnspaced()
    .toSorted((a, b) => b.text.length - a.text.length);
  return phrases.reduce((text, phrase) => text.replaceAll(phrase.text, ` ${gap} `), joinScripts(reading));
}

/** Some put spaces between their words, and some do not. */
function joinScripts(reading: string): string {
  return reading.split(" ").reduce((text, word) => {
    const isJoined = isUnspaced(word) && isUnspaced(text.slice(-1));
    return text === "" || isJoined ? text + word : `${text} ${word}`;
  }, "");
}

/** Whether a label is one of those that only say yes, or one of those that say no. */
export function isAgreeing(label: string): boolean {
  const readings = foldLabel(label).map(bareOf);
  // What says nothing at all, a tick for example, may be anything.
  return readings.every((reading) => reading === "") || readings.some((reading) => tables().agreeing.has(reading));
}

export function isDeclining(label: string): boolean {
  return foldLabel(label)
    .map(bareOf)
    .some((reading) => reading !== "" && tables().declining.has(reading));
}

export function namesPermission(label: string): boolean {
  return foldLabel(label).some((reading) => holds(tables().permissions, reading.split(" ")));
}

function holds(table: PhraseTable, tokens: readonly string[]): boolean {
  if (tokens.some((_token, index) => table.findAt(tokens, index).length > 0)) return true;
  const text = tokens.join("");
  return isUnspaced(text) && table.listUnspaced().some((phrase) => text.includes(phrase.text));
}

function bareOf(reading: string): string {
  return reading
    .split(" ")
    .filter((token) => token !== "" && !isKeyName(token))
    .join(" ");
}

/** A shortcut that is written into the label, a count, the letter of a mnemonic. */
function isKeyName(token: string): boolean {
  return /^(\p{N}+|f\p{N}+|[a-z])$/u.test(token) || tables().keys.has(token);
}

const keyNames =
  "ctrl, control, strg, alt, shift, umschalt, maj, mayús, super, meta, cmd, command, del, entf, suppr, supr, canc, enter, return, backspace, esc, space";
const fillerWords =
  "yes, permanently, ok, now, just, ja, jetzt, endgültig, oui, définitivement, sí, sim, ahora, agora, tak, да, ano, evet, ora, nu";

interface Tables {
  readonly dangerous: Dangerous;
  readonly harmless: PhraseTable;
  readonly undoing: PhraseTable;
  readonly saving: PhraseTable;
  readonly agreeing: PhraseTable;
  readonly declining: PhraseTable;
  readonly permissions: PhraseTable;
  readonly allowing: PhraseTable;
  readonly keys: PhraseTable;
  readonly fillers: PhraseTable;
}

let made: Tables | undefined;

/** Made when the first label is judged. */
function tables(): Tables {
  made ??= makeTables();
  return made;
}

function makeTables(): Tables {
  const named = dangers.flatMap((danger) => {
    const phrases = dangerousPhrases[danger];
    return phrases === undefined ? [] : [[danger, phrases] as const];
  });
  const others = {
    harmless: harmlessPhrases,
    undoing: undoingWords,
    saving: savingWords,
    agreeing: agreeingLabels,
    declining: decliningLabels,
    permissions: permissionWords,
    allowing: allowingWords,
    keys: keyNames,
    fillers: fillerWords,
  };
  const folded = PhraseTable.fold([...named.map(([, phrases]) => phrases), ...Object.values(others)]);
  const take = (name: keyof typeof others): PhraseTable => {
    const table = folded[named.length + Object.keys(others).indexOf(name)];
    if (table === undefined) throw new Error(`no table of ${name} words`);
    return table;
  };
  return {
    dangerous: named.flatMap(([danger], index) => {
      const table = folded[index];
      return table === undefined ? [] : [[danger, table] as const];
    }),
    harmless: take("harmless"),
    undoing: take("undoing"),
    saving: take("saving"),
    agreeing: take("agreeing"),
    declining: take("declining"),
    permissions: take("permissions"),
    allowing: take("allowing"),
    keys: take("keys"),
    fillers: take("fillers"),
  };
}

let own: { readonly words: Policy["words"]; readonly dangerous: Dangerous } | undefined;

/** A person's own words; in some scripts a capital passes for another letter than its small form does. */
function foldOwn(words: Policy["words"]): Dangerous {
  if (own?.words === words) return own.dangerous;
  const named = dangers.flatMap((danger) => {
    const given = (words[danger] ?? []).map((word) => word.replace(/[,=\n]/g, " "));
    const all = given.flatMap((word) => [word, word.toLowerCase(), word.toUpperCase()]);
    // No language: the two letters keep the first word from being taken for one.
    return all.length === 0 ? [] : [[danger, `xx ${all.join(", ")}`] as const];
  });
  const folded = PhraseTable.fold(named.map(([, phrases]) => phrases));
  const dangerous = named.flatMap(([danger], index) => {
    const table = folded[index];
    return table === undefined ? [] : [[danger, table] as const];
  });
  own = { words, dangerous };
  return dangerous;
}
