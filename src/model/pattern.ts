import type { Action } from "./action.ts";
import type { SingleElement } from "./element.ts";

/** UI Automation's terms for what an element supports, used on every platform. */
export const patterns = [
  "invoke",
  "toggle",
  "expand-collapse",
  "value",
  "range-value",
  "selection-item",
  "scroll",
  "text",
] as const;
export type Pattern = (typeof patterns)[number];

const byAction: Readonly<Partial<Record<Action, Pattern>>> = {
  press: "invoke",
  toggle: "toggle",
  expand: "expand-collapse",
  set: "value",
  increment: "range-value",
  select: "selection-item",
  scroll: "scroll",
};

export function patternsOf({ actions, role, states }: SingleElement): readonly Pattern[] {
  const patterns = new Set<Pattern>();
  for (const action of actions) {
    const pattern = byAction[action];
    if (pattern !== undefined) patterns.add(pattern);
  }
  if (states.has("expanded") || states.has("collapsed")) patterns.add("expand-collapse");
  const isText = role === "input" || role === "document" || role === "terminal" || role === "web";
  if (isText && !states.has("secret")) patterns.add("text");
  return [...patterns];
}
