import type { Places } from "../../src/guard/places.ts";
import { acceptPolicy } from "../../src/guard/policy/edit.ts";
import { readOwnFile } from "../../src/guard/policy/file.ts";

/** Does what `deskmap policy accept` does, without asking a person: accepts the current file, or its absence. */
export function acceptAsItIs(places: Places): void {
  const text = readOwnFile(places.policy);
  const done = text.ok ? acceptPolicy(places, text.value) : text;
  // An unreadable file cannot be accepted either.
  if (text.ok && !done.ok) throw new Error(done.failure.message);
}
