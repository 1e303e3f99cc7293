/**
 * Text from applications is data. It is sanitised before display: bounded, on one line, without control characters,
 * bidirectional overrides, invisible characters or lone surrogates that could disguise a line.
 */
const lineBreaks = /[\r\n\u0085\u2028\u2029]+/g;
/**
 * Control, direction and invisible characters, including the object replacement character and what scripts have for a blank:
 * the empty Braille cell, the null notehead, the blanks of hieroglyphs, the filler of Khitan.
 * Joiners and variation selectors are used in emoji and several scripts and are handled below.
 */
const unprintable =
  /[\p{Cc}\ufffc\u2800\u{1d159}\u{13441}\u{13442}\u{16fe4}]|(?![\p{Join_Control}\p{Variation_Selector}])[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const particular = /[\p{Join_Control}\p{Variation_Selector}]/u;
/** A run of them can carry a hidden message: each is kept only next to characters it applies to. */
const strays = [
  /(?<!\p{Script=Han})[\u{e0100}-\u{e01ef}]/gu,
  /(?<=^|[\s\p{Join_Control}\p{Variation_Selector}])\p{Variation_Selector}/gu,
  /(?<=^|[\p{ASCII}\p{Join_Control}])\p{Join_Control}|\p{Join_Control}(?=$|[\p{ASCII}\p{Join_Control}\p{Variation_Selector}])/gu,
];

/** Between the parts of a text that something else stands between. */
export const partGap = " … ";

/** The common case: printable ASCII without runs of spaces. */
const plain = /^(?:[!-~]+ )*[!-~]+$/;

export function cleanText(text: string, maxLength: number): string {
  if (text === "" || (text.length <= maxLength && plain.test(text))) return text;
  // Very long labels are cut before matching, with room for what is removed.
  const head = text.length > maxLength * 4 ? text.slice(0, maxLength * 4) : text;
  const clean = dropUnprintable(head.replace(lineBreaks, " ").replace(/\t/g, " ")).replace(/ {2,}/g, " ").trim();
  return shorten(clean, maxLength);
}

/** Like cleanText for multi-line text: keeps line breaks, tabs and length. */
export function cleanLines(text: string): string {
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replace(/[^\n\t]+/g, (line) => (plain.test(line) ? line : dropUnprintable(line)));
}

/** Sanitises a complete answer of our own lines: already clean text is unchanged, and no line is added. */
export function cleanAnswer(text: string): string {
  return cleanLines(text.replace(/[\r\u0085\u2028\u2029]/g, " "));
}

/** One line of an answer that may contain text from applications. */
export function cleanLine(text: string): string {
  return shorten(cleanAnswer(text.replaceAll("\n", " ")), maxLine);
}

const maxLine = 2000;

function dropUnprintable(text: string): string {
  const rest = text.replace(unprintable, "").toWellFormed();
  if (!particular.test(rest)) return rest;
  return strays.reduce((kept, stray) => kept.replace(stray, ""), rest);
}

/** Variation selectors, private-use and unassigned characters: fonts show them as nothing, or as anything. */
const unsure = /[\p{Variation_Selector}\p{Co}\p{Cn}]/gu;

/** Text that is clean already, with what a font may not show as an escape. */
export function escapeUnsure(text: string): string {
  return text.replace(unsure, escapeUnits);
}

/** Quotes text as JSON does, complete, with every control, invisible and unusual space character as an escape. */
export function showExactly(text: string): string {
  const quoted = escapeUnsure(escapeUnprintable(JSON.stringify(text.toWellFormed())));
  return quoted.replace(/(?! )[\p{Zs}\uff02\uff3c\ufe68]/gu, escapeUnits);
}

/** Equivalent JSON without control or invisible characters. */
export function escapeUnprintable(json: string): string {
  if (onlyAscii.test(json)) return json;
  return [/[\u2028\u2029]/g, unprintable, ...strays].reduce((text, found) => text.replace(found, escapeUnits), json);
}

const onlyAscii = /^[\n -~]*$/;

function escapeUnits(character: string): string {
  // JSON may have line breaks between tokens, never inside strings.
  if (character === "\n") return character;
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/**
 * Quotes text from an application as JSON does, so that a bare quote always ends it. Full-width quotes and backslashes
 * are escaped too, since NFKC would turn them into plain ones.
 */
export function quoteText(text: string, maxLength = maxQuoted): string {
  return JSON.stringify(cleanText(text, maxLength)).replace(/[\uff02\uff3c\ufe68]/g, escapeUnits);
}

const maxQuoted = 120;

/** A name chosen by an application: quoted unless it is a plain word. */
export function quoteName(name: string): string {
  const clean = cleanText(name, maxQuoted);
  return /^[\p{L}\p{N}._-]+$/u.test(clean) ? clean : quoteText(clean);
}

/** Quotes an argument of a command that a person may copy into a shell. */
export function quoteArgument(text: string): string {
  const clean = cleanText(text, maxQuoted);
  return /^[\w.][\w./-]*$/.test(clean) ? clean : `'${clean.replaceAll("'", "'\\''")}'`;
}

/** Truncates to at most `maxLength` UTF-16 units, never inside a character, with an ellipsis. */
export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  let end = Math.max(0, maxLength - 1);
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return `${text.slice(0, end)}…`;
}

export function shortenStart(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  let start = text.length - Math.max(0, maxLength - 1);
  const first = text.charCodeAt(start);
  if (first >= 0xdc00 && first <= 0xdfff) start += 1;
  return `…${text.slice(start)}`;
}
