import { shorten, shortenStart } from "../model/plain-text.ts";
import type { Role } from "../model/role.ts";

/** A long value is cut at its end; a terminal's at its start, because what happens there happens at the end. */
export function cutValue(role: Role, value: string, maxLength: number): string {
  return role === "terminal" ? shortenStart(value, maxLength) : shorten(value, maxLength);
}
