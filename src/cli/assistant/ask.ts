import { Assistant, type AssistantOptions, type Reply } from "../../assistant/assistant.ts";
import type { Host } from "../../host/port.ts";
import { describeUsage, fail, type Result, succeed } from "../../model/failure.ts";
import { processes } from "../../os/index.ts";
import { defineAnswer } from "../define.ts";
import { withHost } from "../demo/open.ts";
import { isTerminal } from "../output.ts";
import { cancelOnInterrupt } from "../tell.ts";
import { replyForms, replyOutput } from "./forms.ts";

interface Flags {
  readonly windowId?: string;
}

export const ask = defineAnswer({
  name: "ask",
  summary: "Ask about the screen, or say what to do, in plain words.",
  description:
    "Understands plain requests in English and German without a model and without a network: press, type, check, open, close, " +
    "switch, scroll, read, find. It says what it did and the effect that was seen. Where several controls could be meant, it asks; " +
    "what is sensitive is asked as always. Requests are about the window in use, or the one in front if that is this terminal.",
  words: [["<request...>", "what to do or to tell, in plain words"]],
  options: [["--window-id <id>", "the window that is meant, as deskmap list shows it"]],
  notes:
    "Exit codes: 0 done or answered, 1 not done (also: a question back), 2 wrong usage, 3 refused by the guard, 4 done, effect not seen.",
  examples: [
    'deskmap ask "press Save"',
    'deskmap ask "type hello in Name"',
    'deskmap ask "what can I do here?"',
    'deskmap ask "wo bin ich?"',
  ],
  output: replyOutput,
  forms: replyForms,
  encloses: () => true,
  run: (flags: Flags, words) => run(words.join(" "), flags),
});

async function run(request: string, { windowId }: Flags): Promise<Result<Reply>> {
  if (request.trim() === "") return fail(describeUsage("nothing is asked", 'deskmap ask "press Save"'));
  const window = readWindowId(windowId);
  if (!window.ok) return window;
  return cancelOnInterrupt(true, (signal) =>
    withHost(async (host) =>
      succeed(
        await openAssistant(host, { windowId: window.value, ...(signal && { signal: () => signal }) }).answer(request),
      ),
    ),
  );
}

export function readWindowId(given: string | undefined): Result<number | undefined> {
  if (given === undefined) return succeed(undefined);
  const id = Number(given);
  return Number.isInteger(id) && id > 0
    ? succeed(id)
    : fail(describeUsage(`--window-id "${given}" is no window id`, "deskmap list shows the ids"));
}

/** The terminal of the conversation is never meant. */
export function openAssistant(host: Host, options: AssistantOptions): Assistant {
  const lineage = new Set(processes.listLineage(process.pid));
  return new Assistant(host, { ...options, isTyped: isTerminal(), isOwn: ({ pid }) => lineage.has(pid) });
}
