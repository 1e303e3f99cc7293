import type { Gate } from "../guard/gate.ts";
import type { Guard } from "../guard/guard.ts";
import type { Selection } from "../model/clipboard.ts";
import { type Effect, noChanges } from "../model/effect.ts";
import { type Result, succeed } from "../model/failure.ts";
import { maskSecrets } from "../model/secrets-in-text.ts";
import type { ActOptions } from "./arrange.ts";

const pollMs = 20;
const nothingYet = { passedOver: [], evidence: [], changes: noChanges, isDelivered: false, isRetrySafe: true } as const;

const selectionWords = { clipboard: "the clipboard", primary: "the primary selection" } as const;

export interface ClipboardActing {
  readonly guard: Pick<Guard, "run">;
}

/** Writes text, and reads it back. The text itself is in none of the words: it may be a secret. */
export function writeClipboard(
  { guard }: ClipboardActing,
  text: string,
  selection: Selection,
  options: ActOptions,
): Promise<Result<Effect>> {
  return guard.run({ tool: "clipboard", ...options }, (gate) => writeThrough(gate, text, selection, options));
}

async function writeThrough(
  gate: Gate,
  text: string,
  selection: Selection,
  { timeoutMs, isDryRun }: ActOptions,
): Promise<Result<Effect>> {
  const whole = text.toWellFormed();
  const effect = {
    ...nothingYet,
    intent: "clipboard write",
    target: { words: selectionWords[selection] },
    way: "a process that holds it",
  };
  if (isDryRun) return succeed({ ...effect, verdict: "refused" });
  const delivered = await gate.carryOut({ kind: "write-clipboard", text: whole, selection }, { tool: "clipboard" });
  if (!delivered.ok) return delivered;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const read = await gate.readClipboard({ tool: "clipboard" }, selection);
    // What is secret by its looks is not given back: there the rest has to be the same.
    const isSame = read.ok && read.value === maskSecrets(whole);
    if (isSame || performance.now() > deadline) {
      const count = `${whole.length} ${whole.length === 1 ? "character" : "characters"}`;
      const evidence = isSame
        ? `read back: ${count}, all ${maskSecrets(whole) === whole ? "" : "that can be shown "}the same`
        : "it holds something else when it is read back";
      return succeed({
        ...effect,
        verdict: isSame ? "confirmed" : "no-change",
        evidence: [delivered.value, evidence],
        isDelivered: true,
      });
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
