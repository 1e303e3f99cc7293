import type { Command } from "commander";
import { type ToolOption, takesRest } from "../tools/arguments.ts";

export function addOptions(command: Command, options: readonly ToolOption[]): void {
  const words = options.filter(({ isWord }) => isWord);
  for (const word of words) {
    const { field, description, isRequired } = word;
    const name = `${field}${takesRest(word, words) ? "..." : ""}`;
    command.argument(isRequired ? `<${name}>` : `[${name}]`, description);
  }
  for (const { flag, type, value, description } of options.filter(({ isWord }) => !isWord)) {
    command.option(type === "boolean" ? flag : `${flag} <${value}>`, description);
  }
}
