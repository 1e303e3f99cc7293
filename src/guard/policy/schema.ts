import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import * as z from "zod/mini";
import { nearest } from "../../find/nearest.ts";
import { actingAliases, actingTools, readingTools } from "../../model/tool-name.ts";
import { dangers, decisions, matches, type Policy, type Rule, standings } from "./policy.ts";

/** The ledger keeps this many actions of a minute, so a higher limit would have no effect. */
const mostActions = 1000;
const longestName = 200;
const longestShown = 40;

const name = z.string(expect("a name in double quotes")).check(explain(findNameProblem));
const tool = z
  .string(expect("a name in double quotes"))
  .check(explain((text) => findNameProblem(text) ?? findToolProblem(text)));
const aWord = expect("a word in double quotes");
const word = z.string(aWord).check(z.trim(), z.minLength(1, aWord), z.maxLength(longestName, aWord));
const danger = z.enum(dangers, { error: ({ input }) => describeUnknown(String(input), "a kind of action", dangers) });

const settings = {
  actionsPerMinute: z.optional(wholeNumber(0, mostActions)),
  sensitive: z.optional(oneOf(decisions)),
  readOnly: z.optional(yesOrNo()),
};
const ruleParts = {
  apps: z.optional(listOf(name, "names of applications")),
  tools: z.optional(listOf(tool, "names of tools")),
  actions: z.optional(listOf(oneOf(dangers), "kinds of actions")),
  decision: oneOf(decisions),
};
const clientRule = object(ruleParts);
const rule = object({ ...ruleParts, clients: z.optional(listOf(name, "names of clients")) });

const policyFile = object({
  $schema: z.optional(z.string(expect("a text in double quotes"))),
  ...settings,
  hotkey: z.optional(yesOrNo()),
  localOnly: z.optional(listOf(name, "names of applications")),
  apps: dictionary(
    name,
    oneOf(standings),
    (entries) => new Map(entries.map(([app, standing]) => [app.toLowerCase(), standing])),
  ),
  rules: ruleList(rule),
  clients: dictionary(name, object({ ...settings, rules: ruleList(clientRule) }), (entries) =>
    entries.map(([client, part]) => ({ name: client, ...part })),
  ),
  words: dictionary(danger, listOf(word, "words"), (entries): Policy["words"] => Object.fromEntries(entries)),
});

/** What a policy file says. Settings that it leaves out are undefined or empty. */
export type Written = Readonly<Omit<z.infer<typeof policyFile>, "$schema">>;

export type ClientPart = Written["clients"][number];

/** An error in the file; lines and columns are counted from 1. */
export interface Problem {
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** Reads JSON with comments and trailing commas. Either the whole file is valid, or all problems are returned. */
export function readPolicyText(
  text: string,
): { readonly value: Written } | { readonly problems: readonly [Problem, ...Problem[]] } {
  try {
    const errors: ParseError[] = [];
    const root = parseTree(text, errors, { allowTrailingComma: true });
    const found = errors.map(({ error, offset }) => ({
      offset,
      text: syntax.get(printParseErrorCode(error)) ?? "this is not JSON",
    }));
    if (root !== undefined && found.length === 0) {
      found.push(...listRepeatedNames(root));
      // Compiling the schema takes longer than reading one file with it.
      const read = policyFile.safeParse(toValue(root), { jitless: true });
      if (read.success && found.length === 0) return { value: read.data };
      found.push(...(read.error?.issues ?? []).flatMap((issue) => locateIssue(root, issue)));
    }
    const sorted = found.toSorted((one, other) => one.offset - other.offset);
    const [first, ...more] = sorted.map(({ offset, text: words }) => ({ ...findPlace(text, offset), text: words }));
    if (first !== undefined) return { problems: [first, ...more] };
  } catch (error) {
    // Thrown for brackets nested a hundred thousand deep.
    if (!(error instanceof RangeError)) throw error;
  }
  return { problems: [{ line: 1, column: 1, text: "expected { … }" }] };
}

const syntax: ReadonlyMap<string, string> = new Map([
  ["InvalidSymbol", "unknown word: texts are written in double quotes"],
  ["InvalidNumberFormat", "this is not a number"],
  ["PropertyNameExpected", 'expected a name in double quotes, such as "apps"'],
  ["ValueExpected", "a value is missing here"],
  ["ColonExpected", "a colon is missing here"],
  ["CommaExpected", "a comma is missing here"],
  ["CloseBraceExpected", "a } is missing here"],
  ["CloseBracketExpected", "a ] is missing here"],
  ["EndOfFileExpected", "nothing may follow here"],
  ["InvalidCommentToken", "this is not a comment: comments begin with // or are between /* and */"],
  ["UnexpectedEndOfComment", "this comment is not closed: */ is missing"],
  ["UnexpectedEndOfString", "this text is not closed: a double quote is missing"],
  ["UnexpectedEndOfNumber", "this number is incomplete"],
  ["InvalidUnicode", "\\u must be followed by four hexadecimal digits"],
  ["InvalidEscapeCharacter", 'a backslash must be followed by " \\ / b f n r t or u'],
  ["InvalidCharacter", "this character is not allowed in a text: write it as \\n, \\t or \\u…"],
]);

function findPlace(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

interface Located {
  readonly offset: number;
  readonly text: string;
}

const dictionaries: ReadonlySet<unknown> = new Set(["apps", "clients", "words"]);

/** Dictionaries become maps, which keep the order and any name, even __proto__. */
function toValue({ type, value, children = [] }: Node, nameOfParent?: unknown): unknown {
  if (type === "array") return children.map((item) => toValue(item));
  if (type !== "object") return value;
  const entries = children.flatMap(({ children: [key, one] = [] }) =>
    key === undefined || one === undefined ? [] : [[String(key.value), toValue(one, key.value)] as const],
  );
  return dictionaries.has(nameOfParent) ? new Map(entries) : Object.fromEntries(entries);
}

function listRepeatedNames(node: Node): readonly Located[] {
  const known = new Set<string>();
  const repeated = (node.type === "object" ? (node.children ?? []) : []).flatMap(({ children: [key] = [] }) => {
    const folded = String(key?.value).toLowerCase();
    const isRepeated = known.has(folded);
    known.add(folded);
    return key !== undefined && isRepeated
      ? [{ offset: key.offset, text: `${show(key.value)} is here twice: remove one of them` }]
      : [];
  });
  return [...repeated, ...(node.children ?? []).flatMap(listRepeatedNames)];
}

/** An issue names a value by its path; in a dictionary, by the index of the entry and 0 for its name or 1 for its value. */
function locateIssue(root: Node, { path, message, ...issue }: z.core.$ZodIssue): readonly Located[] {
  let node = root;
  for (const step of path) {
    const next = typeof step === "number" ? node.children?.[step] : findProperty(node, step)?.[1];
    if (next === undefined) break;
    node = next;
  }
  if (issue.code !== "unrecognized_keys") return [{ offset: node.offset, text: message }];
  // The message has one line per key.
  const lines = message.split("\n");
  return issue.keys.map((key, index) => ({
    offset: (findProperty(node, key)?.[0] ?? node).offset,
    text: lines[index] ?? "",
  }));
}

function findProperty({ children }: Node, key: PropertyKey): readonly Node[] | undefined {
  return children?.find((property) => property.children?.[0]?.value === key)?.children;
}

/** An object with these properties and no others. */
function object<Fields extends z.core.$ZodLooseShape>(fields: Fields) {
  const known = Object.keys(fields);
  return z.strictObject(fields, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => describeUnknown(key, "a setting", known)).join("\n")
        : describeMismatch("{ … }", issue.input),
  });
}

/** An object with any names; empty if it is left out. */
function dictionary<Key, Value, Result>(
  key: z.ZodMiniType<Key, unknown>,
  value: z.ZodMiniType<Value, unknown>,
  convert: (entries: [Key, Value][]) => Result,
) {
  const entries = z.pipe(z.instanceof(Map, expect("{ … }")), z.transform(listEntries));
  const checked = z.pipe(entries, z.array(z.tuple([key, value])));
  return z.pipe(z._default(checked, []), z.transform(convert));
}

function listEntries(map: Map<unknown, unknown>): [unknown, unknown][] {
  return [...map];
}

function ruleList(one: z.ZodMiniType<Rule, unknown>) {
  return z._default(z.readonly(z.array(one, expect('a list of rules, [{ "decision": "ask" }]'))), []);
}

function oneOf<const Words extends readonly string[]>(words: Words) {
  const all = words.map(show).join(", ");
  const error = ({ input, path }: z.core.$ZodRawIssue): string =>
    input === undefined ? `${show(path?.at(-1))} is missing here` : `${show(input)} is not one of ${all}`;
  return z.enum(words, { error });
}

function wholeNumber(least: number, most: number) {
  const error = ({ input }: z.core.$ZodRawIssue): string =>
    `${show(input)} is not a whole number from ${least} to ${most}`;
  return z.int({ error }).check(z.minimum(least, { error }), z.maximum(most, { error }));
}

function yesOrNo() {
  return z.boolean({ error: ({ input }) => `${show(input)} is neither true nor false` });
}

/** A list that is not empty: it would be unclear whether an empty one means nothing or everything. */
function listOf<Item extends z.ZodMiniType>(item: Item, what: string) {
  return z
    .array(item, expect(`a list, [${what}]`))
    .check(z.minLength(1, `this list is empty: add ${what}, or leave it out`));
}

function expect(what: string) {
  return { error: ({ input }: z.core.$ZodRawIssue): string => describeMismatch(what, input) };
}

function describeMismatch(what: string, input: unknown): string {
  return `expected ${what}, found ${show(input)}`;
}

function explain(findProblem: (text: string) => string | undefined) {
  return z.check<string>(({ value, issues }) => {
    const message = findProblem(value);
    if (message !== undefined) issues.push({ code: "custom", message, input: value });
  });
}

/** Why a text cannot be a name. A `*` is allowed at the end only; elsewhere it would be taken literally and never match. */
export function findNameProblem(text: string): string | undefined {
  const problems: readonly (readonly [boolean, string])[] = [
    [text.trim() === "", "expected a name"],
    [text.trim() !== text, `${show(text)} begins or ends with a space`],
    [/[\p{Cc}\p{Cf}]/u.test(text), `${show(text)} contains invisible characters`],
    [text.length > longestName, `a name has at most ${longestName} characters`],
    [text.slice(0, -1).includes("*"), `${show(text)}: * is allowed only at the end of a name`],
  ];
  return problems.find(([isWrong]) => isWrong)?.[1];
}

function findToolProblem(text: string): string | undefined {
  if (actingTools.some((one) => matches(text, one))) return undefined;
  const behind = Object.entries(actingAliases).find(([alias]) => matches(text, alias))?.[1];
  if (behind !== undefined)
    return `${show(text)} is another name of ${show(behind)}: a rule for that one applies to both`;
  const isReading = readingTools.some((one) => matches(text, one));
  const hint = `${show(text)} does not act, and rules are about tools that act; "apps" says what may be read`;
  return isReading ? hint : describeUnknown(text, "a tool that acts", actingTools);
}

function describeUnknown(text: string, what: string, known: readonly string[]): string {
  const [near] = nearest(text, known, 1);
  const hint = near === undefined ? "" : `; did you mean ${show(near)}?`;
  return `${show(text)} is not ${what}${hint} Known: ${known.map(show).join(", ")}`;
}

function show(value: unknown): string {
  if (Array.isArray(value)) return "[ … ]";
  if (typeof value === "object" && value !== null) return "{ … }";
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}
