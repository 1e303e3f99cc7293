import type { Effect } from "../model/effect.ts";
import type { Element } from "../model/element.ts";
import type { Result } from "../model/failure.ts";
import type { Order } from "../model/order.ts";
import type { ActingDesktop, ActRequest } from "./desktop.ts";
import { chooseKeyboardWindow, findIn, performFreely } from "./free.ts";
import { judgeAnything } from "./judge.ts";
import { judgeTyped } from "./text.ts";

/** Types into whatever has the keyboard. */
export async function typeFreely(
  desktop: ActingDesktop,
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
    deed: { kind: "type", text: order.text, delayMs: order.delayMs },
    isRepeatable: false,
    find: (reads) => findIn(reads, isWrittenTo),
    judge: (element) => {
      return element === undefined ? judgeAnything() : judgeTyped({ desktop, timeoutMs, element }, order.text);
    },
  });
}

function isWrittenTo({ states, role }: Element): boolean {
  return states.has("focused") && (states.has("editable") || role === "input" || role === "document");
}
