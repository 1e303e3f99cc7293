import { Command, CommanderError } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { exitCodeOf, type Failure } from "../model/failure.ts";
import { failureToJson, showFailure } from "../show/failure.ts";
import { toolEntries } from "../tools/index.ts";
import { frame, isTerminal, printNow } from "./output.ts";
import { usage } from "./usage.ts";

const program = new Command("deskmap")
  .description("A living map of the desktop: every window as text, every control by a mark that stays its own.")
  .version(packageJson.version, "--version", "print the version")
  .option("--read-only", "before a command: no tool that acts exists (also: DESKMAP_READ_ONLY=1)")
  .showSuggestionAfterError(true)
  .configureOutput({ writeOut: printNow, outputError: (text, write) => write(formatUsageError(text)) })
  .exitOverride();

interface CommandSource {
  readonly name: string;
  /** A tool that acts does not exist where nothing may be done. */
  readonly acts?: boolean;
  add(): Promise<void>;
}

const sources: readonly CommandSource[] = [
  ...toolEntries.map(({ name, acts, load }) => ({
    name,
    acts,
    add: async () => (await import("./run-tool.ts")).addToolCommand(program, await load(), acts),
  })),
  { name: "sandbox", add: async () => (await import("./sandbox/sandbox.ts")).addSandboxCommand(program) },
  { name: "apps", add: async () => (await import("./guard/apps.ts")).addAppsCommand(program) },
  { name: "policy", add: async () => (await import("./guard/policy.ts")).addPolicyCommand(program) },
  // How a compiled executable lets go of the keys and buttons of one that was killed.
  { name: "release-input", add: async () => addReleaseCommand(program) },
  { name: "approve", add: async () => (await import("./guard/approve.ts")).addApproveCommand(program) },
  { name: "allow", add: async () => (await import("./guard/allow.ts")).addAllowCommand(program) },
  { name: "pin", add: async () => (await import("./guard/pin.ts")).addPinCommand(program) },
  // The process that holds what was copied.
  { name: "serve-selection", add: async () => addSelectionCommand(program) },
  // The process that listens for the keys that stop everything.
  { name: "listen-for-stop", add: async () => addListenCommand(program) },
  { name: "audit", add: async () => (await import("./guard/audit.ts")).addAuditCommand(program) },
  { name: "stop", add: async () => (await import("./guard/stop.ts")).addStopCommand(program) },
  { name: "resume", add: async () => (await import("./guard/resume.ts")).addResumeCommand(program) },
  { name: "resolve", add: async () => (await import("./map/resolve.ts")).addResolveCommand(program) },
  { name: "map", add: async () => (await import("./map/map.ts")).addMapCommand(program) },
  { name: "forget", add: async () => (await import("./map/map.ts")).addForgetCommand(program) },
  { name: "mcp", add: async () => (await import("./serve/mcp.ts")).addMcpCommand(program) },
  { name: "inspect", add: async () => (await import("./serve/inspect.ts")).addInspectCommand(program) },
  // The process between a library in another runtime and the daemon.
  { name: "relay", add: async () => addRelayCommand(program) },
  { name: "serve", add: async () => (await import("./serve/serve.ts")).addServeCommand(program) },
  { name: "begin", add: async () => (await import("./serve/begin.ts")).addBeginCommand(program) },
  { name: "end", add: async () => (await import("./serve/end.ts")).addEndCommand(program) },
  { name: "tour", add: async () => (await import("./sandbox/tour.ts")).addTourCommand(program) },
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

/** For whoever describes all commands: what acts is described also where nothing may be done. */
async function addMissing(loaded: string): Promise<void> {
  for (const { name, add } of sources) if (name !== loaded) await add();
}

function addReleaseCommand(to: Command): void {
  const command = to.command("release-input <undo>", { hidden: true });
  command.action(async (undo: string) => (await import("../session.ts")).releaseInput(undo));
}

function addSelectionCommand(to: Command): void {
  const command = to.command("serve-selection <selection>", { hidden: true });
  command.action(async (selection: string) => {
    const [{ serveSelection }, { refuseStranger }, { findPlaces }] = await Promise.all([
      import("../session.ts"),
      import("../guard/stranger.ts"),
      import("../guard/places.ts"),
    ]);
    const refused = refuseStranger(findPlaces(process.env), process.ppid);
    if (refused !== undefined) return tellFailure(refused);
    await serveSelection(selection === "primary" ? "primary" : "clipboard", await Bun.stdin.text());
  });
}

function addRelayCommand(to: Command): void {
  const command = to.command("relay", { hidden: true });
  command.action(async () => (await import("./serve/relay.ts")).relay(process.env));
}

function addListenCommand(to: Command): void {
  const command = to.command("listen-for-stop", { hidden: true });
  command.action(async () => (await import("./serve/listen-for-stop.ts")).listenForStop(process.env));
}

/** Loads the one command that was asked for; all of them when help is wanted, or when the word is none of them. */
async function run(): Promise<void> {
  takeReadOnly();
  const named = sources.filter(({ name }) => name === process.argv[2]);
  const isAnyActing = named.length === 0 || named.some(({ acts }) => acts);
  const readOnly = isAnyActing ? await findWhyReadOnly() : undefined;
  const [refused] = named.filter(({ acts }) => acts && readOnly !== undefined);
  if (refused !== undefined && readOnly !== undefined) return refuseToAct(refused.name, readOnly);
  const offered = named.length > 0 ? named : sources.filter(({ acts }) => !acts || readOnly === undefined);
  for (const source of offered) await source.add();
  for (const command of program.commands) {
    command.exitOverride().configureOutput({ outputError: (text, write) => write(formatUsageError(text)) });
  }
  await program.parseAsync(process.argv);
}

/** Who only looks does not pay for it. */
async function findWhyReadOnly(): Promise<string | undefined> {
  const [{ findReadOnly }, { findPlaces }] = await Promise.all([
    import("../guard/policy/read-only.ts"),
    import("../guard/places.ts"),
  ]);
  return findReadOnly(process.env, findPlaces(process.env));
}

/** Given before the command, it holds for everything that this process and those that it starts do. */
function takeReadOnly(): void {
  while (process.argv[2] === "--read-only") {
    process.argv.splice(2, 1);
    process.env.DESKMAP_READ_ONLY = "1";
  }
}

async function refuseToAct(name: string, why: string): Promise<void> {
  const { describeReadOnly } = await import("../tools/steps.ts");
  tellFailure(describeReadOnly(name, why));
}

function tellFailure(failure: Failure): void {
  process.stderr.write(`${isJsonWanted() ? failureToJson(failure) : showFailure(failure)}\n`);
  process.exitCode = exitCodeOf(failure.code);
}

/** What was asked for, as far as it can be told from words that could not be understood. */
function isJsonWanted(): boolean {
  const at = process.argv.findIndex((word) => word === "--format" || word.startsWith("--format="));
  const word = at < 0 ? "" : (process.argv[at]?.split("=")[1] ?? process.argv[at + 1] ?? "");
  return ["json", "text", "csv"].includes(word) ? word === "json" : !isTerminal();
}

/** Commander's message, as one of our errors. */
function formatUsageError(text: string): string {
  const [first = "", ...rest] = text.trim().split("\n");
  const hint = rest.join(" ").replace(/^\(|\)$/g, "");
  const message = first.replace(/^error: /, "");
  const named = sources.find(({ name }) => name === process.argv[2])?.name;
  const help = named === undefined ? "deskmap --help, or deskmap COMMAND --help" : `deskmap ${named} --help`;
  const failure = usage(message, hint === "" ? help : hint);
  return `${isJsonWanted() ? failureToJson(failure) : showFailure(failure)}\n`;
}

/** Parses the command line and runs the command that it names. */
export async function runProgram(): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help was asked for; every other early end is wrong usage.
    process.exitCode = error.exitCode === 0 ? 0 : exitCodeOf("USAGE");
  }
}

/** A bug, or something unforeseen in the system. */
export function reportFault(error: unknown): void {
  const message = `Deskmap itself failed: ${error instanceof Error ? error.message : String(error)}`;
  const suggestion = "run it again with DESKMAP_DEBUG=1 and report what it prints.";
  const told = showFailure({ code: "FAILED", message, suggestion, done: "it stopped there." });
  process.stderr.write(`${frame(told, 2)}\n`);
  if (process.env.DESKMAP_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  process.exitCode = exitCodeOf("FAILED");
}
