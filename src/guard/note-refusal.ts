import type { Failure } from "../model/failure.ts";
import type { Records } from "./records.ts";

/** What is in the log already: a refusal passes several hands on its way out. */
const noted = new WeakSet<Failure>();

/**
 * Writes a refusal down, once, by whatever part of the guard it was made; other failures are none. What is to be told says
 * so where it could not be written.
 */
export function noteRefusal(
  records: Pick<Records, "write">,
  { client, tool }: { readonly client: string; readonly tool: string },
  failure: Failure,
  isRefusal = failure.code === "REFUSED",
): Failure {
  if (!isRefusal || noted.has(failure)) return failure;
  noted.add(failure);
  const { reason, code, message: words } = failure;
  const written = records.write({ what: "refused", client, tool, effect: reason ?? code, words });
  if (written.ok) return failure;
  const told = { ...failure, message: `${words}; and that is not in the log: ${written.failure.message}` };
  noted.add(told);
  return told;
}
