import { shorten } from "../model/plain-text.ts";

const context = 20;

/** Two texts from shortly before where they begin to differ: the change in a long text is not cut away. */
export function showAround(before: string, after: string, maxLength: number): readonly [string, string] {
  const isLong = before.length > maxLength || after.length > maxLength;
  const start = isLong ? Math.max(0, countCommon(before, after) - context) : 0;
  const cut = (text: string): string => shorten(start === 0 ? text : `…${text.slice(start)}`, maxLength);
  return [cut(before), cut(after)];
}

/** How many characters are the same from the start, never half of one. */
function countCommon(before: string, after: string): number {
  const most = Math.min(before.length, after.length);
  let count = 0;
  while (count < most && before.charCodeAt(count) === after.charCodeAt(count)) count += 1;
  const last = before.charCodeAt(count - 1);
  return last >= 0xd800 && last <= 0xdbff ? count - 1 : count;
}
