import { createInterface, emitKeypressEvents, type Interface } from "node:readline";
import type { Assistant } from "../../assistant/assistant.ts";
import { describeUsage, fail, type Result, succeed } from "../../model/failure.ts";
import { defineCommand } from "../define.ts";
import { withHost } from "../demo/open.ts";
import { frame, isTerminal } from "../output.ts";
import { openAssistant, readWindowId } from "./ask.ts";

interface Flags {
  readonly windowId?: string;
}

export const chat = defineCommand({
  name: "chat",
  summary: "Talk about the screen at this terminal.",
  description:
    "As ask does, in a conversation: a question back is answered with a number or a name, repeat does the last thing again. Each " +
    "message is a heading that a screen reader can jump to, and nothing is drawn over what was said before. Escape or Ctrl-C cancels what is under way.",
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
      const assistant = openAssistant(host, { windowId: window.value, signal: () => cancel.current.signal });
      cancelByKey(lines, () => cancel.current.abort());
      await converse(lines, assistant, () => {
        cancel.current = new AbortController();
      });
      return succeed(undefined);
    });
  } finally {
    lines.close();
  }
}

async function converse(lines: Interface, assistant: Assistant, begin: () => void): Promise<void> {
  lines.prompt();
  for await (const line of lines) {
    if (leave.test(line.trim())) return;
    if (line.trim() !== "") {
      begin();
      const { text } = await assistant.answer(line);
      process.stdout.write(`\n## Deskmap\n\n${frame(text, 1)}\n\nFinished.\n\n`);
    }
    lines.prompt();
  }
}

function cancelByKey(lines: Interface, cancel: () => void): void {
  emitKeypressEvents(process.stdin, lines);
  process.stdin.on("keypress", (_text, key: { readonly name?: string } | undefined) => {
    if (key?.name === "escape") cancel();
  });
  lines.on("SIGINT", cancel);
}
