import * as z from "zod/mini";
import { type ToolOption, toKebabCase } from "./arguments.ts";
import type { Tool } from "./define.ts";

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
