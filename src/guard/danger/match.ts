import { type Danger, dangers, type Policy } from "../policy/policy.ts";
import { foldLabel, foldLines } from "./fold.ts";
import {
  agreeingLabels,
  allowingWords,
  decliningLabels,
  harmlessPhrases,
  permissionWords,
  savingWords,
  undoingWords,
} from "./harmless-words.ts";
import { dangerousPhrases } from "./words.ts";

/** A label may contain a sensitive word anywhere, or must be brief: a text that people wrote is not a button. */
export type Measure = "anywhere" | "brief";

export interface Warning {
  readonly danger: Danger;
  /** `it says "Delete"` */
  readonly because: string;
}

export function findInLabel(text: string, measure: Measure, words: Policy["words"] = {}): readonly Danger[] {
  const found = new Set<Danger>();
  for (const reading of foldLabel(text)) {
    const tokens = takeOutHarmless(reading);
    for (const danger of judgeTokens(tokens, measure, dangers, table)) found.add(danger);
    const ownDangers = dangers.filter((danger) => words[danger] !== undefined);
    for (const danger of judgeTokens(tokens, measure, ownDangers, foldOwn(words))) found.add(danger);
    if (holds(table("allowing"), tokens) && holds(table("permissions"), tokens)) found.add("grant");
  }
  return [...found];
}

function judgeTokens(
  tokens: readonly string[],
  measure: Measure,
  named: readonly Danger[],
  take: TakeTable<Danger>,
): readonly Danger[] {
  const bare = tokens.filter((token) => !isKeyName(token) && !table("fillers").has(token));
  const hasScript = tokens.some(isUnspaced);
  return named.filter((danger) => {
    const own = take(danger);
    return isSpoken(own, tokens, bare, measure) || (hasScript && isWritten(own, bare.join(""), measure));
  });
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

/** A few words of which one is sensitive, or some more that begin with it. */
function isToThePoint(tokens: readonly string[], phrase: readonly string[]): boolean {
  if (tokens.length <= Math.max(briefCount, phrase.length)) return true;
  return tokens.length <= pointedCount && phrase.every((word, index) => tokens[index] === word);
}

const briefLength = 12;

/** In scripts without spaces a phrase is searched as a substring. */
function isWritten(table: PhraseTable, text: string, measure: Measure): boolean {
  return table.listUnspaced().some((phrase) => {
    if (phrase.isWhole) return text.replace(/[a-z0-9|]/g, "") === phrase.text;
    return text.includes(phrase.text) && (measure === "anywhere" || text.length <= briefLength);
  });
}

/** Replaces what is taken out; in no phrase. */
const gap = "|";

function takeOutHarmless(reading: string): readonly string[] {
  const [harmless, undoing, saving] = [table("harmless"), table("undoing"), table("saving")];
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

/** "Cancel subscription" is dangerous itself, so "cancel" undoes nothing there. */
function begins(tokens: readonly string[], at: number): boolean {
  return dangers.some((danger) => table(danger).findAt(tokens, at).length > 0);
}

function takeOutScripts(reading: string): string {
  // Longest first: a part of a phrase must not leave the rest behind.
  const longestFirst = table("harmless")
    .listUnspaced()
    .toSorted((a, b) => b.text.length - a.text.length);
  return longestFirst.reduce((text, phrase) => text.replaceAll(phrase.text, ` ${gap} `), joinScripts(reading));
}

/** Joins words of scripts in which spaces are optional. */
function joinScripts(reading: string): string {
  return reading.split(" ").reduce((text, word) => {
    const isJoined = isUnspaced(word) && isUnspaced(text.slice(-1));
    return text === "" || isJoined ? text + word : `${text} ${word}`;
  }, "");
}

export function isAgreeing(label: string): boolean {
  const readings = foldLabel(label).map(bareOf);
  // A label without words, such as a tick, may mean yes.
  return readings.every((reading) => reading === "") || readings.some((reading) => table("agreeing").has(reading));
}

export function isDeclining(label: string): boolean {
  return foldLabel(label)
    .map(bareOf)
    .some((reading) => reading !== "" && table("declining").has(reading));
}

export function namesPermission(label: string): boolean {
  return foldLabel(label).some((reading) => holds(table("permissions"), reading.split(" ")));
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

/** A shortcut in the label, a count, or the letter of a mnemonic. */
function isKeyName(token: string): boolean {
  return /^(\p{N}+|f\p{N}+|[a-z])$/u.test(token) || table("keys").has(token);
}

const keyNames =
  "ctrl, control, strg, alt, shift, umschalt, maj, mayús, super, meta, cmd, command, del, entf, suppr, supr, canc, enter, return, backspace, esc, space";
const fillerWords =
  "yes, permanently, ok, now, just, ja, jetzt, endgültig, oui, définitivement, sí, sim, ahora, agora, tak, да, ano, evet, ora, nu";

type TakeTable<Name> = (name: Name) => PhraseTable;

const phrases = {
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

let tables: TakeTable<keyof typeof phrases | Danger> | undefined;

/** Folded when the first label is judged. */
function table(name: keyof typeof phrases | Danger): PhraseTable {
  tables ??= PhraseTable.fold({ ...phrases, ...dangerousPhrases });
  return tables(name);
}

let own: { readonly words: Policy["words"]; readonly take: TakeTable<Danger> } | undefined;

/** A person's own words. In some scripts upper and lower case resemble different letters, so both are folded. */
function foldOwn(words: Policy["words"]): TakeTable<Danger> {
  if (own?.words === words) return own.take;
  const texts = Object.entries(words).map(([danger, list]) => {
    const all = list.map((word) => word.replace(/[,=\n]/g, " "));
    // The two letters stand for the language, so that the first word is not taken for one.
    return [danger, `xx ${all.flatMap((word) => [word, word.toLowerCase(), word.toUpperCase()]).join(", ")}`];
  });
  const take = PhraseTable.fold<Danger>(Object.fromEntries(texts));
  own = { words, take };
  return take;
}

/** Precedes a phrase that counts only if it is the whole label. */
const wholeWord = "qqq";

/** Folded phrases, one per line of one string: searching it is quicker than building a set, which every command would do. */
class PhraseTable {
  private constructor(private readonly lines: string) {}

  /** Folds all tables at once, which is quicker. A line may begin with the two letters of its language. */
  static fold<Name extends string>(texts: Readonly<Partial<Record<Name, string>>>): (name: Name) => PhraseTable {
    const names = Object.keys(texts);
    const joined = Object.values<string | undefined>(texts)
      .map((text = "") => text.trim().replace(/^[a-z]{2} (?=\S)/gm, ""))
      .join("\n\n")
      .replace(/, */g, "\n")
      .replaceAll("=", `${wholeWord} `);
    const folded = foldLines(joined).split("\n\n");
    const tables = new Map(folded.map((lines, index) => [names[index], new PhraseTable(`\n${lines}\n`)]));
    return (name) => tables.get(name) ?? empty;
  }

  has(phrase: string): boolean {
    return this.lines.includes(`\n${phrase}\n`);
  }

  /** The phrases that begin at one of some words, longest first. */
  findAt(tokens: readonly string[], index: number, isWhole = false): readonly (readonly string[])[] {
    const start = `\n${isWhole ? `${wholeWord} ` : ""}${tokens[index]}`;
    const found: (readonly string[])[] = [];
    for (let at = this.lines.indexOf(start); at >= 0; at = this.lines.indexOf(start, at + 1)) {
      const line = this.lines.slice(at + 1, this.lines.indexOf("\n", at + 1));
      const words = line.split(" ").slice(isWhole ? 1 : 0);
      if (words.every((word, offset) => tokens[index + offset] === word)) found.push(words);
    }
    return found.toSorted((a, b) => b.length - a.length);
  }

  listUnspaced(): readonly { readonly text: string; readonly isWhole: boolean }[] {
    return this.lines
      .split("\n")
      .filter(isUnspaced)
      .map((line) => {
        const isWhole = line.startsWith(`${wholeWord} `);
        return { text: line.slice(isWhole ? wholeWord.length : 0).replaceAll(" ", ""), isWhole };
      });
  }
}

const empty = PhraseTable.fold({ none: "" })("none");

/** Hangul, kana, Han. By ranges: \p{Script} takes some milliseconds at first use. */
const unspaced =
  /[\u1100-\u11ff\u2e80-\u2fdf\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7ff\uf900-\ufaff]/;

function isUnspaced(text: string): boolean {
  return unspaced.test(text);
}
