import { createInterface } from "node:readline";
import { cleanLine } from "../../model/plain-text.ts";

/** Progress, beside the answer. */
export function tell(line: string): void {
  process.stderr.write(`${cleanLine(line)}\n`);
}

/** One line from the terminal; undefined at its end. */
export function askAtTerminal(question: string): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    lines.once("close", () => resolve(undefined));
    lines.once("SIGINT", () => lines.close());
    lines.question(question, (answer) => {
      resolve(answer);
      lines.close();
    });
  });
}
