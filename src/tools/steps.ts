import { nearest } from "../find/nearest.ts";
import { describeUsage, type Failure, fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import { readWords, splitWords } from "./command-line.ts";
import type { Tool, ToolCall } from "./define.ts";
import { toKebabCase } from "./options.ts";

/** One step of a batch: a tool with its input, and the line it was written in. */
export interface Step {
  readonly line: number;
  readonly text: string;
  readonly call: ToolCall;
}

/** The tools that a batch may use. */
export interface Tools {
  readonly names: readonly string[];
  /** Those that do not exist where nothing may be done. */
  readonly acting: ReadonlySet<string>;
  find(name: string): Promise<Tool | undefined>;
}

/**
 * Reads a batch: a command a line as on the command line (with or without "deskmap"), or as JSON with its tool's name in
 * "do"; # begins a comment. All of it is understood before any of it is done. `readOnly` says why nothing may be done.
 */
export async function readSteps(text: string, tools: Tools, readOnly?: string): Promise<Result<Step[]>> {
  const steps: Step[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const step = await readStep(line, index + 1, tools, readOnly);
    if (!step.ok) return step;
    steps.push(step.value);
  }
  if (steps.length > 0) return succeed(steps);
  return fail(describeUsage("there is no step to do", example));
}

const example = "one command a line: click --id 3";

async function readStep(text: string, line: number, tools: Tools, readOnly?: string): Promise<Result<Step>> {
  const where = `line ${line}`;
  const given = text.startsWith("{") ? readJson(text) : splitLine(text);
  if (!given.ok) return fail(placeIn(where, given.failure));
  const { name, rest } = given.value;
  if (readOnly !== undefined && tools.acting.has(name)) return fail(placeIn(where, describeReadOnly(name, readOnly)));
  const tool = batchable(name) ? await tools.find(name) : undefined;
  if (tool === undefined) {
    // The word itself is not repeated: the file may be no batch at all, and none of the client's business.
    const message = `${where} begins with no command that a batch can do`;
    const near = nearest(name, tools.names);
    return fail({ code: "USAGE", message, nearest: near, suggestion: "deskmap --help lists them.", done: nothingDone });
  }
  const input = isWords(rest) ? readWords(tool, rest) : succeed(rest);
  if (!input.ok) return fail(placeIn(where, input.failure));
  const prepared = tool.prepare(input.value);
  if (prepared.ok) return succeed({ line, text, call: prepared.call });
  const { field, message } = prepared.issue;
  return fail(describeUsage(`${where}: ${name}: ${field} ${message}`, `deskmap ${name} --help`));
}

/** What is said of a tool that acts where nothing may be done. */
export function describeReadOnly(name: string, why: string): Failure {
  return {
    code: "REFUSED",
    reason: "read-only",
    message: `nothing is called "${name}" here: it acts, and this desktop may only be read (${why})`,
    suggestion: "deskmap --help lists what there is.",
    done: nothingDone,
  };
}

/** A batch within a batch could go on for ever. */
function batchable(name: string): boolean {
  return name !== "do";
}

function isWords(rest: Given["rest"]): rest is readonly string[] {
  return Array.isArray(rest);
}

interface Given {
  readonly name: string;
  readonly rest: readonly string[] | Record<string, unknown>;
}

function splitLine(text: string): Result<Given> {
  const words = splitWords(text);
  if (!words.ok) return words;
  const own = words.value[0] === "deskmap" ? words.value.slice(1) : words.value;
  return succeed({ name: own[0] ?? "", rest: own.slice(1) });
}

function readJson(text: string): Result<Given> {
  try {
    const { do: name, ...rest } = JSON.parse(text);
    if (typeof name === "string") return succeed({ name, rest });
  } catch {
    // Told below.
  }
  return fail(describeUsage("this is not a step in JSON", 'like {"do":"click","id":3}'));
}

function placeIn(where: string, failure: Failure): Failure {
  return { ...failure, message: `${where}: ${failure.message}` };
}

/** A step as it was written; one that types is told without what it types, which may be a secret. */
export function repeatStep({ text, call: { tool, input } }: Step): string {
  const { unspoken = [] } = tool;
  if (!unspoken.some((field) => input[field] !== undefined)) return text;
  const options = Object.entries(input).map(([field, value]) => {
    if (unspoken.some((one) => one === field)) return "…";
    if (value === true) return `--${toKebabCase(field)}`;
    return tool.words?.includes(field) === true ? String(value) : `--${toKebabCase(field)} ${JSON.stringify(value)}`;
  });
  return [tool.name, ...options].join(" ");
}
