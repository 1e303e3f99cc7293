import { Helper } from "../../assistant/helper.ts";
import type { AssistantOptions, Reply } from "../../assistant/reply.ts";
import type { Host } from "../../host/port.ts";
import { describeUsage, fail, type Result, succeed } from "../../model/failure.ts";
import { processes } from "../../os/index.ts";
import { defineAnswer } from "../define.ts";
import { withHost } from "../demo/open.ts";
import { isTerminal, print } from "../output.ts";
import { cancelOnInterrupt, chooseFormat } from "../tell.ts";
import { exitCodeOfReply, replyForms, replyOutput } from "./forms.ts";
import { describeOffers } from "./offers.ts";
import { StreamWriter, showUsage } from "./stream.ts";

interface Flags {
  readonly windowId?: string;
  readonly aiContext?: boolean;
  readonly aiQuery?: string;
  readonly format?: string;
}

export const ask = defineAnswer({
  name: "ask",
  summary: "Ask about the screen, or say what to do, in plain words.",
  description:
    "Understands plain requests in English and German without a model and without a network: press, type, check, open, close, " +
    "switch, scroll, read, find. It says what it did and the effect that was seen. Where several controls could be meant, it asks; " +
    "what is sensitive is asked as always. Requests are about the window in use, or the one in front if that is this terminal. " +
    "What it does not understand goes to a model, if one is configured and a person has allowed its host (deskmap recipients).",
  words: [["[request...]", "what to do or to tell, in plain words"]],
  options: [
    ["--window-id <id>", "the window that is meant, as deskmap list shows it"],
    ["--ai-context", "print what a model would be told of the screen, and send nothing"],
    ["--ai-query <request>", "print the whole request that would be sent, and send nothing"],
  ],
  notes:
    "Exit codes: 0 done or answered, 1 not done (also: a question back), 2 wrong usage, 3 refused by the guard, 4 done, effect not seen.",
  examples: [
    'deskmap ask "press Save"',
    'deskmap ask "type hello in Name"',
    'deskmap ask "what can I do here?"',
    'deskmap ask "wo bin ich?"',
    "deskmap ask --ai-context",
  ],
  output: replyOutput,
  forms: replyForms,
  encloses: () => true,
  run: (flags: Flags, words) => run(words.join(" "), flags),
});

async function run(request: string, flags: Flags): Promise<Result<Reply | undefined>> {
  const isPreview = flags.aiContext === true || flags.aiQuery !== undefined;
  if (request.trim() === "" && !isPreview) {
    return fail(describeUsage("nothing is asked", 'deskmap ask "press Save"'));
  }
  const window = readWindowId(flags.windowId);
  if (!window.ok) return window;
  const isStreamed = isTerminal() && chooseFormat(flags.format) === "text";
  return cancelOnInterrupt<Result<Reply | undefined>>(true, (signal) =>
    withHost(async (host) => {
      const helper = openHelper(host, { windowId: window.value, ...(signal && { signal: () => signal }) });
      if (isPreview) return preview(helper, flags);
      return answer(helper, request, isStreamed);
    }),
  );
}

async function preview(helper: Helper, { aiQuery = "" }: Flags): Promise<Result<undefined>> {
  const told = await helper.preview(aiQuery);
  if (!told.ok) return told;
  const unwritten = await print(aiQuery === "" ? told.value.instructions : told.value.body);
  return unwritten === undefined ? succeed(undefined) : fail(unwritten);
}

async function answer(helper: Helper, request: string, isStreamed: boolean): Promise<Result<Reply | undefined>> {
  const writer = new StreamWriter((text) => process.stdout.write(text));
  const reply = await helper.answer(request, isStreamed ? { onText: (text) => writer.add(text) } : {});
  writer.flush();
  const { model, failure } = reply;
  if (!writer.hasWritten || model === undefined) {
    const offers = model === undefined && reply.understood === undefined ? await describeOffers(process.env) : "";
    return succeed(offers === "" ? reply : { ...reply, text: `${reply.text} ${offers}` });
  }
  const told = failure === undefined ? "" : `\n\n${failure.message}; ${failure.suggestion ?? ""}`;
  process.stdout.write(`${told}\n\n${showUsage(model)}\n`);
  process.exitCode = exitCodeOfReply(reply);
  return succeed(undefined);
}

export function readWindowId(given: string | undefined): Result<number | undefined> {
  if (given === undefined) return succeed(undefined);
  const id = Number(given);
  return Number.isInteger(id) && id > 0
    ? succeed(id)
    : fail(describeUsage(`--window-id "${given}" is no window id`, "deskmap list shows the ids"));
}

/** The terminal of the conversation is never meant. */
export function openHelper(host: Host, options: AssistantOptions): Helper {
  const lineage = new Set(processes.listLineage(process.pid));
  const isOwn: AssistantOptions["isOwn"] = ({ pid }) => lineage.has(pid);
  return new Helper(host, { ...options, isTyped: isTerminal(), isOwn, variables: () => process.env });
}
