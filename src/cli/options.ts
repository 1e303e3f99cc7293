import type { Command } from "commander";
import type { ToolOption } from "../tools/options.ts";

export function addOptions(command: Command, options: readonly ToolOption[]): void {
  const words = options.filter(({ isWord }) => isWord);
  for (const { field, type, value, description, isRequired } of words) {
    // The last one takes everything that is left, so that nobody has to quote words.
    const isRest = ["string", "list"].includes(type) && !value.includes("|") && field === words.at(-1)?.field;
    const name = `${field}${isRest ? "..." : ""}`;
    command.argument(isRequired ? `<${name}>` : `[${name}]`, description);
  }
  for (const { flag, type, value, description } of options.filter(({ isWord }) => !isWord)) {
    command.option(type === "boolean" ? flag : `${flag} <${value}>`, description);
  }
}
