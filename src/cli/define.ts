import type { Command, OptionValues } from "commander";
import type * as z from "zod/mini";
import { exitCodeOf, type Failure, fail, type Result, succeed } from "../model/failure.ts";
import { failureToJson, showFailure } from "../show/failure.ts";
import { type Forms, stringify } from "../show/output.ts";
import type { Format } from "../tools/arguments.ts";
import { checkDeclared } from "../tools/perform.ts";
import { frame, isTerminal, print } from "./output.ts";
import { chooseFormat, describeFormat } from "./tell.ts";

/** An argument or an option as help shows it ("<mark>", "--app <name>"), and its meaning. */
type Notation = readonly [written: string, meaning: string];

/** A command for people. No tool, no batch and no MCP client can call one. */
interface CommandDescription {
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly words?: readonly Notation[];
  readonly options?: readonly Notation[];
  readonly notes?: string;
  readonly examples?: readonly string[];
  readonly isHidden?: boolean;
}

/** A command that answers with data; it gets the options --format and --pretty. */
interface Answering<Flags, Value, Output> extends CommandDescription {
  output(): z.ZodMiniType<Output>;
  readonly forms: Forms<Value, Output>;
  /** Whether its text quotes applications, so that it is enclosed for readers other than terminals. */
  encloses?(value: Value): boolean;
  /** Undefined if it has printed everything itself. */
  run(flags: Flags, words: readonly string[]): Promise<Result<Value | undefined>>;
}

interface Saying<Flags> extends CommandDescription {
  run(flags: Flags, words: readonly string[]): Promise<Result<string | undefined>>;
}

/** A command without the types of its flags and data. */
export interface PersonCommand extends CommandDescription {
  output?(): z.ZodMiniType;
  /** Runs it, prints the result and sets the exit code. */
  perform(command: Command): Promise<void>;
}

export interface CommandGroup extends CommandDescription {
  readonly commands: readonly CommandEntry[];
}

/** A command by its name. Its code is loaded only when it is used, to keep every other start fast. */
export interface CommandEntry {
  readonly name: string;
  load(): Promise<PersonCommand | CommandGroup>;
}

const formatOption: Notation = [
  "--format <json|text|csv>",
  "output format (text on a terminal, json when piped; also: DESKMAP_FORMAT)",
];
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

export function reportFailure(failure: Failure, isJson: boolean): void {
  process.stderr.write(`${isJson ? failureToJson(failure) : frame(showFailure(failure), 2)}\n`);
  process.exitCode = exitCodeOf(failure.code);
}

export async function printOrReport(output: string, isJson: boolean): Promise<boolean> {
  const unwritten = await print(output);
  if (unwritten !== undefined) reportFailure(unwritten, isJson);
  return unwritten === undefined;
}

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
  if (await printOrReport(output, isJson)) process.exitCode = forms.exitCode?.(value) ?? 0;
}

export function defineCommand<Flags extends OptionValues>(declared: Saying<Flags>): PersonCommand {
  const { run, ...described } = declared;
  return {
    ...described,
    async perform(command) {
      // --read-only is an option of the program, which commander also takes after the command.
      const result = await run(command.optsWithGlobals<Flags>(), readWords(command));
      if (!result.ok) return reportFailure(result.failure, !isTerminal());
      if (result.value !== undefined) await printOrReport(result.value, !isTerminal());
    },
  };
}

/** Adds a command; of a group, the command that `next` names, or all if it names none. */
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

export function readFormat(given: unknown): Result<Format> {
  const format = chooseFormat(given);
  if (format !== undefined) return succeed(format);
  return fail(describeFormat(given));
}

/** The arguments in their order, without those that were not given. */
function readWords({ processedArgs }: Command): readonly string[] {
  return processedArgs.flat().filter((word) => typeof word === "string");
}
