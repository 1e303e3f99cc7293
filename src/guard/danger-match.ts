import { dangerousPhrases } from "./danger-words.ts";
import { foldLabel, foldWord } from "./fold.ts";
import {
  agreeingLabels,
  decliningLabels,
  harmlessPhrases,
  permissionWords,
  savingWords,
  undoingWords,
} from "./harmless-words.ts";
import { type Danger, dangers, type Policy } from "./policy.ts";

interface Phrase {
  readonly danger: Danger;
  readonly words: readonly string[];
  /** Only where the label says nothing else. */
  readonly isWhole: boolean;
}

/** A label may hold a sensitive word anywhere, or must be brief and come to the point: what people wrote is no button. */
export type Measure = "anywhere" | "brief";

/** Which dangers a label tells of. */
export function findInLabel(text: string, measure: Measure, words: Policy["words"] = {}): readonly Danger[] {
  const found = new Set<Danger>();
  for (const reading of foldLabel(text)) {
    for (const danger of judgeReading(reading, measure, words)) found.add(danger);
  }
  return [...found];
}

function judgeReading(reading: string, measure: Measure, words: Policy["words"]): readonly Danger[] {
  const tokens = takeOutHarmless(reading);
  const bare = tokens.filter((token) => !isKeyName(token) && !lists().fillers.has(token));
  const compact = bare.join("");
  const found: Danger[] = [];
  for (const { danger, words: wanted, isWhole } of listCandidates(tokens, compact, words)) {
    const isScript = isUnspaced(wanted.join(""));
    const isAll = isScript ? dropLatin(compact) === wanted.join("") : bare.join(" ") === wanted.join(" ");
    const isBrief = isScript ? compact.length <= maxScriptLength : isToThePoint(bare, wanted);
    if (isWhole ? isAll : measure === "anywhere" || isBrief) found.push(danger);
  }
  return found;
}

const maxScriptLength = 12;
const briefCount = 3;
const pointedCount = 8;

/** A few words with one of them sensitive, or some more that begin with it. */
function isToThePoint(tokens: readonly string[], wanted: readonly string[]): boolean {
  if (tokens.length <= Math.max(briefCount, wanted.length)) return true;
  return tokens.length <= pointedCount && wanted.every((word, index) => tokens[index] === word);
}

function* listCandidates(tokens: readonly string[], compact: string, own: Policy["words"]): Generator<Phrase> {
  const { byFirst, scripts } = lists();
  for (const [index, token] of tokens.entries()) {
    for (const phrase of byFirst.get(token) ?? []) if (isAt(tokens, index, phrase.words)) yield phrase;
  }
  if (isUnspaced(compact)) {
    for (const phrase of scripts) if (compact.includes(phrase.words.join(""))) yield phrase;
  }
  for (const phrase of listOwn(own)) {
    const isThere = isUnspaced(phrase.words.join(""))
      ? compact.includes(phrase.words.join(""))
      : tokens.some((_token, index) => isAt(tokens, index, phrase.words));
    if (isThere) yield phrase;
  }
}

function listOwn(own: Policy["words"]): readonly Phrase[] {
  return dangers.flatMap((danger) =>
    (own[danger] ?? []).flatMap((word) =>
      // In some scripts a capital passes for another letter than its small form does.
      [...new Set([word, word.toLowerCase(), word.toUpperCase()].map(foldWord))]
        .filter((folded) => folded !== "")
        .map((folded) => ({ danger, words: folded.split(" "), isWhole: false })),
    ),
  );
}

function isAt(tokens: readonly string[], index: number, words: readonly string[]): boolean {
  return words.every((word, offset) => tokens[index + offset] === word);
}

/** Between what is left stands a word that no phrase has. */
const gap = "|";

function takeOutHarmless(reading: string): readonly string[] {
  const { harmless, harmlessScripts, undoing, saving } = lists();
  let text = ` ${reading} `;
  for (const phrase of harmless) text = text.replaceAll(` ${phrase} `, ` ${gap} `);
  if (isUnspaced(text)) for (const phrase of harmlessScripts) text = text.replaceAll(phrase, ` ${gap} `);
  const tokens = text.split(" ").filter((token) => token !== "");
  const left: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const undone = undoing.find((words) => isAt(tokens, at, words));
    const next = at + (undone?.length ?? 0);
    if (undone === undefined || tokens[next] === undefined || saving.has(tokens[next])) {
      left.push(tokens[at] ?? "");
      continue;
    }
    left.push(gap);
    at = next;
  }
  return left;
}

/** Whether a label is one of those that only say yes, or one of those that say no. */
export function isAgreeing(label: string): boolean {
  const readings = foldLabel(label).map(bareOf);
  // What says nothing at all, a tick for example, may be anything.
  return readings.every((reading) => reading === "") || readings.some((reading) => lists().agreeing.has(reading));
}

export function isDeclining(label: string): boolean {
  return foldLabel(label)
    .map(bareOf)
    .some((reading) => lists().declining.has(reading));
}

export function namesPermission(label: string): boolean {
  return foldLabel(label).some((reading) =>
    lists().permissions.some((word) =>
      isUnspaced(word) ? reading.includes(word) : ` ${reading} `.includes(` ${word} `),
    ),
  );
}

function bareOf(reading: string): string {
  return reading
    .split(" ")
    .filter((token) => token !== "" && !isKeyName(token))
    .join(" ");
}

/** A shortcut that is written into the label, a count, the letter of a mnemonic. */
function isKeyName(token: string): boolean {
  return lists().keys.has(token) || /^(\p{N}+|f\p{N}+|[a-z])$/u.test(token);
}

function isUnspaced(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text);
}

function dropLatin(text: string): string {
  return text.replace(/[a-z0-9|]/g, "");
}

const keyNames =
  "ctrl, control, strg, alt, shift, umschalt, maj, mayús, super, meta, cmd, command, del, entf, suppr, supr, canc, delete key, enter, return, backspace, esc, space";
const fillerWords =
  "yes, permanently, ok, now, just, ja, jetzt, endgültig, oui, définitivement, sí, sim, ahora, agora, tak, да, ano, evet, ora, nu";

interface Lists {
  readonly byFirst: ReadonlyMap<string, readonly Phrase[]>;
  readonly scripts: readonly Phrase[];
  readonly harmless: readonly string[];
  readonly harmlessScripts: readonly string[];
  readonly undoing: readonly (readonly string[])[];
  readonly saving: ReadonlySet<string>;
  readonly agreeing: ReadonlySet<string>;
  readonly declining: ReadonlySet<string>;
  readonly permissions: readonly string[];
  readonly keys: ReadonlySet<string>;
  readonly fillers: ReadonlySet<string>;
}

let made: Lists | undefined;

/** Made when the first label is judged. */
function lists(): Lists {
  made ??= makeLists();
  return made;
}

function makeLists(): Lists {
  const phrases = dangers.flatMap((danger) =>
    splitTable(dangerousPhrases[danger] ?? "").map((text): Phrase => {
      const isWhole = text.startsWith("=");
      return { danger, words: foldWord(text).split(" "), isWhole };
    }),
  );
  const scripts = phrases
    .filter(({ words }) => isUnspaced(words.join("")))
    .map((phrase) => ({ ...phrase, words: [phrase.words.join("")] }));
  const spaced = phrases.filter(({ words }) => !isUnspaced(words.join("")));
  const harmless = splitTable(harmlessPhrases).map(foldWord);
  const toSet = (table: string): ReadonlySet<string> => new Set(splitTable(table).map((text) => bareWord(text)));
  return {
    byFirst: Map.groupBy(spaced, ({ words }) => words[0] ?? ""),
    scripts,
    harmless: harmless.filter((text) => !isUnspaced(text)),
    // The longest first: a part of one must not leave the rest of it standing.
    harmlessScripts: harmless.filter(isUnspaced).toSorted((a, b) => b.length - a.length),
    undoing: splitTable(undoingWords).map((text) => foldWord(text).split(" ")),
    saving: toSet(savingWords),
    agreeing: toSet(agreeingLabels),
    declining: toSet(decliningLabels),
    permissions: splitTable(permissionWords).map(foldWord),
    keys: toSet(keyNames),
    fillers: toSet(fillerWords),
  };
}

/** As bareOf, which needs the lists. */
function bareWord(text: string): string {
  return foldWord(text)
    .split(" ")
    .filter((token) => !/^[a-z]$/.test(token))
    .join(" ");
}

/** Each line begins with its language, where it names one. */
function splitTable(table: string): string[] {
  return table
    .split("\n")
    .flatMap((line) => line.replace(/^[a-z]{2} (?=\S)/, "").split(","))
    .map((text) => text.trim())
    .filter((text) => text !== "");
}
