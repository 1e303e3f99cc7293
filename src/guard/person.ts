import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { type Failure, fail, nothingDone, type Result, succeed } from "../model/failure.ts";

/**
 * A person at this process's own terminal says yes, or it is a no. Standard input does not count: a client could pipe
 * anything into it. What a program with a terminal of its own making can do is told in docs/security.md.
 */
export async function confirmAtTerminal(question: string): Promise<Result<void>> {
  const terminal = openTerminal();
  if (terminal === undefined) return fail(describeNoTerminal());
  try {
    writeSync(terminal, `${question}\nType yes to allow it: `);
    return readLine(terminal).trim().toLowerCase() === "yes" ? succeed(undefined) : fail(describeNo());
  } finally {
    closeSync(terminal);
  }
}

function openTerminal(): number | undefined {
  try {
    return openSync("/dev/tty", "r+");
  } catch {
    return undefined;
  }
}

function readLine(terminal: number): string {
  const bytes = Buffer.alloc(256);
  return bytes.toString("utf8", 0, readSync(terminal, bytes));
}

function describeNoTerminal(): Failure {
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
