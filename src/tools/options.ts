import * as z from "zod/mini";
import type { Tool } from "./define.ts";

/** One command-line option, derived from a field of a tool's schema. */
export interface ToolOption {
  readonly field: string;
  readonly flag: string;
  readonly type: "boolean" | "number" | "decimal" | "string" | "list";
  /** How its value is written in help texts: n, text, or the words among which it chooses. */
  readonly value: string;
  readonly description: string;
  /** Whether it is given as a plain word, not as an option. */
  readonly isWord: boolean;
  readonly isRequired: boolean;
}

export function listOptions(tool: Tool): ToolOption[] {
  return Object.entries(tool.input.shape).map(([field, schema]) => {
    const inner = schema instanceof z.ZodMiniOptional ? schema.def.innerType : schema;
    const type = typeOf(inner);
    return {
      field,
      flag: `--${toKebabCase(field)}`,
      type,
      value:
        inner instanceof z.ZodMiniEnum ? inner.options.join("|") : type === "string" || type === "list" ? "text" : "n",
      description: z.globalRegistry.get(schema)?.description ?? "",
      isWord: tool.words?.includes(field) ?? false,
      isRequired: !(schema instanceof z.ZodMiniOptional),
    };
  });
}

function typeOf(schema: unknown): ToolOption["type"] {
  if (schema instanceof z.ZodMiniBoolean) return "boolean";
  if (schema instanceof z.ZodMiniArray) return "list";
  if (schema instanceof z.ZodMiniNumberFormat) return "number";
  return schema instanceof z.ZodMiniNumber ? "decimal" : "string";
}

/** What the schema will check: numbers as numbers, everything else as typed. */
export function readInput(
  options: readonly ToolOption[],
  values: Readonly<Record<string, unknown>>,
  words: readonly unknown[] = [],
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  const fields = options.filter(({ isWord }) => isWord).map(({ field }) => field);
  for (const { field, type, isWord } of options) {
    const given = isWord ? words[fields.indexOf(field)] : values[field];
    const value = Array.isArray(given) && type !== "list" ? given.join(" ") : given;
    // An optional list of words that nobody gave is an empty one.
    if (value === undefined || (Array.isArray(given) && given.length === 0)) continue;
    input[field] = typeof value === "string" ? parseValue(type, value) : value;
  }
  return input;
}

/** A whole number also in hexadecimal, since X tools print window ids so. */
const written: Readonly<Partial<Record<ToolOption["type"], RegExp>>> = {
  number: /^-?\d+$|^0x[0-9a-f]+$/i,
  decimal: /^-?(\d+\.?\d*|\.\d+)$/,
};

function parseValue(type: ToolOption["type"], text: string): number | string {
  return written[type]?.test(text.trim()) === true ? Number(text) : text;
}

export function toKebabCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
