import * as z from "zod/mini";
import { screenSpace } from "../model/bounds.ts";
import type { Outcome } from "../model/outcome.ts";
import { cleanLine } from "../model/plain-text.ts";
import { joinRows } from "./csv.ts";
import { elementOutput, elementToData } from "./element.ts";
import { type DataOf, type Forms, space } from "./output.ts";
import { showElement } from "./text.ts";

export interface Judged extends Outcome {
  readonly condition: string;
}

export const outcomeOutput = () =>
  z.strictObject({
    met: z.boolean(),
    for: z.string(),
    afterMs: z.number(),
    space: z.optional(space()),
    found: z.optional(z.string()),
    element: z.optional(elementOutput()),
    window: z.optional(z.string()),
    windowId: z.optional(z.number()),
  });

export type OutcomeData = DataOf<typeof outcomeOutput>;

export const outcomeForms: Forms<Judged, OutcomeData> = {
  data: ({ condition, isMet, afterMs, element, window, words }) => ({
    met: isMet,
    for: condition,
    afterMs,
    ...(element === undefined
      ? { found: words }
      : { space: screenSpace, element: elementToData(element, { withPoints: false }) }),
    ...(window === undefined ? {} : { window: window.title, windowId: window.id }),
  }),
  text({ condition, isMet, afterMs, element, words }) {
    const head = `${isMet ? "yes" : "no"}  ${cleanLine(condition)}  (${afterMs} ms)`;
    const found =
      element === undefined ? ` ${cleanLine(words)}` : showElement(element, { withPoints: false, isFlat: true });
    return [head, found].join("\n");
  },
  csv: ({ condition, isMet, afterMs, words }) =>
    joinRows("met,for,after_ms,found", [[String(isMet), condition, String(afterMs), words]]),
  exitCode: ({ isMet }) => (isMet ? 0 : 1),
};
