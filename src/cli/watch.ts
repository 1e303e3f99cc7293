import type { ChangeLine } from "../model/change-line.ts";
import type { Failure, Result } from "../model/failure.ts";
import { ChangeText, lineToJson } from "../show/changes.ts";
import type { Format } from "../tools/arguments.ts";
import { frame } from "./output.ts";

type Batches = AsyncIterable<Result<readonly ChangeLine[]>>;

/** Prints each batch of a watch as it comes, until the reader goes away or a signal ends it. Returns any other reason as a failure. */
export async function printBatches(
  open: (signal: AbortSignal) => Batches,
  format: Format,
): Promise<Failure | undefined> {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of signals) process.once(name, end);
  // Its first use costs time at the start, but only it waits for a slow reader.
  const { stdout } = process;
  stdout.on("error", end);
  const printer = format === "text" ? makeTextPrinter() : undefined;
  try {
    for await (const batch of open(ending.signal)) {
      if (!batch.ok) return batch.failure;
      const text = printer === undefined ? batch.value.map(lineToJson).join("\n") : printer(batch.value);
      if (text !== "") await write(stdout, `${text}\n`, ending.signal);
      if (ending.signal.aborted) return undefined;
    }
    return undefined;
  } finally {
    for (const name of signals) process.removeListener(name, end);
  }
}

function makeTextPrinter(): (lines: readonly ChangeLine[]) => string {
  const printer = new ChangeText();
  return (lines) => {
    const text = printer.show(lines).join("\n");
    return text === "" ? "" : frame(text, 1);
  };
}

/** Waits until the text is taken, so that nothing is read from the desktop for a reader that does not read. */
function write(stdout: NodeJS.WriteStream, text: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const give = (): void => resolve();
    signal.addEventListener("abort", give, { once: true });
    stdout.write(text, () => {
      signal.removeEventListener("abort", give);
      resolve();
    });
  });
}
