import { describeUsage, type Failure, fail, type Result, succeed } from "../model/failure.ts";
import { isTooDeep } from "./json-fault.ts";
import { describeStray, type Values } from "./parameters.ts";
import { describeSyntax } from "./read.ts";

const example = '{"customer": "Ada"}';

/** NAME=VALUE, each name once. */
export function parseParams(words: readonly string[]): Result<Values> {
  const values = new Map<string, string>();
  for (const word of words) {
    const at = word.indexOf("=");
    if (at < 1) return fail(describeUsage(`--param ${JSON.stringify(word)} has no value`, "--param customer=Ada"));
    const name = word.slice(0, at);
    if (values.has(name)) return fail(describeUsage(`--param ${name} is given twice`, "give it once."));
    values.set(name, word.slice(at + 1));
  }
  return succeed(Object.fromEntries(values));
}

/** A JSON object of texts and numbers by the names of parameters. A fault is told with its line. */
export function parseParamsFile(text: string, path: string, known: readonly string[]): Result<Values> {
  const refuse = (message: string): Result<Values> => fail(describeUsage(`${path}: ${message}`, example));
  if (isTooDeep(text, 64)) return refuse("it is nested too deeply");
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return refuse(describeSyntax(text));
  }
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return refuse("line 1: it is not an object of texts by the names of parameters");
  }
  const values: Record<string, string> = {};
  const fields = listFields(text);
  for (const [name, value] of Object.entries(given)) {
    const own = fields.filter((one) => one.name === name);
    const where = `line ${own.at(-1)?.line ?? 1}: ${JSON.stringify(name)}`;
    if (own.length > 1) return refuse(`${where} is given twice`);
    if (typeof value !== "string" && typeof value !== "number")
      return refuse(`${where} is neither a text nor a number`);
    if (!known.includes(name)) return fail(placeIn(path, where, describeStray(name, known)));
    values[name] = String(value);
  }
  return succeed(values);
}

function placeIn(path: string, where: string, failure: Failure): Failure {
  return { ...failure, message: `${path}: ${where}: ${failure.message}` };
}

/** The names of a flat object, with their lines. */
function listFields(text: string): readonly { readonly name: string; readonly line: number }[] {
  const field = /("(?:[^"\\]|\\.)*")\s*:\s*(?:"(?:[^"\\]|\\.)*"|[^",}]+)/gs;
  return [...text.matchAll(field)].map(({ 1: name = '""', index }) => ({
    name: String(JSON.parse(name)),
    line: text.slice(0, index).split("\n").length,
  }));
}
