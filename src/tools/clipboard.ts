import * as z from "zod/mini";
import { writeClipboard } from "../act/clipboard.ts";
import type { Gate } from "../guard/gate.ts";
import { type Selection, selections } from "../model/clipboard.ts";
import { describeUsage, type Failure, fail, type Result, succeed } from "../model/failure.ts";
import { type ClipboardText, clipboardForms, clipboardOutput } from "../show/clipboard.ts";
import { dryRun } from "./acting.ts";
import { defineTool } from "./define.ts";
import { anyText, oneOf, requiredOneOf } from "./fields.ts";

const actions = ["read", "write"] as const;
/** More would fill an agent's context with one answer. */
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
    "JSON has the text exactly, at most 100,000 characters of it; the other formats leave out what could control a terminal. An " +
    "empty clipboard is an empty text. Written text stays until something else is copied: a background process holds it, " +
    "or a clipboard manager if one runs.",
  examples: [
    "deskmap clipboard read",
    "deskmap clipboard write Grüße",
    "deskmap clipboard write - < notes.txt",
    "deskmap clipboard read --selection primary",
  ],
  words: ["action", "text"],
  piped: "text",
  unspoken: ["text"],
  daily: { says: "Read or write the clipboard.", fields: { action: "", text: "" } },
  input,
  isReport: true,
  output: clipboardOutput,
  forms: clipboardForms,
  effectOf: (value) => ("verdict" in value ? value : undefined),
  async run(given, session) {
    const unfit = refuseWords(given);
    if (unfit !== undefined) return fail(unfit);
    const { action, text = "", selection = "clipboard", dryRun: isDryRun = false } = given;
    const desktop = await session.openPlatformToAct();
    if (!desktop.ok) return desktop;
    const { guard } = desktop.value;
    const options = { timeoutMs: session.timeoutMs, isDryRun };
    switch (action) {
      case "read":
        return read(guard.gate, selection);
      case "write":
        return writeClipboard({ guard }, text, selection, options);
    }
  },
});

function refuseWords({ action, text }: Input): Failure | undefined {
  const isWriting = action !== "read";
  if (isWriting === (text !== undefined)) return undefined;
  const message = isWriting ? `clipboard ${action} needs a text` : "clipboard read takes no text";
  const suggestion = isWriting ? `deskmap clipboard ${action} "some words"` : "deskmap clipboard read";
  return describeUsage(message, suggestion);
}

async function read(gate: Gate, selection: Selection): Promise<Result<ClipboardText>> {
  const held = await gate.readClipboard({ tool: "clipboard" }, selection);
  if (!held.ok) return held;
  return succeed({ selection, text: held.value.slice(0, maxShown).toWellFormed(), length: held.value.length });
}
