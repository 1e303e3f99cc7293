import * as z from "zod/mini";
import { writeClipboard } from "../act/system.ts";
import { type Selection, selections } from "../model/clipboard.ts";
import { noChanges } from "../model/effect.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import type { Session } from "../session.ts";
import { clipboardToCsv, clipboardToJson, showClipboard } from "../show/clipboard.ts";
import { dryRun, showOutcome } from "./acting.ts";
import { defineTool, type Shown } from "./define.ts";
import { anyText, oneOf, requiredOneOf } from "./fields.ts";

const actions = ["read", "write", "hold"] as const;
/** More would fill an agent's memory with one answer. */
const maxShown = 100_000;

const input = z.object({
  action: requiredOneOf(actions, actions.join(", ")),
  text: anyText("what to write; - takes it from standard input, unseen by others and of any size"),
  selection: oneOf(selections, "clipboard (the default), or primary: what the middle button pastes"),
  dryRun,
});
type Input = z.infer<typeof input>;

export const clipboard = defineTool({
  name: "clipboard",
  summary: "Read or write the clipboard.",
  description:
    "JSON has the text exactly, at most 100,000 characters of it; text output leaves out what could steer a terminal. An " +
    "empty clipboard is an empty text. What was written stays until something else is copied: a process in the background " +
    "holds it, or a clipboard manager where one runs. hold does the same without going to the background.",
  examples: [
    "deskmap clipboard read",
    "deskmap clipboard write Grüße",
    "deskmap clipboard write - < notes.txt",
    "deskmap clipboard read --selection primary",
  ],
  words: ["action", "text"],
  piped: "text",
  input,
  async run(given, session) {
    const unfit = refuseWords(given);
    if (unfit !== undefined) return fail(unfit);
    const { action, text = "", selection = "clipboard" } = given;
    if (action === "read") return read(session, selection);
    const desktop = await session.openPlatformToAct();
    if (!desktop.ok) return desktop;
    const options = { timeoutMs: session.timeoutMs, isDryRun: given.dryRun ?? false };
    if (action === "write") return showOutcome(await writeClipboard(desktop.value, text, selection, options));
    return hold(session, text, selection, options.isDryRun);
  },
});

function refuseWords({ action, text }: Input): Failure | undefined {
  const isWriting = action !== "read";
  if (isWriting === (text !== undefined)) return undefined;
  const message = isWriting ? `clipboard ${action} needs a text` : "clipboard read takes no text";
  const suggestion = isWriting ? `deskmap clipboard ${action} "some words"` : "deskmap clipboard read";
  return { code: "USAGE", message, suggestion, done: nothingDone };
}

async function read(session: Session, selection: Selection): Promise<Result<Shown>> {
  const desktop = await session.openPlatformToAct();
  if (!desktop.ok) return desktop;
  const held = await desktop.value.guard.readClipboard({ tool: "clipboard" }, selection);
  if (!held.ok) return held;
  const content = { selection, text: held.value.slice(0, maxShown).toWellFormed(), length: held.value.length };
  return succeed({
    text: () => showClipboard(content),
    json: (isPretty) => clipboardToJson(content, isPretty),
    csv: () => clipboardToCsv(content),
  });
}

async function hold(session: Session, text: string, selection: Selection, isDryRun: boolean): Promise<Result<Shown>> {
  const desktop = await session.openPlatformToAct();
  if (!desktop.ok) return desktop;
  const effect = {
    intent: "clipboard hold",
    target: { words: selection === "clipboard" ? "the clipboard" : "the primary selection" },
    way: "this process",
    passedOver: [],
    changes: noChanges,
    isRetrySafe: true,
  };
  if (isDryRun) return showOutcome(succeed({ ...effect, verdict: "refused", evidence: [], isDelivered: false }));
  const deed = { kind: "hold-clipboard", text: text.toWellFormed(), selection } as const;
  const held = await desktop.value.guard.carryOut(deed, { tool: "clipboard" });
  if (!held.ok) return held;
  return showOutcome(succeed({ ...effect, verdict: "confirmed", evidence: [held.value], isDelivered: true }));
}
