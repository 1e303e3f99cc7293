import type { Command } from "commander";

export interface CommandShape {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly words: readonly WordShape[];
  readonly options: readonly OptionShape[];
  readonly commands: readonly CommandShape[];
}

interface WordShape {
  /** As help writes it: <id>, [words...]. */
  readonly shown: string;
  readonly description: string;
  readonly choices: readonly string[];
}

export interface OptionShape {
  readonly long: string;
  /** As help writes it: --app <text>. */
  readonly shown: string;
  readonly description: string;
  readonly takesValue: boolean;
  /** Empty if it takes any value. */
  readonly choices: readonly string[];
}

/** Without hidden commands and options. */
export function describeShape(command: Command): CommandShape {
  const help = command.createHelp();
  return {
    name: command.name(),
    summary: command.summary() || command.description().split("\n")[0] || "",
    description: command.description(),
    words: help.visibleArguments(command).map((word) => ({
      shown: help.argumentTerm(word),
      description: word.description,
      choices: word.argChoices ?? readChoices(word.name()),
    })),
    options: help.visibleOptions(command).flatMap((option) => {
      const long = option.long ?? option.short;
      if (long === undefined || long === null) return [];
      return [
        {
          long,
          shown: option.flags,
          description: option.description,
          takesValue: option.required || option.optional,
          choices: option.argChoices ?? readChoices(option.flags),
        },
      ];
    }),
    commands: help
      .visibleCommands(command)
      .filter((one) => one.name() !== "help")
      .map(describeShape),
  };
}

/** Reads the values from a notation such as <json|text|csv>. */
function readChoices(shown: string): readonly string[] {
  const written = shown.match(/<([\w-]+(?:\|[\w-]+)+)>/)?.[1] ?? shown.match(/^([\w-]+(?:\|[\w-]+)+)$/)?.[1];
  return written?.split("|") ?? [];
}
