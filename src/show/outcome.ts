import type { Outcome } from "../model/outcome.ts";
import { cleanLine } from "../model/plain-text.ts";
import { joinRows } from "./csv.ts";
import { elementToJson, stringify } from "./json.ts";
import { showElement } from "./text.ts";

export function showOutcome(condition: string, { isMet, afterMs, element, words }: Outcome): string {
  const head = `${isMet ? "yes" : "no"}  ${cleanLine(condition)}  (${afterMs} ms)`;
  return [
    head,
    element === undefined ? ` ${cleanLine(words)}` : showElement(element, { withPoints: false, isFlat: true }),
  ].join("\n");
}

export function outcomeToJson(condition: string, outcome: Outcome, isPretty: boolean): string {
  const { isMet, afterMs, element, window, words } = outcome;
  const json = {
    met: isMet,
    for: condition,
    afterMs,
    ...(element === undefined ? { found: words } : { element: elementToJson(element, { withPoints: false }) }),
    ...(window === undefined ? {} : { window: window.title, windowId: window.id }),
  };
  return stringify(json, isPretty);
}

export function outcomeToCsv(condition: string, { isMet, afterMs, words }: Outcome): string {
  return joinRows("met,for,after_ms,found", [[String(isMet), condition, String(afterMs), words]]);
}
