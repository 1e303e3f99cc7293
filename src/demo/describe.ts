import { quoteName, quoteText } from "../model/plain-text.ts";
import type { Step, StepRef } from "./file.ts";
import { fillInput, fillRef, fillText, type Values } from "./parameters.ts";

/** One step in words, such as: set-value input "Name" to {{name}} in Form. Texts are quoted: they come from applications. */
export function describeStep(step: Step, values: Values = {}): string {
  const input = fillInput(step.input, values);
  const target = describeTarget(step, values);
  const details = Object.entries(input).map(([field, value]) => {
    if (field === "text") return `${step.tool === "set-value" ? "to " : ""}${quoteText(String(value), 60)}`;
    if (value === true) return field;
    return `${field} ${typeof value === "string" ? quoteText(value, 60) : JSON.stringify(value)}`;
  });
  const tree = step.tree === undefined ? [] : [`with a tree of ${step.tree.length} lines`];
  const place = step.app === undefined ? [] : [`in ${quoteName(step.app)}`];
  return [step.tool, ...target, ...details, ...tree, ...place].join(" ");
}

function describeTarget({ ref, to_ref, point, to_point }: Step, values: Values): readonly string[] {
  const from = ref !== undefined ? describeRef(fillRef(ref, values)) : point && `the point ${point.join(",")}`;
  const to =
    to_ref !== undefined ? describeRef(fillRef(to_ref, values)) : to_point && `the point ${to_point.join(",")}`;
  return [...(from === undefined ? [] : [from]), ...(to === undefined ? [] : [`to ${to}`])];
}

export function describeRef({ role, name }: Pick<StepRef, "role" | "name">): string {
  if (name === undefined) return `${role ?? "element"} without a name`;
  return `${role ?? "element"} ${quoteText(name, 80)}`;
}

/** Where a ref was, for people who look for it. */
export function describePlace({ app, window }: StepRef, values: Values): string {
  const title = window === undefined ? "" : ` ${quoteText(fillText(window, values), 80)}`;
  return app === undefined ? `the window${title}` : `${quoteName(app)}${title}`;
}
