import type { Command } from "commander";
import * as z from "zod/mini";
import type { Tool } from "../tools/define.ts";

/** One command-line option, derived from a field of a tool's schema. */
export interface ToolOption {
  readonly field: string;
  readonly flag: string;
  readonly type: "boolean" | "number" | "string";
  readonly description: string;
  /** Whether it is given as a plain word, not as an option. */
  readonly isWord: boolean;
}

export function listOptions(tool: Tool): ToolOption[] {
  return Object.entries(tool.input.shape).map(([field, schema]) => {
    const inner = schema instanceof z.ZodMiniOptional ? schema.def.innerType : schema;
    const type = inner instanceof z.ZodMiniBoolean ? "boolean" : inner instanceof z.ZodMiniNumber ? "number" : "string";
    return {
      field,
      flag: `--${toKebabCase(field)}`,
      type,
      description: z.globalRegistry.get(schema)?.description ?? "",
      isWord: tool.words?.includes(field) ?? false,
    };
  });
}

export function addOptions(command: Command, options: readonly ToolOption[]): void {
  const words = options.filter(({ isWord }) => isWord);
  for (const { field, type, description } of words) {
    // The last one takes everything that is left, so that nobody has to quote words.
    const isRest = type === "string" && field === words.at(-1)?.field;
    command.argument(`<${field}${isRest ? "..." : ""}>`, description);
  }
  for (const { flag, type, description } of options.filter(({ isWord }) => !isWord)) {
    const value = type === "boolean" ? "" : type === "number" ? " <n>" : " <text>";
    command.option(flag + value, description);
  }
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
    const value = Array.isArray(given) ? given.join(" ") : given;
    if (value === undefined) continue;
    input[field] = type === "number" && typeof value === "string" ? parseNumber(value) : value;
  }
  return input;
}

/** Also hexadecimal, since X tools print window ids so. */
function parseNumber(text: string): number | string {
  return /^-?\d+$|^0x[0-9a-f]+$/i.test(text.trim()) ? Number(text) : text;
}

export function toKebabCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
