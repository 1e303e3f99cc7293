import type { Element } from "../model/element.ts";
import type { Caret } from "../model/snapshot.ts";
import type { GatedDesktop } from "./desktop.ts";
import { confirm, type Judge, judgeAnything } from "./judge.ts";

/** Keys may only move the caret of the focused element, or select part of its text. */
export async function judgeKeys(
  { platform }: Pick<GatedDesktop, "platform">,
  element: Element | undefined,
  timeoutMs: number,
): Promise<Judge> {
  const readCaret = async (one: Element | undefined): Promise<Caret | undefined> => {
    const glimpse = one && (await platform.glimpse(one, timeoutMs));
    return glimpse?.ok === true ? glimpse.value?.caret : undefined;
  };
  const before = await readCaret(element);
  return async (observation) => {
    const judgement = await judgeAnything(observation);
    if (judgement !== undefined || before === undefined) return judgement;
    const moved = describeMove(before, await readCaret(observation.target));
    return moved === undefined ? undefined : confirm(moved);
  };
}

function describeMove(before: Caret, now: Caret | undefined): string | undefined {
  if (now === undefined) return undefined;
  if (now.start !== before.start || now.end !== before.end) {
    const count = now.end - now.start;
    if (count > 0)
      return `${count} ${count === 1 ? "character is" : "characters are"} selected (${now.start} to ${now.end})`;
    if (before.end > before.start) return "nothing is selected any more";
  }
  return now.at === before.at ? undefined : `the caret moved from ${before.at} to ${now.at}`;
}
