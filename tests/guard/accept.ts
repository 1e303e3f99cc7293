import type { Places } from "../../src/guard/places.ts";
import { acceptPolicy } from "../../src/guard/policy/edit.ts";
import { readOwnFile } from "../../src/guard/policy/file.ts";

/** What a person does with deskmap policy accept, without the person: the file as it is now, or that there is none. */
export function acceptAsItIs(places: Places): void {
  const text = readOwnFile(places.policy);
  const done = text.ok ? acceptPolicy(places, text.value) : text;
  // One that cannot be read cannot be accepted either.
  if (text.ok && !done.ok) throw new Error(done.failure.message);
}
