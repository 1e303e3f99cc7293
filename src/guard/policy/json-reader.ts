import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { nearest } from "../../find/nearest.ts";

/** What is wrong in a file, and where: lines and columns are counted from 1. */
export interface Problem {
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** Takes a value, or notes what is wrong with it and gives nothing. */
export type Read<T> = (node: Node, note: Note) => T | undefined;
export type Note = (node: Node, text: string) => void;

export type Outcome<T> = { readonly value: T } | { readonly problems: readonly [Problem, ...Problem[]] };

/** Reads JSON with comments and trailing commas. Either everything in it is right, or every problem is told. */
export function readJson<T>(text: string, read: Read<T>): Outcome<T> {
  const problems: Problem[] = [];
  const add = (offset: number, words: string): void => {
    problems.push({ ...findPlace(text, offset), text: words });
  };
  try {
    const errors: ParseError[] = [];
    const root = parseTree(text, errors, { allowTrailingComma: true });
    for (const { error, offset } of errors) add(offset, syntax.get(printParseErrorCode(error)) ?? "this is no JSON");
    const value = root === undefined || errors.length > 0 ? undefined : read(root, ({ offset }, it) => add(offset, it));
    const [first, ...more] = problems;
    if (first !== undefined) return { problems: [first, ...more] };
    if (value !== undefined) return { value };
  } catch (error) {
    // A hundred thousand brackets one in the other are more than a parser can take.
    if (!(error instanceof RangeError)) throw error;
  }
  return { problems: [{ line: 1, column: 1, text: "this cannot be understood: it should be { … }" }] };
}

const syntax: ReadonlyMap<string, string> = new Map([
  ["InvalidSymbol", "this word means nothing here: texts stand in double quotes"],
  ["InvalidNumberFormat", "this is no number"],
  ["PropertyNameExpected", 'a name in double quotes should stand here, such as "apps"'],
  ["ValueExpected", "a value is missing here"],
  ["ColonExpected", "a colon is missing here"],
  ["CommaExpected", "a comma is missing here"],
  ["CloseBraceExpected", "a } is missing here"],
  ["CloseBracketExpected", "a ] is missing here"],
  ["EndOfFileExpected", "nothing should follow here"],
  ["InvalidCommentToken", "this is no comment: it begins with // or stands between /* and */"],
  ["UnexpectedEndOfComment", "this comment is not closed: */ is missing"],
  ["UnexpectedEndOfString", "this text is not closed: a double quote is missing"],
  ["UnexpectedEndOfNumber", "this number breaks off"],
  ["InvalidUnicode", "\\u is followed by four digits or letters from a to f"],
  ["InvalidEscapeCharacter", 'a backslash stands before " \\ / b f n r t or u'],
  ["InvalidCharacter", "this character cannot stand in a text: write it as \\n, \\t or \\u…"],
]);

function findPlace(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The parts of an object, each taken by its name. */
export interface Parts {
  take<T>(name: string, read: Read<T>): T | undefined;
  demand<T>(name: string, read: Read<T>): T | undefined;
}

/** Opens an object that may have these parts and no other. */
export function openObject(node: Node, note: Note, names: readonly string[]): Parts | undefined {
  const found = listProperties(node, note);
  if (found === undefined) return undefined;
  for (const { name, key } of found) {
    if (!names.includes(name)) note(key, describeUnknown(name, "a setting", names));
  }
  const take = <T>(name: string, read: Read<T>): T | undefined => {
    const property = found.find((one) => one.name === name);
    return property && read(property.value, note);
  };
  return {
    take,
    demand: (name, read) => {
      if (found.every((one) => one.name !== name)) note(node, `"${name}" is missing here`);
      return take(name, read);
    },
  };
}

interface Property {
  readonly name: string;
  readonly key: Node;
  readonly value: Node;
}

export function listProperties(node: Node, note: Note): readonly Property[] | undefined {
  if (node.type !== "object") {
    note(node, `${describe(node)} stands here, and it should be { … }`);
    return undefined;
  }
  const found: Property[] = [];
  for (const { children: [key, value] = [] } of node.children ?? []) {
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    if (found.some((one) => one.name.toLowerCase() === name.toLowerCase())) {
      note(key, `"${name}" stands here a second time: one of them should go`);
    }
    found.push({ name, key, value });
  }
  return found;
}

export function oneOf<const Words extends readonly string[]>(words: Words): Read<Words[number]> {
  return (node, note) => {
    const found = words.find((word) => node.type === "string" && word === node.value);
    if (found === undefined) note(node, `${describe(node)} is not one of ${words.map(quote).join(", ")}`);
    return found;
  };
}

export function wholeNumber(least: number, most: number): Read<number> {
  return ({ type, value, ...node }, note) => {
    if (type === "number" && Number.isInteger(value) && value >= least && value <= most) return Number(value);
    note({ type, value, ...node }, `${describe({ type, value })} is not a whole number from ${least} to ${most}`);
    return undefined;
  };
}

export const yesOrNo: Read<boolean> = (node, note) => {
  if (node.type === "boolean") return node.value === true;
  note(node, `${describe(node)} is neither true nor false`);
  return undefined;
};

/** A list that is not empty: an empty one would mean nothing, or everything, depending on who reads it. */
export function listOf<T>(read: Read<T>, what: string): Read<readonly T[]> {
  return (node, note) => {
    if (node.type !== "array") {
      note(node, `${describe(node)} stands here, and it should be a list: [${what}]`);
      return undefined;
    }
    const items = node.children ?? [];
    if (items.length === 0) note(node, `this list is empty: name ${what}, or leave it out`);
    const values = items.map((item) => read(item, note));
    return values.filter((value) => value !== undefined);
  };
}

export function describeUnknown(name: string, what: string, known: readonly string[]): string {
  const [near] = nearest(name, known, 1);
  const all = known.map(quote).join(", ");
  return `${quote(name)} is not ${what}${near === undefined ? "" : `; did you mean ${quote(near)}?`} There are ${all}`;
}

const longestShown = 40;

export function describe({ type, value }: Pick<Node, "type" | "value">): string {
  if (type === "object") return "{ … }";
  if (type === "array") return "[ … ]";
  const text = JSON.stringify(value) ?? type;
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

export function quote(text: string): string {
  return JSON.stringify(text);
}
