/** Equal as text, or as numbers: 5 is 5.00. */
export function isSameValue(value: string, wanted: string): boolean {
  if (value === wanted) return true;
  const [a, b] = [value, wanted].map((text) => (text.trim() === "" ? Number.NaN : Number(text)));
  return a === b;
}

/** The part of the text that is new; it may have replaced a selection. */
export function findInserted(before: string, after: string): string | undefined {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return after.length - end > start ? after.slice(start, after.length - end) : undefined;
}

/**
 * Whether new text is the typed one. If it repeats the text around it ("a" typed before "aa"), the found part may start
 * earlier or later: then it is a rotation of the typed text.
 */
export function isTyped(inserted: string, typed: string): boolean {
  if (inserted === typed) return true;
  return inserted.length === typed.length && `${typed}${typed}`.includes(inserted);
}
