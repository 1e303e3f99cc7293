import type { Demo } from "./file.ts";

/**
 * Where a text comes from. A value in what a step did is there because it was typed. In a title a number may be that of a
 * window, and a short word in a control's own name may be there by chance: the step would look for another control.
 */
export type TextKind = "ref" | "title" | "effect";

/** Shorter values occur in names by chance. */
const shortestNamed = 4;
const placeholder = /(\{\{[a-z][a-z0-9_]{0,39}\}\})/;

/** Puts parameters into a text in place of their recorded values, where these are whole words in it. */
export function abstractText(text: string, parameters: Demo["parameters"], kind: TextKind = "ref"): string {
  const known = Object.entries(parameters).flatMap(([name, { default: value = "", type, from }]) => {
    const word = value.trim();
    return word === "" || type === "secret" || from !== undefined ? [] : [{ name, word, type }];
  });
  const whole = known.find(({ word }) => word === text);
  if (whole !== undefined) return `{{${whole.name}}}`;
  return known
    .filter(({ word, type }) => isMeant(word, type === "number", kind))
    .toSorted((a, b) => b.word.length - a.word.length)
    .reduce((done, { name, word }) => replaceWord(done, word, `{{${name}}}`), text);
}

function isMeant(word: string, isNumber: boolean, kind: TextKind): boolean {
  if (word.length >= shortestNamed) return true;
  // A sign alone stands in every second text.
  if (!/[\p{L}\p{N}]/u.test(word)) return false;
  return kind === "effect" || (kind === "title" && !isNumber);
}

function replaceWord(text: string, word: string, by: string): string {
  if (!text.includes(word)) return text;
  const pattern = wordPattern(word, "gu");
  const parts = text.split(placeholder);
  return parts.map((part, index) => (index % 2 === 1 ? part : part.replace(pattern, () => by))).join("");
}

function wordPattern(word: string, flags: string): RegExp {
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, flags);
}

/** Whether a text has a value that was typed as it was then: as a word, in other letters, or as a part of a longer word. */
export function hasLiteral(text: string, value: string): boolean {
  const word = value.trim();
  const rest = text.split(placeholder).filter((_, index) => index % 2 === 0);
  if (word.length >= shortestNamed) return rest.some((part) => part.toLowerCase().includes(word.toLowerCase()));
  return word !== "" && rest.some((part) => wordPattern(word, "iu").test(part));
}
