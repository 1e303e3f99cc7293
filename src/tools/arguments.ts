// Without zod, which costs a start 5 ms: a command that only asks the daemon needs no schema.

export const formats = ["json", "text", "csv"] as const;
export type Format = (typeof formats)[number];

/** One command-line option, derived from a field of a tool's schema. */
export interface ToolOption {
  readonly field: string;
  readonly flag: string;
  readonly type: "boolean" | "number" | "decimal" | "string" | "list";
  /** The value in help texts: n, text, or the words to choose from. */
  readonly value: string;
  readonly description: string;
  readonly isWord: boolean;
  readonly isRequired: boolean;
}

/** The input for the schema: numbers as numbers, everything else as written. */
export function readInput(
  options: readonly (Pick<ToolOption, "field" | "isWord"> & { readonly type: string })[],
  values: Readonly<Record<string, unknown>>,
  words: readonly unknown[] = [],
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  const fields = options.filter(({ isWord }) => isWord).map(({ field }) => field);
  for (const { field, type, isWord } of options) {
    const given = isWord ? words[fields.indexOf(field)] : values[field];
    const value = Array.isArray(given) && type !== "list" ? given.join(" ") : given;
    // Commander gives an empty list for missing optional arguments.
    if (value === undefined || (Array.isArray(given) && given.length === 0)) continue;
    const isNumber = typeof value === "string" && written[type]?.test(value.trim()) === true;
    input[field] = isNumber ? Number(value) : value;
  }
  return input;
}

/** Whole numbers may be hexadecimal: X tools print window ids so. */
const written: Readonly<Record<string, RegExp>> = {
  number: /^-?\d+$|^0x[0-9a-f]+$/i,
  decimal: /^-?(\d+\.?\d*|\.\d+)$/,
};

export function toKebabCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Whether a word switches a boolean option (--x, --x=false, --no-x) on or off; undefined for any other word. */
export function readSwitch(
  word: string,
  isSwitch: (flag: string) => boolean,
): { readonly flag: string; readonly isOn: boolean } | undefined {
  const {
    negated,
    flag: name,
    value,
  } = /^--(?<negated>no-)?(?<flag>[^=]+)(?:=(?<value>true|false))?$/.exec(word)?.groups ?? {};
  const flag = `--${name}`;
  // An option may itself begin with "no-".
  if (negated !== undefined && isSwitch(`--no-${name}`)) return { flag: `--no-${name}`, isOn: value !== "false" };
  if (name === undefined || !isSwitch(flag)) return undefined;
  return { flag, isOn: (value !== "false") !== (negated !== undefined) };
}

/** Writes every switch as --x or --no-x, and leaves everything else as it is: also what is a value of another option. */
export function spellSwitches(words: readonly string[], typeOf: (flag: string) => string | undefined): string[] {
  const end = words.indexOf("--");
  let isValue = false;
  return words.map((word, index) => {
    const isPlain = isValue || !word.startsWith("--") || (end >= 0 && index >= end);
    isValue = !isPlain && !word.includes("=") && !["boolean", undefined].includes(typeOf(word));
    const found = isPlain ? undefined : readSwitch(word, (flag) => typeOf(flag) === "boolean");
    return found === undefined ? word : found.isOn ? found.flag : `--no-${found.flag.slice(2)}`;
  });
}

export function takesRest({ field, type, value }: ToolOption, words: readonly ToolOption[]): boolean {
  return ["string", "list"].includes(type) && !value.includes("|") && field === words.at(-1)?.field;
}

/** A tool's arguments and options; src/cli/tool-arguments.json has those of all tools. */
export interface ArgumentTable {
  readonly acts: boolean;
  readonly isLasting?: boolean | undefined;
  readonly isLocal?: boolean | undefined;
  readonly required: number;
  /** Whether the last argument takes all that are left. */
  readonly hasRest: boolean;
  readonly words: readonly string[];
  readonly types: Readonly<Record<string, string>>;
}

export function tabulate(
  options: readonly ToolOption[],
  { acts, isLasting, isLocal }: Pick<ArgumentTable, "acts" | "isLasting" | "isLocal">,
): ArgumentTable {
  const words = options.filter(({ isWord }) => isWord);
  const last = words.at(-1);
  return {
    acts,
    isLasting,
    isLocal,
    required: words.filter(({ isRequired }) => isRequired).length,
    hasRest: last !== undefined && takesRest(last, words),
    words: words.map(({ field }) => field),
    types: Object.fromEntries(options.map(({ field, type }) => [field, type])),
  };
}

const commonTypes = { format: "string", pretty: "boolean", timeoutMs: "string" };
const actingTypes = { turn: "string" };

interface ParsedArguments {
  readonly input: Record<string, unknown>;
  /** All options by field, with those that every tool has. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Parses as commander does; undefined if commander would refuse, or for "-" (standard input). */
export function parseArguments(table: ArgumentTable, given: readonly string[]): ParsedArguments | undefined {
  const { types, words, acts, required, hasRest } = table;
  const named = { ...types, ...commonTypes, ...(acts ? actingTypes : {}) };
  const flags = new Map(Object.entries(named).map(([field, type]) => [`--${toKebabCase(field)}`, { field, type }]));
  for (const field of words) flags.delete(`--${toKebabCase(field)}`);
  const values: Record<string, unknown> = {};
  const plain: string[] = [];
  const rest = given[Symbol.iterator]();
  for (const word of rest) {
    if (!word.startsWith("-")) {
      plain.push(word);
      continue;
    }
    const toggled = readSwitch(word, (flag) => flags.get(flag)?.type === "boolean");
    const [flag = "", ...after] = word.split("=");
    const option = flags.get(toggled?.flag ?? flag);
    if (option === undefined || (option.type === "boolean" && toggled === undefined)) return undefined;
    const value = toggled?.isOn ?? (after.length > 0 ? after.join("=") : rest.next().value);
    if (value === undefined || value === "-") return undefined;
    values[option.field] = value;
  }
  if (plain.length < required || (plain.length > words.length && !hasRest)) return undefined;
  const last = words.length - 1;
  const filled = hasRest ? [...plain.slice(0, last), plain.slice(last)] : plain;
  const options = Object.entries(types).map(([field, type]) => ({ field, type, isWord: words.includes(field) }));
  return { input: readInput(options, values, filled), values };
}
