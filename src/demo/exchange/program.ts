import { describeStep } from "../describe.ts";
import type { Demo, Step, StepInput } from "../file.ts";

/** A program on the library. Every text of the demo is a string literal, never code. */
export function exportProgram(demo: Demo): string {
  const { name, parameters, steps } = demo;
  const values = Object.entries(parameters).map(([key, { type, default: value }]) => {
    const usual = type === "secret" ? (value ?? key) : (value ?? "");
    return `  ${key}: process.env.${key.toUpperCase()} ?? ${literal(usual)},`;
  });
  const body = steps.map((step, index) => `// ${index + 1}: ${comment(describeStep(step))}\n${exportStep(step)}`);
  return `// ${comment(name)}
// deskmap replay checks more: it finds controls by all that was recorded of them, and compares each effect.
import { openDesktop } from "deskmap";

${values.length === 0 ? "" : `const values = {\n${values.join("\n")}\n};\n\n`}await using desk = await openDesktop();

${body.join("\n")}
`;
}

function exportStep({ tool, input, ref, point, app }: Step): string {
  const scope = app === undefined ? "desk" : `desk.app(${literal(app)})`;
  const options = Object.entries(input).map(([field, value]) => `${field}: ${expression(value)}`);
  if (ref?.name !== undefined) {
    const control = `${scope}.control(${text(ref.name)}${ref.role === undefined ? "" : `, ${literal(ref.role)}`})`;
    if (tool === "click") return `await ${control}.click(${options.length === 0 ? "" : `{ ${options.join(", ")} }`});`;
    if (tool === "set-value") return `await ${control}.fill(${expression(input.text ?? "")});`;
    if (tool === "type" && input.key === undefined) return `await ${control}.type(${expression(input.text ?? "")});`;
    if (tool === "type") return `await ${control}.press(${expression(input.key ?? "")});`;
  }
  const target = [
    ...(ref?.name === undefined ? [] : [`on: ${text(ref.name)}`]),
    ...(ref?.role === undefined ? [] : [`role: ${literal(ref.role)}`]),
    ...(ref === undefined && point !== undefined ? [`at: ${literal(point.join(","))}`] : []),
    ...(app === undefined || tool === "open" || tool === "clipboard" ? [] : [`app: ${literal(app)}`]),
  ];
  return `await desk.call(${literal(tool)}, { ${[...options, ...target].join(", ")} });`;
}

const placeholder = /\{\{([a-z][a-z0-9_]{0,39})\}\}/;

/** Placeholders become values of the program. */
function text(given: string): string {
  const parts = given.split(placeholder).map((part, index) => (index % 2 === 1 ? `values.${part}` : literal(part)));
  const told = parts.filter((part) => part !== '""');
  return told.length === 0 ? '""' : told.join(" + ");
}

function expression(value: StepInput[string]): string {
  if (typeof value === "string") return text(value);
  return typeof value === "object" ? `[${value.map(text).join(", ")}]` : JSON.stringify(value);
}

function literal(given: string): string {
  return JSON.stringify(given).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

function comment(given: string): string {
  return given.replaceAll(/[\r\n\u2028\u2029]/g, " ");
}
