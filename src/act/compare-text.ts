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

/** Whether a text came in as a whole: between two parts of the old text, of which it may have replaced what was there. */
export function isInserted(before: string, after: string, typed: string): boolean {
  for (let at = after.indexOf(typed); at >= 0; at = after.indexOf(typed, at + 1)) {
    const rest = after.slice(at + typed.length);
    const isRoom = at + rest.length <= before.length;
    if (isRoom && before.startsWith(after.slice(0, at)) && before.endsWith(rest)) return true;
  }
  return false;
}
