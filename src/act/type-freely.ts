import type { Effect } from "../model/effect.ts";
import type { Element } from "../model/element.ts";
import type { Result } from "../model/failure.ts";
import type { Order } from "../model/order.ts";
import { maskSecrets } from "../model/secrets-in-text.ts";
import type { ActRequest, GatedDesktop } from "./desktop.ts";
import { chooseKeyboardWindow, findIn, performFreely } from "./free.ts";
import { confirm, type Judge, judgeAnything } from "./judge.ts";
import { judgeTyped } from "./text.ts";
import { nameElement, quote } from "./words.ts";

/** Types into whatever has the keyboard. */
export async function typeFreely(
  desktop: GatedDesktop,
  request: Omit<ActRequest, "order"> & { readonly order: Order & { readonly kind: "type" } },
): Promise<Result<Effect>> {
  const { tool, isDryRun, timeoutMs, order } = request;
  const chosen = await chooseKeyboardWindow(desktop, request, tool, isDryRun);
  if (!chosen.ok) return chosen;
  return performFreely(desktop, {
    tool,
    isDryRun,
    timeoutMs,
    window: chosen.value,
    words: "what has the keyboard",
    way: "keys",
    command: { kind: "type", text: order.text, delayMs: order.delayMs },
    isRepeatable: false,
    find: (reads) => findIn(reads, isWrittenTo),
    judge: (element) => {
      return element === undefined
        ? judgeArrived(desktop, order.text, timeoutMs)
        : judgeTyped({ desktop, timeoutMs, element }, order.text);
    },
  });
}

/** Nothing could be written to before; a field that the keys brought up must hold what was typed. */
function judgeArrived(desktop: GatedDesktop, typed: string, timeoutMs: number): Judge {
  const anything = judgeAnything();
  return async (observation) => {
    const element = findIn(observation.after.sight.snapshot.windows, isWrittenTo);
    if (element === undefined || element.states.has("secret")) return anything(observation);
    const read = await desktop.platform.readText({ element, start: 0, end: undefined, timeoutMs });
    if (!read.ok) return anything(observation);
    if (read.value.text.includes(maskSecrets(typed).trim()))
      return confirm(`${nameElement(element)} holds what was typed`);
    return {
      verdict: "partial",
      evidence: [`${nameElement(element)} holds ${quote(read.value.text)}, not what was typed`],
    };
  };
}

function isWrittenTo({ states, role }: Element): boolean {
  return states.has("focused") && (states.has("editable") || role === "input" || role === "document");
}
