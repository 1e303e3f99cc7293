import { nearest } from "../find/nearest.ts";
import { describeUsage, type Failure, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { readInput, readSwitch, toKebabCase } from "./arguments.ts";
import { listOptions, type Tool, type ToolCall } from "./define.ts";

/** One step of a batch: a tool with its input, and the line it was written in. */
export interface Step {
  readonly line: number;
  readonly text: string;
  readonly call: ToolCall;
}

export interface Tools {
  readonly names: readonly string[];
  /** Those that do not exist for a client that may only read. */
  readonly acting: ReadonlySet<string>;
  find(name: string): Promise<Tool | undefined>;
}

/** What limits the steps of one client. */
export interface StepLimits {
  /** Why it may only read. */
  readonly readOnly?: string | undefined;
  /** The only tools that it is offered; all if undefined. */
  readonly reach?: readonly string[] | undefined;
}

/**
 * Parses a batch: one command a line as on the command line (with or without "deskmap"), or as JSON with the tool's name in
 * "do"; # begins a comment.
 */
export async function readSteps(text: string, tools: Tools, limits: StepLimits = {}): Promise<Result<Step[]>> {
  const steps: Step[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const step = await readStep(line, index + 1, tools, limits);
    if (!step.ok) return step;
    steps.push(step.value);
  }
  if (steps.length > 0) return succeed(steps);
  return fail(describeUsage("there is no step to do", example));
}

const example = "one command a line: click --id 3";

async function readStep(
  text: string,
  line: number,
  tools: Tools,
  { readOnly, reach }: StepLimits,
): Promise<Result<Step>> {
  const where = `line ${line}`;
  const given = text.startsWith("{") ? readJson(text) : splitLine(text);
  if (!given.ok) return fail(placeIn(where, given.failure));
  const { name, rest } = given.value;
  if (readOnly !== undefined && tools.acting.has(name)) return fail(placeIn(where, describeReadOnly(name, readOnly)));
  // A batch within a batch could run for ever.
  const tool = name === "do" ? undefined : await tools.find(name);
  if (tool === undefined) {
    // The word is not quoted: the file may be no batch at all, and not the client's to read.
    const failure = describeUsage(`${where} begins with no command that a batch can do`, "deskmap --help lists them.");
    return fail({ ...failure, nearest: nearest(name, reach ?? tools.names) });
  }
  if (reach !== undefined && !reach.includes(tool.name)) return fail(placeIn(where, describeUnoffered(name, reach)));
  const input = isWords(rest) ? readWords(tool, rest) : succeed(rest);
  if (!input.ok) return fail(placeIn(where, input.failure));
  const prepared = tool.prepare(input.value);
  if (prepared.ok) return succeed({ line, text, call: prepared.call });
  const { field, message } = prepared.issue;
  return fail(describeUsage(`${where}: ${name}: ${field} ${message}`, `deskmap ${name} --help`));
}

/** The refusal of a tool that acts, for a client that may only read. */
export function describeReadOnly(name: string, why: string): Failure {
  const message = `nothing is called "${name}" here: it acts, and this desktop may only be read (${why})`;
  return { ...makeFailure("REFUSED", message, "deskmap --help lists what there is."), reason: "read-only" };
}

function describeUnoffered(name: string, reach: readonly string[]): Failure {
  const message = `"${name}" is none of the tools that are offered here, and a batch reaches no others`;
  return { ...makeFailure("REFUSED", message, `there is ${reach.join(", ")}.`), reason: "rule" };
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
    // Reported below.
  }
  return fail(describeUsage("this is not a step in JSON", 'like {"do":"click","id":3}'));
}

function placeIn(where: string, failure: Failure): Failure {
  return { ...failure, message: `${where}: ${failure.message}` };
}

/** A step as it was written, without fields that may be secret, such as a typed text. */
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

/** A part of a word: in single quotes as it is, in double quotes with \\" and \\\\, bare with any character after a backslash. */
const part = /'([^']*)'|"((?:[^"\\]|\\.)*)"|((?:[^\s'"\\]|\\.)+)/gsy;

/** Splits a line into words, as a shell does. */
export function splitWords(line: string): Result<readonly string[]> {
  const words: string[] = [];
  for (let at = 0; at < line.length; ) {
    const space = /\s*/y;
    space.lastIndex = at;
    at += space.exec(line)?.[0].length ?? 0;
    if (at >= line.length) break;
    let word = "";
    while (at < line.length && !/\s/.test(line.charAt(at))) {
      part.lastIndex = at;
      const match = part.exec(line);
      if (match === null)
        return fail(describeUsage(`a quote ${line.charAt(at)} is not closed`, "close it on the same line."));
      const [whole, single, double, bare] = match;
      word += single ?? double?.replaceAll(/\\(["\\])/g, "$1") ?? bare?.replaceAll(/\\(.)/gs, "$1") ?? "";
      at += whole.length;
    }
    words.push(word);
  }
  return succeed(words);
}

export function readWords(tool: Tool, words: readonly string[]): Result<Record<string, unknown>> {
  const options = listOptions(tool);
  const values: Record<string, unknown> = {};
  const plain: string[] = [];
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const toggled = readSwitch(word, (one) => options.some(({ flag, type }) => flag === one && type === "boolean"));
    const [flag = "", attached] = toggled ? [toggled.flag] : word.startsWith("--") ? splitFlag(word) : [];
    const option = options.find((one) => !one.isWord && one.flag === flag);
    if (!word.startsWith("--")) plain.push(word);
    else if (option === undefined) return fail(describeUnknownOption(tool, flag));
    else if (toggled !== undefined) values[option.field] = toggled.isOn;
    else if (option.type === "boolean")
      return fail(describeUsage(`${flag} takes true or false, not "${attached}"`, `deskmap ${tool.name} --help`));
    else {
      const value = attached ?? left.shift();
      if (value === undefined) return fail(describeUsage(`${flag} needs a value`, `deskmap ${tool.name} --help`));
      values[option.field] = value;
    }
  }
  const fields = options.filter(({ isWord }) => isWord);
  const taken = fields.map((_, index) => (index === fields.length - 1 ? plain.slice(index) : plain[index]));
  if (fields.length === 0 && plain.length > 0) {
    return fail(
      describeUsage(`${tool.name} takes no plain words such as "${plain[0]}"`, `deskmap ${tool.name} --help`),
    );
  }
  const input = readInput(options, values, taken);
  // As a command of its own it would type standard input; typing the hyphen instead would be a surprise.
  if (tool.piped !== undefined && input[tool.piped] === "-") {
    const hyphen = JSON.stringify({ do: tool.name, [tool.piped]: "-" });
    return fail(describeUnread(tool.name, "standard input", `${outsideBatch}; a hyphen itself is ${hyphen}`));
  }
  return succeed(input);
}

const outsideBatch = "give the text itself (in JSON, line breaks are \\n), or run it as a command of its own";

/** A batch may come from a client that may not read files, as by MCP. */
function describeUnread(name: string, what: string, suggestion: string): Failure {
  return describeUsage(
    `a step of a batch reads no ${what}, because agents without files send batches too: ${name}`,
    suggestion,
  );
}

function describeUnknownOption({ name, piped }: Tool, flag: string): Failure {
  if (piped !== undefined && flag === "--file") return describeUnread(`${name} --file`, "file", `${outsideBatch}.`);
  return describeUsage(`${name} has no option ${flag}`, `deskmap ${name} --help`);
}

function splitFlag(word: string): [string, string | undefined] {
  const at = word.indexOf("=");
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}
