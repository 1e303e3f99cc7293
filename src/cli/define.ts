import type { Command, OptionValues } from "commander";
import type * as z from "zod/mini";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import { stringify } from "../show/json.ts";
import type { Forms } from "../show/output.ts";
import { checkDeclared } from "../tools/check-declared.ts";
import type { Format } from "../tools/forms.ts";
import { frame, isTerminal, print } from "./output.ts";
import { reportFailure } from "./report.ts";
import { chooseFormat } from "./tell.ts";

/** A word or an option as help writes it ("<mark>", "--app <name>"), and what it means. */
type Notation = readonly [written: string, meaning: string];

/** What is told of a command for persons. No tool, no batch and no client of MCP can call one. */
interface CommandDescription {
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly words?: readonly Notation[];
  readonly options?: readonly Notation[];
  /** Below the options. */
  readonly notes?: string;
  readonly examples?: readonly string[];
  readonly isHidden?: boolean;
}

/** A command that answers with data, in the form that is asked for: --format and --pretty are its options by themselves. */
interface Answering<Flags, Value, Output> extends CommandDescription {
  /** Builds the schema of its data. */
  output(): z.ZodMiniType<Output>;
  readonly forms: Forms<Value, Output>;
  /** Whether its text has words of applications in it, which are enclosed for readers that take words for orders. */
  encloses?(value: Value): boolean;
  /** Undefined: it has said by itself what there is to say. */
  run(flags: Flags, words: readonly string[]): Promise<Result<Value | undefined>>;
}

/** A command that says a few words, or does its work and says nothing. */
interface Telling<Flags> extends CommandDescription {
  run(flags: Flags, words: readonly string[]): Promise<Result<string | undefined>>;
}

/** A command as the list has it: its types are known to nobody but itself. */
export interface PersonCommand extends CommandDescription {
  output?(): z.ZodMiniType;
  /** Runs it, prints what came of it, and sets the exit code. */
  perform(command: Command): Promise<void>;
}

/** Several commands under one name. */
export interface CommandGroup extends CommandDescription {
  readonly commands: readonly CommandEntry[];
}

/** A command by its name; what it needs is loaded only when it is used, since every start pays for what is loaded. */
export interface CommandEntry {
  readonly name: string;
  load(): Promise<PersonCommand | CommandGroup>;
}

const formatOption: Notation = ["--format <json|text|csv>", "output format (text on a terminal, json when piped)"];
const prettyOption: Notation = ["--pretty", "indent JSON"];

export function defineAnswer<Flags extends OptionValues, Value, Output extends object>(
  declared: Answering<Flags, Value, Output>,
): PersonCommand {
  const { run, forms, encloses = () => false, options = [], ...described } = declared;
  return {
    ...described,
    options: [...options, formatOption, prettyOption],
    async perform(command) {
      const flags = command.opts<Flags & FormatFlags>();
      await printAnswer({ ...forms, encloses }, flags, async () => {
        const result = await run(flags, readWords(command));
        const value = result.ok ? result.value : undefined;
        if (value !== undefined)
          checkDeclared(
            described.name,
            () => described.output(),
            () => forms.data(value),
          );
        return result;
      });
    },
  };
}

interface FormatFlags {
  readonly format?: string;
  readonly pretty?: boolean;
}

interface Printing<Value, Output> extends Forms<Value, Output> {
  encloses?(value: Value): boolean;
}

/** Prints what came of a command in the form that is asked for, and sets the exit code. */
export async function printAnswer<Value, Output>(
  forms: Printing<Value, Output>,
  { format: given, pretty = false }: FormatFlags,
  work: () => Promise<Result<Value | undefined>>,
): Promise<void> {
  const format = readFormat(given);
  if (!format.ok) return reportFailure(format.failure, false);
  const result = await work();
  const isJson = format.value === "json";
  if (!result.ok) return reportFailure(result.failure, isJson);
  const { value } = result;
  if (value === undefined) return;
  const output = {
    json: () => stringify(forms.data(value), pretty),
    text: () => (forms.encloses?.(value) === true ? frame(forms.text(value), 1) : forms.text(value)),
    csv: () => forms.csv(value),
  }[format.value]();
  const unwritten = await print(output);
  if (unwritten !== undefined) return reportFailure(unwritten, isJson);
  process.exitCode = forms.exitCode?.(value) ?? 0;
}

export function defineCommand<Flags extends OptionValues>(declared: Telling<Flags>): PersonCommand {
  const { run, ...described } = declared;
  return {
    ...described,
    async perform(command) {
      // --read-only is the program's, and heard by it when it is given after the command.
      const result = await run(command.optsWithGlobals<Flags>(), readWords(command));
      if (!result.ok) return reportFailure(result.failure, !isTerminal());
      const unwritten = result.value === undefined ? undefined : await print(result.value);
      if (unwritten !== undefined) reportFailure(unwritten, !isTerminal());
    },
  };
}

/** Adds a command, and of a group the one that `next` names; all of them where it names none. */
export async function addCommand(parent: Command, entry: CommandEntry, [next]: readonly string[] = []): Promise<void> {
  const described = await entry.load();
  const { name, summary, description, words = [], options = [], isHidden = false } = described;
  const command = parent.command(name, { hidden: isHidden }).summary(summary);
  if (description !== undefined) command.description(description);
  for (const [written, meaning] of words) command.argument(written, meaning);
  for (const [written, meaning] of options) command.option(written, meaning);
  command.addHelpText("after", describeMore(described));
  if ("perform" in described) command.action(() => described.perform(command));
  else {
    const named = described.commands.filter((one) => one.name === next);
    for (const one of named.length > 0 ? named : described.commands) await addCommand(command, one);
  }
}

function describeMore({ notes, examples = [] }: CommandDescription): string {
  const shown =
    examples.length === 0 ? undefined : `Examples:\n${examples.map((example) => `  ${example}`).join("\n")}`;
  const parts = [notes, shown].filter((part) => part !== undefined);
  return parts.length === 0 ? "" : `\n${parts.join("\n\n")}`;
}

/** The form that was asked for. */
export function readFormat(given: unknown): Result<Format> {
  const format = chooseFormat(given);
  if (format !== undefined) return succeed(format);
  return fail(describeUsage(`no format is called "${String(given)}"`, "--format json, text or csv"));
}

/** One after the other; what was not given is not there. */
function readWords({ processedArgs }: Command): readonly string[] {
  return processedArgs.flat().filter((word) => typeof word === "string");
}
