import { connectHost } from "../../client/connect.ts";
import { type Failure, fail, type Result, succeed } from "../../model/failure.ts";
import { defineCommand } from "../define.ts";
import { printNow } from "../output.ts";

/** Prints what a person does, one JSON object a line: {"of":"begun"}, then {"of":"step", …} for each step. */
export const listen = defineCommand({
  name: "listen",
  summary: "",
  isHidden: true,
  words: [["[name]", ""]],
  run: (_flags, [name]) => printSteps(name),
});

async function printSteps(name: string | undefined): Promise<Result<undefined>> {
  const host = await connectHost(process.env, { start: true });
  if (!host.ok) return host;
  const ending = new AbortController();
  const end = (): void => ending.abort();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, end);
  let failure: Failure | undefined;
  try {
    // What was under way at the signal still comes.
    for await (const one of host.value.listen({ name, isTyped: true }, ending.signal)) {
      if (one.ok) printNow(`${JSON.stringify(one.value)}\n`);
      else failure = one.failure;
    }
  } finally {
    await host.value.close();
  }
  return failure === undefined ? succeed(undefined) : fail(failure);
}
