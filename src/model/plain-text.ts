/**
 * Text from applications is data. Here it is made harmless before it is shown: bounded, on one line, without control
 * characters, bidirectional overrides, invisible characters or lone surrogates that could make a line read as another.
 */
const lineBreaks = /[\r\n\u0085\u2028\u2029]+/g;
/** The joiners that emoji and several scripts are written with stay; the mark for an embedded object goes. */
const unprintable = /[\p{Cc}\ufffc]|(?![\u200c\u200d])\p{Cf}/gu;

/** Nearly all text: printable ASCII without runs of spaces. */
const plain = /^(?:[!-~]+ )*[!-~]+$/;

export function cleanText(text: string, maxLength: number): string {
  if (text === "" || (text.length <= maxLength && plain.test(text))) return text;
  // A label of a megabyte is cut before it is searched, with room for what cleaning takes away.
  const head = text.length > maxLength * 4 ? text.slice(0, maxLength * 4) : text;
  const clean = head
    .replace(lineBreaks, " ")
    .replace(/\t/g, " ")
    .replace(unprintable, "")
    .toWellFormed()
    .replace(/ {2,}/g, " ")
    .trim();
  return shorten(clean, maxLength);
}

/** As cleanText, for a text of many lines: its line breaks and tabs stay, and so does its length. */
export function cleanLines(text: string): string {
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replace(/[^\n\t]+/g, (line) => (plain.test(line) ? line : line.replace(unprintable, "").toWellFormed()));
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
