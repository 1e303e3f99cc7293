import { escapeUnprintable } from "../model/plain-text.ts";

/** JSON leaves much as it is that would act on a terminal or could not be seen: that is escaped, and stays exact. */
export function stringify(value: unknown, isPretty: boolean): string {
  return escapeUnprintable(isPretty ? JSON.stringify(value, undefined, 2) : JSON.stringify(value));
}
