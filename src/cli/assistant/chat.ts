import { createInterface, emitKeypressEvents, type Interface } from "node:readline";
import type { Helper } from "../../assistant/helper.ts";
import { describeUsage, fail, type Result, succeed } from "../../model/failure.ts";
import { defineCommand } from "../define.ts";
import { withHost } from "../demo/open.ts";
import { frame, isTerminal } from "../output.ts";
import { openHelper, readWindowId } from "./ask.ts";
import { describeOffers } from "./offers.ts";
import { StreamWriter, showUsage } from "./stream.ts";

interface Flags {
  readonly windowId?: string;
}

export const chat = defineCommand({
  name: "chat",
  summary: "Talk about the screen at this terminal.",
  description:
    "As ask does, in a conversation: a question back is answered with a number or a name, repeat does the last thing again. Each " +
    "message is a heading that a screen reader can jump to, and nothing is drawn over what was said before. Escape, Ctrl-C or a new " +
    "request cancels what is under way.",
  options: [["--window-id <id>", "the window that is meant, as deskmap list shows it"]],
  notes: "exit, or Ctrl-D, ends it.",
  examples: ["deskmap chat"],
  run: (flags: Flags) => run(flags),
});

const leave = /^(exit|quit chat|bye|ende|tschüss)$/iu;

async function run({ windowId }: Flags): Promise<Result<undefined>> {
  if (!isTerminal())
    return fail(describeUsage("a conversation needs a terminal", 'deskmap ask "…" answers one request'));
  const window = readWindowId(windowId);
  if (!window.ok) return window;
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: "> " });
  try {
    return await withHost(async (host) => {
      const cancel = { current: new AbortController() };
      const helper = openHelper(host, { windowId: window.value, signal: () => cancel.current.signal });
      cancelByKey(lines, () => cancel.current.abort());
      await converse(lines, helper, () => {
        cancel.current.abort();
        cancel.current = new AbortController();
      });
      return succeed(undefined);
    });
  } finally {
    lines.close();
  }
}

/** A line that is typed while an answer comes ends that answer. */
async function converse(lines: Interface, helper: Helper, begin: () => void): Promise<void> {
  let answering: Promise<void> = Promise.resolve();
  lines.prompt();
  for await (const line of lines) {
    if (leave.test(line.trim())) break;
    if (line.trim() === "") {
      lines.prompt();
      continue;
    }
    const before = answering;
    begin();
    await before;
    answering = answer(helper, line).finally(() => lines.prompt());
  }
  // At the end of piped input, what was asked is answered still.
  await answering;
}

async function answer(helper: Helper, line: string): Promise<void> {
  process.stdout.write("\n## Deskmap\n\n");
  const writer = new StreamWriter((text) => process.stdout.write(text));
  const { text, model, failure, understood } = await helper.answer(line, { onText: (part) => writer.add(part) });
  writer.flush();
  const ended = failure === undefined ? "" : `\n\n${failure.message}; ${failure.suggestion ?? ""}`;
  const offers = model === undefined && understood === undefined ? await describeOffers(process.env) : "";
  process.stdout.write(writer.hasWritten ? ended : frame([text, offers].filter((part) => part !== "").join(" "), 1));
  process.stdout.write(`${model === undefined ? "" : `\n\n${showUsage(model)}`}\n\nFinished.\n\n`);
}

function cancelByKey(lines: Interface, cancel: () => void): void {
  emitKeypressEvents(process.stdin, lines);
  process.stdin.on("keypress", (_text, key: { readonly name?: string } | undefined) => {
    if (key?.name === "escape") cancel();
  });
  lines.on("SIGINT", cancel);
}
