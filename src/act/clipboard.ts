import type { Guard } from "../guard/guard.ts";
import type { Selection } from "../model/clipboard.ts";
import { type Effect, undelivered } from "../model/effect.ts";
import { type Result, succeed } from "../model/failure.ts";
import { maskSecrets } from "../model/secrets-in-text.ts";
import type { ActOptions } from "./desktop.ts";

const pollMs = 20;

const selectionWords = { clipboard: "the clipboard", primary: "the primary selection" } as const;

export interface ClipboardActing {
  readonly guard: Pick<Guard, "run">;
}

/** Writes text and reads it back. The effect never contains the text: it may be a secret. */
export function writeClipboard(
  { guard }: ClipboardActing,
  text: string,
  selection: Selection,
  options: ActOptions,
): Promise<Result<Effect>> {
  return guard.run({ tool: "clipboard", ...options }, async (gate) => {
    const whole = text.toWellFormed();
    const effect = {
      ...undelivered,
      intent: "clipboard write",
      target: { words: selectionWords[selection] },
      way: "a process that holds it",
    };
    if (options.isDryRun) return succeed(effect);
    const delivered = await gate.carryOut({ kind: "write-clipboard", text: whole, selection }, { tool: "clipboard" });
    if (!delivered.ok) return delivered;
    const deadline = performance.now() + options.timeoutMs;
    for (;;) {
      const read = await gate.readClipboard({ tool: "clipboard" }, selection);
      // Secrets are masked in what is read back, so only the rest can be compared.
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
      await Bun.sleep(pollMs);
    }
  });
}
