import type { Command } from "commander";
import * as z from "zod/mini";
import type { Tool } from "../tools/define.ts";

/** One command-line option, derived from a field of a tool's schema. */
export interface ToolOption {
  readonly field: string;
  readonly flag: string;
  readonly type: "boolean" | "number" | "string";
  readonly description: string;
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
    };
  });
}

export function addOptions(command: Command, options: readonly ToolOption[]): void {
  for (const { flag, type, description } of options) {
    const value = type === "boolean" ? "" : type === "number" ? " <n>" : " <text>";
    command.option(flag + value, description);
  }
}

/** What the schema will check: numbers as numbers, everything else as typed. */
export function readInput(
  options: readonly ToolOption[],
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const { field, type } of options) {
    const value = values[field];
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
