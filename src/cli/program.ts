import { Command, CommanderError } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { messageOf } from "../model/caught.ts";
import { memoryVariable } from "../model/env.ts";
import { describeUsage, exitCodeOf, type Failure } from "../model/failure.ts";
import { failureToJson, showFailure } from "../show/failure.ts";
import { toolEntries } from "../tools/index.ts";
import type { CommandEntry } from "./define.ts";
import { frame, isTerminal, printNow } from "./output.ts";

const program = new Command("deskmap")
  .description("A living map of the desktop: every window as text, every control by a mark that stays its own.")
  .version(packageJson.version, "--version", "print the version")
  .option("--read-only", "before a command: offer no tool that acts (also: DESKMAP_READ_ONLY=1)")
  .option("--no-memory", "before a command: the map is not written (also: DESKMAP_MEMORY=off)")
  // The same words after a command are options of that command.
  .enablePositionalOptions()
  .showSuggestionAfterError(true)
  .configureOutput({ writeOut: printNow, outputError: (text, write) => write(formatUsageError(text)) })
  .exitOverride();

interface CommandLoader {
  readonly name: string;
  /** A tool that acts does not exist if this client may only read. */
  readonly acts?: boolean;
  add(): Promise<void>;
}

/** Commands for people, and hidden ones that Deskmap starts as processes of their own. */
const commands: readonly CommandEntry[] = [
  { name: "apps", load: async () => (await import("./guard/apps.ts")).apps },
  { name: "policy", load: async () => (await import("./guard/policy.ts")).policy },
  { name: "approve", load: async () => (await import("./guard/approve.ts")).approve },
  { name: "allow", load: async () => (await import("./guard/allow.ts")).allow },
  { name: "recipients", load: async () => (await import("./guard/recipients.ts")).recipients },
  { name: "pin", load: async () => (await import("./guard/pin.ts")).pin },
  { name: "audit", load: async () => (await import("./guard/audit.ts")).audit },
  { name: "stop", load: async () => (await import("./guard/stop.ts")).stop },
  { name: "resume", load: async () => (await import("./guard/stop.ts")).resume },
  { name: "resolve", load: async () => (await import("./map/resolve.ts")).resolveLines },
  { name: "map", load: async () => (await import("./map/map.ts")).map },
  { name: "forget", load: async () => (await import("./map/forget.ts")).forgetOne },
  { name: "record", load: async () => (await import("./demo/record.ts")).record },
  { name: "demo", load: async () => (await import("./demo/demo.ts")).demo },
  { name: "replay", load: async () => (await import("./demo/replay.ts")).replay },
  { name: "ask", load: async () => (await import("./assistant/ask.ts")).ask },
  { name: "chat", load: async () => (await import("./assistant/chat.ts")).chat },
  { name: "mcp", load: async () => (await import("./serve/mcp.ts")).mcp },
  { name: "inspect", load: async () => (await import("./serve/inspect.ts")).inspect },
  { name: "serve", load: async () => (await import("./serve/serve.ts")).serve },
  { name: "begin", load: async () => (await import("./serve/turn.ts")).begin },
  { name: "end", load: async () => (await import("./serve/turn.ts")).end },
  { name: "tour", load: async () => (await import("./sandbox/tour.ts")).tour },
  { name: "release-input", load: async () => (await import("./serve/processes.ts")).releaseInput },
  { name: "serve-selection", load: async () => (await import("./serve/processes.ts")).serveSelection },
  { name: "listen-for-stop", load: async () => (await import("./serve/listen-for-stop.ts")).listenForStop },
  { name: "listen", load: async () => (await import("./serve/listen.ts")).listen },
  { name: "relay", load: async () => (await import("./serve/relay.ts")).relay },
];

const loaders: readonly CommandLoader[] = [
  ...toolEntries.map(({ name, acts, load }) => ({
    name,
    acts,
    add: async () => (await import("./run-tool.ts")).addToolCommand(program, await load(), acts),
  })),
  // It needs the arguments after -- unchanged, which commander does not give.
  { name: "sandbox", add: async () => (await import("./sandbox/sandbox.ts")).addSandboxCommand(program) },
  ...commands.map((entry) => ({
    name: entry.name,
    add: async () => (await import("./define.ts")).addCommand(program, entry, process.argv.slice(3)),
  })),
  // They describe all the others.
  {
    name: "completions",
    add: async () =>
      (await import("./help/completions.ts")).addCompletionsCommand(program, () => addMissing("completions")),
  },
  {
    name: "man",
    add: async () => (await import("./help/man-page.ts")).addManCommand(program, () => addMissing("man")),
  },
];

/** Adds all other commands, for those that describe them; also tools that act, even if this client may only read. */
async function addMissing(loaded: string): Promise<void> {
  for (const { name, add } of loaders) if (name !== loaded) await add();
}

/** Loads the one command that is named; all of them for the general help, or if the name is unknown. */
async function run(): Promise<void> {
  takeSwitches();
  const named = loaders.filter(({ name }) => name === process.argv[2]);
  const isAnyActing = named.length === 0 || named.some(({ acts }) => acts);
  const readOnly = isAnyActing ? await findWhyReadOnly() : undefined;
  const [refused] = named.filter(({ acts }) => acts && readOnly !== undefined);
  if (refused !== undefined && readOnly !== undefined) {
    const failure = (await import("../tools/steps.ts")).describeReadOnly(refused.name, readOnly);
    process.stderr.write(formatFailure(failure));
    process.exitCode = exitCodeOf(failure.code);
    return;
  }
  const offered = named.length > 0 ? named : loaders.filter(({ acts }) => !acts || readOnly === undefined);
  const { arrangeHelp, sortByTopic } = await import("./help/topics.ts");
  for (const loader of sortByTopic(offered, ({ name }) => name)) await loader.add();
  if (named.length === 0) arrangeHelp(program);
  if (namesUnknownCommand()) process.argv = process.argv.filter((word) => word !== "--help" && word !== "-h");
  for (const command of program.commands) {
    command.exitOverride().configureOutput({ outputError: (text, write) => write(formatUsageError(text)) });
  }
  await program.parseAsync(process.argv);
}

/** With --help, commander would print the help of the group around an unknown command, and succeed. */
function namesUnknownCommand(): boolean {
  const [first = "-", second = "-"] = process.argv.slice(2);
  const command = program.commands.find((one) => one.name() === first);
  const isGroup = command !== undefined && command.commands.length > 0;
  const isUnknown = command === undefined || (isGroup && command.commands.every((one) => one.name() !== second));
  const word = command === undefined ? first : second;
  return isUnknown && word !== "help" && !word.startsWith("-");
}

/** Loaded lazily: reading commands do not need it. */
async function findWhyReadOnly(): Promise<string | undefined> {
  const [{ findReadOnly }, { findPlaces }] = await Promise.all([
    import("../guard/policy/live.ts"),
    import("../guard/places.ts"),
  ]);
  return findReadOnly(process.env, findPlaces(process.env));
}

const switches: Readonly<Record<string, readonly [variable: string, value: string]>> = {
  "--read-only": ["DESKMAP_READ_ONLY", "1"],
  "--no-memory": [memoryVariable, "off"],
};

/** Before the command, they apply to everything that this process does and starts. */
function takeSwitches(): void {
  for (let found = switches[process.argv[2] ?? ""]; found !== undefined; found = switches[process.argv[2] ?? ""]) {
    process.argv.splice(2, 1);
    process.env[found[0]] = found[1];
  }
}

function formatFailure(failure: Failure): string {
  return `${isJsonWanted() ? failureToJson(failure) : showFailure(failure)}\n`;
}

/** The requested format, as far as a wrong command line tells. */
function isJsonWanted(): boolean {
  const at = process.argv.findIndex((word) => word === "--format" || word.startsWith("--format="));
  const given = at < 0 ? undefined : (process.argv[at]?.split("=")[1] ?? process.argv[at + 1]);
  const word = given ?? process.env.DESKMAP_FORMAT ?? "";
  return ["json", "text", "csv"].includes(word) ? word === "json" : !isTerminal();
}

function formatUsageError(text: string): string {
  const [first = "", ...rest] = text.trim().split("\n");
  const hint = rest.join(" ").replace(/^\(|\)$/g, "");
  const message = first.replace(/^error: /, "");
  const named = loaders.find(({ name }) => name === process.argv[2])?.name;
  const help = named === undefined ? "deskmap --help, or deskmap COMMAND --help" : `deskmap ${named} --help`;
  return formatFailure(describeUsage(message, hint === "" ? help : hint));
}

export async function runProgram(): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Exit code 0 is help; every other early end is wrong usage.
    process.exitCode = error.exitCode === 0 ? 0 : exitCodeOf("USAGE");
  }
}

/** Reports a bug, or an unforeseen error of the system. */
export function reportFault(error: unknown): void {
  const message = `Deskmap itself failed: ${messageOf(error)}`;
  const suggestion = "run it again with DESKMAP_DEBUG=1 and report what it prints.";
  const told = showFailure({ code: "FAILED", message, suggestion, done: "it stopped there." });
  process.stderr.write(`${frame(told, 2)}\n`);
  if (process.env.DESKMAP_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  process.exitCode = exitCodeOf("FAILED");
}
