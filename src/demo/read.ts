import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type * as z from "zod/mini";
import { codeOf, messageOf } from "../model/caught.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { cleanText } from "../model/plain-text.ts";
import { type Demo, demoSchema, demoVersion, maxFileBytes, maxSteps, namePattern } from "./file.ts";
import { findJsonFault, isTooDeep } from "./json-fault.ts";
import { listPlaceholders } from "./parameters.ts";
import { needsTarget, stepFields } from "./tools.ts";

const nothingRead = "nothing was read.";

/** Reads a whole regular file, if it is not too long. A device or a pipe could block, or never end. */
export function readBounded(path: string, maxBytes: number): Result<string> {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    const isMissing = codeOf(error) === "ENOENT";
    const message = isMissing ? `there is no file ${path}` : `${path} cannot be read: ${messageOf(error)}`;
    return fail(makeFailure("NOT_FOUND", message, "deskmap demo list shows the demos that are stored."));
  }
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile()) return fail(refuse(`${path} is not a regular file`));
    if (found.size > maxBytes) return fail(refuse(`${path} has ${found.size} bytes; at most ${maxBytes} are read`));
    const bytes = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (let more = -1; more !== 0 && length < bytes.length; length += more) {
      more = readSync(descriptor, bytes, length, bytes.length - length, null);
    }
    if (length > maxBytes) return fail(refuse(`${path} has more than ${maxBytes} bytes`));
    return succeed(bytes.toString("utf8", 0, length));
  } catch (error) {
    return fail(refuse(`${path} cannot be read: ${messageOf(error)}`));
  } finally {
    closeSync(descriptor);
  }
}

export function readDemoFile(path: string): Result<Demo> {
  const text = readBounded(path, maxFileBytes);
  return text.ok ? parseDemo(text.value, path) : text;
}

/** Refuses what is no demo, with the place of the first fault. */
export function parseDemo(text: string, where: string): Result<Demo> {
  if (text.length > maxFileBytes) return fail(refuse(`${where} has more than ${maxFileBytes} bytes`));
  if (isTooDeep(text, maxDepth)) return fail(refuse(`${where}: it is nested too deeply`));
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return fail(refuse(`${where}: ${describeSyntax(text)}`));
  }
  return checkDemo(given, where);
}

export function checkDemo(given: unknown, where: string): Result<Demo> {
  const early = findEarlyFault(given);
  if (early !== undefined) return fail(refuse(`${where}: ${early}`));
  const parsed = demoSchema().safeParse(given);
  if (!parsed.success) return fail(refuse(`${where}: ${describeIssue(parsed.error)}`));
  const fault = findFault(parsed.data);
  return fault === undefined ? succeed(parsed.data) : fail(refuse(`${where}: ${fault}`));
}

function refuse(message: string): Failure {
  const suggestion = "docs/demo.schema.json describes the format; deskmap demo save writes such files.";
  return makeFailure("USAGE", message, suggestion, { done: nothingRead });
}

/** What makes every other message pointless, or would cost time to find by the schema. */
function findEarlyFault(given: unknown): string | undefined {
  if (!isRecord(given) || given.format !== "deskmap-demo") return 'format: takes "deskmap-demo"; this is no demo';
  if (given.version !== demoVersion) {
    return `version: ${show(given.version)}; this Deskmap reads version ${demoVersion}`;
  }
  if (typeof given.name === "string" && !namePattern.test(given.name)) {
    return `name: ${show(given.name)} is no name of a demo: letters, digits, spaces, dots, dashes; no path`;
  }
  if (Array.isArray(given.steps) && given.steps.length > maxSteps) {
    return `steps: has ${given.steps.length} steps; at most ${maxSteps} are read`;
  }
  if (isRecord(given.parameters) && Object.keys(given.parameters).length > maxSteps) {
    return `parameters: has more than ${maxSteps}`;
  }
  return undefined;
}

/** What the schema cannot say: fields that belong together. */
function findFault({ steps, parameters }: Demo): string | undefined {
  for (const [name, { type, default: value, from }] of Object.entries(parameters)) {
    if (type === "secret" && from !== undefined) return `parameters.${name}.from: a secret is read from no screen`;
    if (from !== undefined && from.step > steps.length) return `parameters.${name}.from.step: there is no such step`;
    if (type === "secret" && value !== undefined && /\s/.test(value)) {
      return `parameters.${name}.default: takes the name of a secret, never its text`;
    }
  }
  for (const [index, { tool, input, ref, to_ref, point, tree }] of steps.entries()) {
    const at = `steps[${index}]`;
    const allowed: readonly string[] = stepFields[tool];
    for (const [field, value] of Object.entries(input)) {
      const known = `${tool} takes ${allowed.join(", ") || "no field"} in a demo`;
      if (!allowed.includes(field)) return describe(`${at}.input.${cleanText(field, 40)}`, `unknown; ${known}`);
      const missing = listPlaceholders(value).find((name) => !Object.hasOwn(parameters, name));
      if (missing !== undefined) return describe(`${at}.input.${field}`, `there is no parameter called ${missing}`);
      // Else what a page shows, or a row of a table, would choose the secret that is filled in.
      const open =
        tool === "fill-secret" ? listPlaceholders(value).find((name) => !isSecret(parameters, name)) : undefined;
      if (open !== undefined) return describe(`${at}.input.${field}`, `the parameter ${open} is not of type secret`);
    }
    for (const [field, one] of Object.entries({ ref, to_ref })) {
      if (one !== undefined && one.role === undefined && one.name === undefined) {
        return describe(`${at}.${field}`, "needs a role or a name");
      }
    }
    if (tree !== undefined && tool !== "expect") return describe(`${at}.tree`, "only an expect step has one");
    if (tool === "expect" && (tree === undefined) === (input.condition === undefined)) {
      return describe(at, "expect needs a condition, or a tree");
    }
    if (needsTarget(tool) && ref === undefined && point === undefined) {
      return describe(at, `${tool} needs a ref, or a point`);
    }
  }
  return undefined;
}

function isSecret(parameters: Demo["parameters"], name: string): boolean {
  return parameters[name]?.type === "secret";
}

function describeIssue({ issues: [issue] }: z.core.$ZodError): string {
  if (issue === undefined) return "not accepted";
  const place = issue.path.reduce<string>((path, part) => {
    if (typeof part === "number") return `${path}[${part}]`;
    const key = cleanText(String(part), 40);
    return path === "" ? key : `${path}.${key}`;
  }, "");
  return describe(place, explain(issue));
}

function explain(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `takes ${issue.expected === "int" ? "a whole number" : issue.expected}`;
    case "too_big":
      return `is too long or too large: at most ${issue.maximum}`;
    case "too_small":
      return `is too short or too small: at least ${issue.minimum}`;
    case "invalid_value":
      return `takes ${issue.values.map((one) => JSON.stringify(one)).join(", ")}`;
    case "unrecognized_keys":
      return `has no field ${issue.keys
        .slice(0, 3)
        .map((key) => show(key))
        .join(", ")}`;
    case "invalid_key":
      return "is no name that is accepted here";
    case "invalid_union":
      return "takes a short text, a number, true or false, or a list of texts";
    case "invalid_format":
      return "is not written as it must be";
    default:
      return issue.message;
  }
}

/** The place as the file has it, and for people the number of the step. */
function describe(place: string, what: string): string {
  const [, index] = /^steps\[(\d+)\]/.exec(place) ?? [];
  const step = index === undefined ? "" : ` (step ${Number(index) + 1})`;
  return `${place === "" ? "the file" : place}${step}: ${what}`;
}

/** In a longer text, nobody looks for the line. */
const maxSearched = 1 << 20;
/** A demo has six levels; a text that was typed may have some brackets that are never closed. */
export const maxDepth = 10_000;

export function describeSyntax(text: string): string {
  if (text.length > maxSearched) return "it is not JSON";
  const fault = findJsonFault(text);
  if (fault === undefined) return "it is not JSON";
  const before = text.slice(0, fault.at).split("\n");
  const column = (before.at(-1)?.length ?? 0) + 1;
  return `line ${before.length}, column ${column}: it is not JSON: ${fault.expected} is missing`;
}

function show(value: unknown): string {
  return cleanText(JSON.stringify(value) ?? "nothing", 80);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
