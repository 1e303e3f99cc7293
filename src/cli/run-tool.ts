import { type Command, Option } from "commander";
import type { CallReply, WatchRequest } from "../host/port.ts";
import { messageOf } from "../model/caught.ts";
import { defaultTimeoutMs } from "../model/default-timeout.ts";
import { memoryVariable } from "../model/env.ts";
import { describeUsage, type Failure, fail, type Result, succeed } from "../model/failure.ts";
import { folders } from "../os/index.ts";
import {
  type Format,
  formats,
  readInput,
  spellSwitches,
  type ToolOption,
  takesRest,
  toKebabCase,
} from "../tools/arguments.ts";
import { listOptions, type Tool } from "../tools/define.ts";
import { isTerminal } from "./output.ts";
import {
  cancelOnInterrupt,
  chooseFormat,
  chooseTimeout,
  chooseTurn,
  describeFormat,
  describeTimeout,
  report,
  tell,
} from "./tell.ts";

export function addToolCommand(program: Command, tool: Tool, isActing = false): void {
  const command = program
    .command(tool.name)
    .summary(tool.summary)
    .description(`${tool.summary}\n\n${tool.description}`);
  const options = listOptions(tool);
  addOptions(command, options.map(addOutputFormats));
  addCommonOptions(command, hasOwnFormat(tool), isActing || isBatch(tool));
  if (tool.name === "doctor") command.option("--bundle <file>", bundleHelp);
  if (tool.piped !== undefined) command.option("--file <path>", fileHelp).option("--stdin", "the same as --file -");
  if (tool.goesOn === "asked") command.option("--watch", "go on: tell what changes, until Ctrl-C");
  command.addHelpText("after", `\nExamples:\n${tool.examples.map((example) => `  ${example}`).join("\n")}`);
  command.action(async () => {
    const values = command.opts();
    if (typeof values.bundle === "string") return bundle(values.bundle, values.format);
    const { given, format } = splitFormat(tool, readInput(options, values, command.processedArgs), values.format);
    const input = await takeText(tool, given, values.stdin === true ? "-" : values.file);
    process.exitCode = input.ok
      ? await runTraced(tool, values, () => runTool({ tool, isActing }, input.value, { ...values, format }))
      : await report(input.failure, chooseFormat(format) ?? "text");
  });
}

const fileHelp = "the exact text of a file; - is standard input, here and in place of the text";
export const bundleHelp = "write what a report of a bug needs to a new file, without secrets";

/** Only the command line has it: an agent must not write files by it. */
async function bundle(file: string, format: string | undefined): Promise<void> {
  const [{ writeBundle }, { bundleForms }, { printAnswer }] = await Promise.all([
    import("./bundle.ts"),
    import("../show/checks.ts"),
    import("./define.ts"),
  ]);
  const flags = format === undefined ? {} : { format };
  await printAnswer(bundleForms, flags, () => writeBundle(process.env, file, defaultTimeoutMs));
}

/** Takes the text of a tool from a file or from standard input. Only the command line can: an agent gets no files by it. */
async function takeText(
  { piped }: Tool,
  input: Record<string, unknown>,
  file: unknown,
): Promise<Result<Record<string, unknown>>> {
  if (piped === undefined || (typeof file !== "string" && input[piped] !== "-")) return succeed(input);
  if (typeof file === "string" && input[piped] !== undefined) {
    return fail(describeUsage("the text is given twice", "give it as words or with --file, not both."));
  }
  const text = await readText(typeof file === "string" ? file : "-");
  return text.ok ? succeed({ ...input, [piped]: text.value }) : text;
}

/** A batch may act, by one of its steps. */
function isBatch({ name }: Tool): boolean {
  return name === "do";
}

function hasOwnFormat(tool: Tool): boolean {
  return "format" in tool.input.shape;
}

/** A picture has formats of its own. --format takes both: json, text and csv are how its answer is printed. */
function addOutputFormats(option: ToolOption): ToolOption {
  if (option.field !== "format") return option;
  const description = `${option.description}; json, text or csv: how the answer is printed (also: DESKMAP_FORMAT)`;
  return { ...option, value: [option.value, ...formats].join("|"), description };
}

function splitFormat(
  tool: Tool,
  input: Record<string, unknown>,
  format: unknown,
): { readonly given: Record<string, unknown>; readonly format: unknown } {
  if (!hasOwnFormat(tool)) return { given: input, format };
  if (!formats.some((one) => one === format)) return { given: input, format: undefined };
  const { format: _, ...given } = input;
  return { given, format };
}

export function addOptions(command: Command, options: readonly ToolOption[]): void {
  const words = options.filter(({ isWord }) => isWord);
  for (const word of words) {
    const { field, description, isRequired } = word;
    const name = `${field}${takesRest(word, words) ? "..." : ""}`;
    command.argument(isRequired ? `<${name}>` : `[${name}]`, description);
  }
  for (const { flag, type, value, description } of options.filter(({ isWord }) => !isWord)) {
    command.option(type === "boolean" ? flag : `${flag} <${value}>`, description);
    if (type === "boolean") command.addOption(new Option(`--no-${flag.slice(2)}`).hideHelp());
  }
  // Commander has no --flag=false.
  const parse = command.parseOptions.bind(command);
  const typeOf = (flag: string): string | undefined => {
    const option = command.options.find(({ long }) => long === flag);
    return option === undefined ? undefined : option.required ? "string" : "boolean";
  };
  command.parseOptions = (words) => parse(spellSwitches(words, typeOf));
}

function addCommonOptions(command: Command, isFormatTaken: boolean, isActing: boolean): void {
  if (!isFormatTaken) {
    command.option(
      "--format <json|text|csv>",
      "output format (text on a terminal, json when piped; also: DESKMAP_FORMAT)",
    );
  }
  command
    .option("--pretty", "indent JSON")
    .option(
      "--timeout-ms <n>",
      `time allowed for each application to answer (${defaultTimeoutMs}; also: DESKMAP_TIMEOUT_MS)`,
    )
    .option("--verbose", "say on standard error what is asked of whom, and how long it took (also: DESKMAP_LOG=debug)")
    .option("--trace <file>", "write the same to a file that Perfetto and Chrome open")
    .option("--no-memory", "do not write the map: new marks are temporary (also: DESKMAP_MEMORY=off)")
    .option("--no-daemon", "do not use a running daemon: the answer is the same (also: DESKMAP_DAEMON=never)");
  if (isActing) command.option("--turn <token>", "within a turn that deskmap begin has begun (also: DESKMAP_TURN)");
}

async function runTraced(tool: Tool, values: Record<string, unknown>, work: () => Promise<number>): Promise<number> {
  const { verbose, trace } = values;
  if (verbose !== true && typeof trace !== "string") return work();
  const { isLogWanted, startTracing } = await import("./tracing.ts");
  const file = typeof trace === "string" ? trace : undefined;
  const tracing = startTracing(`deskmap ${tool.name}`, {
    isVerbose: verbose === true || isLogWanted(process.env),
    file,
  });
  const format = chooseFormat(values.format) ?? "text";
  if (!tracing.ok) return report(tracing.failure, format);
  const exitCode = await work();
  const unwritten = tracing.value.finish();
  return unwritten === undefined ? exitCode : report(unwritten, format);
}

async function runTool(
  { tool, isActing }: { readonly tool: Tool; readonly isActing: boolean },
  input: Record<string, unknown>,
  values: Record<string, unknown>,
): Promise<number> {
  if (values.memory === false) process.env[memoryVariable] = "off";
  const format = chooseFormat(values.format);
  if (format === undefined) {
    return report(describeFormat(values.format), "text");
  }
  const timeoutMs = chooseTimeout(values.timeoutMs);
  if (timeoutMs === undefined) {
    return report(describeTimeout(values.timeoutMs), format);
  }
  const unfit = isTerminal() ? tool.refuseOnTerminal?.(input) : undefined;
  if (unfit !== undefined) return report(unfit, format);
  const isAllowed = values.daemon !== false;
  if (tool.goesOn === "always" || values.watch === true) {
    const failure = await runWatch({ input, timeoutMs }, format, isAllowed);
    return failure === undefined ? 0 : report(nameOptions(tool, input, failure), format);
  }
  const { callDaemon } = await import("./call-daemon.ts");
  const isPretty = values.pretty === true;
  const turn = isActing || isBatch(tool) ? chooseTurn(values.turn) : undefined;
  const own = isBatch(tool) ? await takeSteps(input) : succeed(input);
  if (!own.ok) return report(own.failure, format);
  const request = { tool: tool.name, input: own.value, formats: [format], isPretty, timeoutMs, isTyped: true };
  const answer = ({ failure, ...reply }: CallReply): Promise<number> =>
    tell({ ...reply, failure: failure && nameOptions(tool, input, failure) }, format);
  const acts = isActing || isBatch(tool);
  return cancelOnInterrupt(acts, async (signal) => {
    const reply = await callDaemon(process.env, request, { ...tool, turn, isAllowed, acts, signal });
    if (reply !== undefined) return "code" in reply ? report(reply, format) : answer(reply);
    const { callHere } = await import("./call-here.ts");
    return callHere(tool, request, answer, signal);
  });
}

/** Reads a batch in this process: the daemon has another folder and no standard input. */
async function takeSteps(input: Record<string, unknown>): Promise<Result<Record<string, unknown>>> {
  const { chooseText } = await import("../tools/do.ts");
  const steps = chooseText(input, { folder: folders.working(), hasInput: true });
  const { file: _, ...rest } = input;
  return steps.ok ? succeed({ ...rest, steps: steps.value }) : steps;
}

/** Runs until a signal, or the end of the output, ends it. */
async function runWatch(request: WatchRequest, format: Format, isAllowed: boolean): Promise<Failure | undefined> {
  const [{ printBatches }, { watchDaemon }] = await Promise.all([import("./watch.ts"), import("./call-daemon.ts")]);
  if (format === "csv") return describeUsage("what goes on has no CSV", "--format json or --format text");
  return printBatches((signal) => watchDaemon(process.env, request, signal, isAllowed), format);
}

/** Names the field of a wrong input as the command line does. */
function nameOptions(tool: Tool, input: Readonly<Record<string, unknown>>, failure: Failure): Failure {
  if (failure.issue === undefined) return failure;
  const { field, message } = failure.issue;
  const name = tool.words?.includes(field) ? field : `--${toKebabCase(field)}`;
  const isMissing = input[field] === undefined;
  const problem = isMissing ? `${name} is missing` : `${name} ${JSON.stringify(String(input[field]))}: ${message}`;
  return describeUsage(problem, tool.examples[0] ?? `deskmap ${tool.name} --help`);
}

/** The whole text of a file, or of standard input for "-". A lenient decoder would silently replace what is no UTF-8. */
async function readText(path: string): Promise<Result<string>> {
  const name = path === "-" ? "standard input" : path;
  let bytes: Uint8Array;
  try {
    bytes = await (path === "-" ? Bun.stdin : Bun.file(path)).bytes();
  } catch (error) {
    return fail(
      describeUsage(
        `${name} cannot be read: ${messageOf(error)}`,
        "give a file that you may read, or - for standard input.",
      ),
    );
  }
  try {
    return succeed(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return fail(describeUsage(`${name} is not UTF-8 text`, "convert it first, for example with iconv."));
  }
}
