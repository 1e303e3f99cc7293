import type { Role } from "../model/role.ts";
import type { ElementDetail } from "./element.ts";
import type { Trial } from "./trials.ts";

export interface Copied {
  readonly detail: Pick<ElementDetail, "mark" | "now" | "memory">;
  readonly trial: Trial;
  readonly text: string;
}

export function writeCommand({ detail, trial, text }: Copied): string {
  const { tool, word, takes } = trial;
  if (tool === "element") return `deskmap element ${detail.mark}`;
  const command = `deskmap ${tool} --id ${detail.mark}`;
  if (tool === "scroll") return `${command} --direction ${word ?? "down"}`;
  const given = takes === undefined ? word : text;
  // After --, a text that begins with a dash is not an option.
  return given === undefined ? command : `${command}${given.startsWith("-") ? " --" : ""} ${quoteWord(given)}`;
}

export function writeMcpCall({ detail, trial, text }: Copied): string {
  return JSON.stringify({ name: trial.tool.replaceAll("-", "_"), arguments: makeInput(detail.mark, trial, text) });
}

function makeInput(mark: number, { tool, word, takes }: Trial, text: string): Readonly<Record<string, unknown>> {
  const given = takes === undefined ? {} : { text };
  const worded = word === undefined ? {} : tool === "scroll" ? { direction: word } : { name: word };
  return { id: mark, ...given, ...worded };
}

/** A line for the library, where `desk` is the result of openDesktop(); by mark. */
export function writeMarkLine({ detail, trial, text }: Copied): string {
  return writeLine(`desk.mark(${detail.mark})`, detail.mark, trial, text);
}

/** The same by name; undefined if another control has the same name. */
export function writeWordsLine({ detail, trial, text }: Copied): string | undefined {
  const { now, memory } = detail;
  if (now === undefined || now.name === "" || memory.ref.twins > 0 || trial.tool === "action") return undefined;
  return writeLine(`desk.app(${JSON.stringify(now.app)}).${nameControl(now.role, now.name)}`, detail.mark, trial, text);
}

function writeLine(control: string, mark: number, trial: Trial, text: string): string {
  const { tool, word } = trial;
  if (tool === "action") return `await desk.call("action", ${JSON.stringify(makeInput(mark, trial, text))});`;
  const call = {
    click: "click()",
    toggle: "toggle()",
    expand: "expand()",
    collapse: "collapse()",
    select: "select()",
    focus: "focus()",
    text: "text()",
    element: "get()",
    "set-value": `fill(${JSON.stringify(text)})`,
    scroll: `scroll(${JSON.stringify(word ?? "down")})`,
  }[tool];
  return `await ${control}.${call};`;
}

const helpers: Readonly<Partial<Record<Role, string>>> = {
  button: "button",
  toggle: "button",
  input: "input",
  checkbox: "checkbox",
  switch: "checkbox",
  radio: "radio",
  link: "link",
  menuitem: "menuItem",
  menu: "menuItem",
  tab: "tab",
  select: "choice",
  slider: "slider",
};

function nameControl(role: Role, name: string): string {
  const helper = helpers[role];
  const words = JSON.stringify(name);
  return helper === undefined ? `control(${words}, ${JSON.stringify(role)})` : `${helper}(${words})`;
}

/** One shell word in which nothing is expanded. */
function quoteWord(text: string): string {
  return /^[\w.][\w./-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
