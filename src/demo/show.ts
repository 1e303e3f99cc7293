import { cleanLine, quoteText } from "../model/plain-text.ts";
import { describeStep } from "./describe.ts";
import type { Demo, Parameter, Step } from "./file.ts";
import { escapeMarkup, makePage, makeTable } from "./html.ts";

export function showDemo(demo: Demo): string {
  const { name, description, recorded, parameters, steps } = demo;
  const who = recorded.client === undefined ? recorded.by : `${recorded.by} ${recorded.client}`;
  return [
    `${name}: ${steps.length} ${steps.length === 1 ? "step" : "steps"}, recorded ${recorded.at.slice(0, 16).replace("T", " ")} by ${who}`,
    ...(description === undefined ? [] : [description]),
    ...Object.entries(parameters).map(([key, one]) => `  {{${key}}}  ${describeParameter(one)}`),
    ...steps.flatMap((step, index) => [
      `${String(index + 1).padStart(3)}  ${describeStep(step)}`,
      ...describeEffect(step).map((line) => `       ${line}`),
      ...(step.doubts ?? []).map((doubt) => `     ? ${doubt}`),
      ...(step.note === undefined ? [] : [`     # ${step.note}`]),
    ]),
  ]
    .map(cleanLine)
    .join("\n");
}

function describeParameter({ type, default: value, label, from }: Parameter): string {
  const parts = [
    type,
    ...(value === undefined ? [] : [type === "secret" ? `named ${value}` : quoteText(value, 60)]),
    ...(label === undefined ? [] : [`(${label})`]),
    ...(from === undefined ? [] : [`from step ${from.step}: ${from.role} ${quoteText(from.name)}`]),
  ];
  return parts.join(" ");
}

export function describeEffect({ effect, wait }: Step): readonly string[] {
  const { opened = [], closed = [], appeared = [], changed = [] } = effect ?? {};
  return [
    ...(wait?.opened_by === undefined ? [] : [`in the window that step ${wait.opened_by} opens`]),
    ...opened.map((title) => `+ window ${quoteText(title)}`),
    ...closed.map((title) => `- window ${quoteText(title)}`),
    ...appeared.slice(0, 4).map(({ role, name }) => `+ ${role} ${quoteText(name)}`),
    ...changed
      .slice(0, 4)
      .map(({ role, name, what, after }) => `~ ${role} ${quoteText(name)} ${what} ${quoteText(after)}`),
    ...(effect === undefined || effect.verdict === "confirmed" ? [] : [effect.verdict]),
  ];
}

/** With pictures by the index of their step. */
export function showDemoPage(demo: Demo, pictures: ReadonlyMap<number, string> = new Map()): string {
  const { name, description = "", parameters, steps } = demo;
  const inputs = Object.entries(parameters).map(([key, one]) => [key, describeParameter(one)]);
  const rows = steps.map((step, index) => {
    const address = pictures.get(index);
    const says = `before step ${index + 1}: ${describeStep(step)}`;
    return [
      ...[String(index + 1), describeStep(step), step.window ?? "", describeEffect(step).join("\n")],
      (step.doubts ?? []).join("\n"),
      step.note ?? "",
      ...(pictures.size === 0 ? [] : [address === undefined ? "" : { address, says }]),
    ];
  });
  const head = ["step", "what", "window", "seen", "doubts", "note", ...(pictures.size === 0 ? [] : ["picture"])];
  const body = [
    `<p>${escapeMarkup(description)}</p>`,
    inputs.length === 0 ? "" : `<h2>Parameters</h2>\n${makeTable(["name", "value"], inputs)}`,
    `<h2>Steps</h2>\n${makeTable(head, rows)}`,
  ];
  return makePage(name, body.join("\n"));
}
