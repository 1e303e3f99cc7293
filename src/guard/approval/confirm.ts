import { type Failure, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { findPlaces, type Places } from "../places.ts";
import { refuse } from "../refusals.ts";
import { askForPin, describeDamaged, readPin } from "./pin.ts";
import { Terminal } from "./terminal.ts";

/**
 * Succeeds only if a person says yes at this process's own terminal. Standard input does not count: a client could pipe
 * anything into it. docs/security.md says what a program can do that makes a terminal of its own.
 */
export async function confirmAtTerminal(
  question: string,
  { word = "yes", places = findPlaces(process.env) }: { readonly word?: string; readonly places?: Places } = {},
): Promise<Result<void>> {
  const terminal = Terminal.open();
  if (terminal === undefined) return fail(describeNoTerminal());
  try {
    const pin = readPin(places);
    if (pin === "damaged") return fail(describeDamaged(places));
    terminal.write(`${question}\n`);
    // The PIN replaces a plain yes, but not another word.
    if (word !== "yes" || pin === undefined) {
      const typed = await terminal.ask(`Type ${word} to allow it: `, () => false);
      if (typed?.trim().toLowerCase() !== word) {
        return fail(makeFailure("REFUSED", "it was not confirmed", undefined, { reason: "denied" }));
      }
    }
    if (pin === undefined) return succeed(undefined);
    terminal.write("To allow it, ");
    const key = await askForPin(places, pin, terminal, () => false);
    return key.ok ? succeed(undefined) : key;
  } finally {
    terminal.close();
  }
}

export function describeNoTerminal(): Failure {
  return refuse("unasked", "only a person at a terminal may do this", "run it in a terminal window.");
}
