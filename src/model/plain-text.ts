/**
 * Text from applications is data. Here it is made harmless before it is shown: bounded, on one line, without control
 * characters, bidirectional overrides, invisible characters or lone surrogates that could make a line read as another.
 */
const lineBreaks = /[\r\n\u0085\u2028\u2029]+/g;
/**
 * What acts, turns the direction or cannot be seen, the mark for an embedded object and the empty Braille cell with it.
 * Joiners and variation selectors are written in emoji and in several scripts: they are looked at one by one below.
 */
const unprintable =
  /[\p{Cc}\ufffc\u2800]|(?![\p{Join_Control}\p{Variation_Selector}])[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const particular = /[\p{Join_Control}\p{Variation_Selector}]/u;
/** A run of them can carry a whole hidden message: each stays only beside characters that it is made for. */
const strays = [
  /(?<!\p{Script=Han})[\u{e0100}-\u{e01ef}]/gu,
  /(?<=^|[\s\p{Join_Control}\p{Variation_Selector}])\p{Variation_Selector}/gu,
  /(?<=^|[\p{ASCII}\p{Join_Control}])\p{Join_Control}|\p{Join_Control}(?=$|[\p{ASCII}\p{Join_Control}\p{Variation_Selector}])/gu,
];

/** Nearly all text: printable ASCII without runs of spaces. */
const plain = /^(?:[!-~]+ )*[!-~]+$/;

export function cleanText(text: string, maxLength: number): string {
  if (text === "" || (text.length <= maxLength && plain.test(text))) return text;
  // A label of a megabyte is cut before it is searched, with room for what cleaning takes away.
  const head = text.length > maxLength * 4 ? text.slice(0, maxLength * 4) : text;
  const clean = dropUnprintable(head.replace(lineBreaks, " ").replace(/\t/g, " ")).replace(/ {2,}/g, " ").trim();
  return shorten(clean, maxLength);
}

/** As cleanText, for a text of many lines: its line breaks and tabs stay, and so does its length. */
export function cleanLines(text: string): string {
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replace(/[^\n\t]+/g, (line) => (plain.test(line) ? line : dropUnprintable(line)));
}

/** A whole answer, made of lines of ours, once more: what was cleaned before stays as it is, and no line is added. */
export function cleanAnswer(text: string): string {
  return cleanLines(text.replace(/[\r\u0085\u2028\u2029]/g, " "));
}

/** One line of such an answer: a note, a reason, a fact, with words of applications somewhere in it. */
export function cleanLine(text: string): string {
  return shorten(cleanAnswer(text.replaceAll("\n", " ")), maxLine);
}

const maxLine = 2000;

function dropUnprintable(text: string): string {
  const rest = text.replace(unprintable, "").toWellFormed();
  if (!particular.test(rest)) return rest;
  return strays.reduce((kept, stray) => kept.replace(stray, ""), rest);
}

/** A JSON text in which nothing acts or hides, and which means the same. */
export function escapeUnprintable(json: string): string {
  if (onlyAscii.test(json)) return json;
  return [/[\u2028\u2029]/g, unprintable, ...strays].reduce((text, found) => text.replace(found, escapeUnits), json);
}

const onlyAscii = /^[\n -~]*$/;

function escapeUnits(character: string): string {
  // Between its strings a JSON text may have line breaks; in them it has none.
  if (character === "\n") return character;
  return Array.from({ length: character.length }, (_, at) => escapeUnit(character.charCodeAt(at))).join("");
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

/**
 * Words of an application between quotes, in the way of JSON: a quote inside has a backslash before it, so that a bare one
 * always closes. The wide forms of both are escaped too, since normalising (NFKC) would make quotes and backslashes of them.
 */
export function quoteText(text: string, maxLength = maxQuoted): string {
  return JSON.stringify(cleanText(text, maxLength)).replace(/[\uff02\uff3c\ufe68]/g, escapeUnits);
}

const maxQuoted = 120;

/** A name that an application chose: one that is not a plain word stands in quotes like all its words. */
export function quoteName(name: string): string {
  const clean = cleanText(name, maxQuoted);
  return /^[\p{L}\p{N}._-]+$/u.test(clean) ? clean : quoteText(clean);
}

/** A word in a command that somebody may copy into a shell: it stays one word, and nothing in it is run. */
export function quoteArgument(text: string): string {
  const clean = cleanText(text, maxQuoted);
  return /^[\w.][\w./-]*$/.test(clean) ? clean : `'${clean.replaceAll("'", "'\\''")}'`;
}

/** Cuts to at most `maxLength` UTF-16 units, never through a character, and marks the cut. */
export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  let end = Math.max(0, maxLength - 1);
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return `${text.slice(0, end)}…`;
}

/** Cuts the start instead of the end. */
export function shortenStart(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  let start = text.length - Math.max(0, maxLength - 1);
  const first = text.charCodeAt(start);
  if (first >= 0xdc00 && first <= 0xdfff) start += 1;
  return `…${text.slice(start)}`;
}
