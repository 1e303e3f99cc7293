import { type Failure, fail, nothingDone, type Result, succeed } from "../../model/failure.ts";
import { findPlaces, type Places } from "../places.ts";
import { askForPin, describeDamaged, readPin } from "./pin.ts";
import { Terminal } from "./terminal.ts";

/**
 * A person at this process's own terminal says yes, or it is a no. Standard input does not count: a client could pipe
 * anything into it. What a program with a terminal of its own making can do is told in docs/security.md.
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
    // Where more than a yes is wanted, the PIN does not stand for it.
    if (word !== "yes" || pin === undefined) {
      const typed = await terminal.ask(`Type ${word} to allow it: `, () => false);
      if (typed?.trim().toLowerCase() !== word) return fail(describeNo());
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
  return {
    code: "REFUSED",
    reason: "unasked",
    message: "only a person at a terminal may do this",
    suggestion: "run it in a terminal window.",
    done: nothingDone,
  };
}

function describeNo(): Failure {
  return { code: "REFUSED", reason: "denied", message: "it was not confirmed", done: nothingDone };
}
