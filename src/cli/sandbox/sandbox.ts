import { Command, CommanderError, Option } from "commander";
import {
  describeUsage,
  exitCodeOf,
  type Failure,
  fail,
  makeFailure,
  type Result,
  succeed,
} from "../../model/failure.ts";
import { cleanAnswer } from "../../model/plain-text.ts";
import type { OpenOptions } from "../../sandbox/index.ts";
import { printNow } from "../output.ts";
import { type Format, type FormatFlag, printFailure, printUsage, readFormat } from "./answers.ts";
import { noteFolder, runInside } from "./run-inside.ts";

const CLOSING_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const DEFAULT_SIZE = "1280x800";
const USAGE = "[options] [-- app args…]";

const HELP = `
Without an app it stays until Ctrl-C or SIGTERM. With an app it closes when the app ends and passes its exit code on;
what Deskmap itself prints then goes to stderr. An app that goes into the background counts as ended.
With --detach it stays, app or not, until "deskmap sandbox stop NAME".
Closing ends every process inside and removes every file, also when this command is killed.

Programs inside are kept from what is outside where bubblewrap is installed and the system allows it: a home and environment
of their own, the system and Deskmap read-only, no network. What opens says which it is; so do "list" and "deskmap doctor".
A command after "exec" is kept in, too. Programs started with the environment of "env" run outside, with all your rights.

Monitors stand side by side, each with its upper edge at the top; WxH+X+Y puts one elsewhere, and * marks the primary
(else the first is). Several need Xorg with its dummy driver, which use no hardware and no console of this machine.

Examples:
  deskmap sandbox -- mousepad notes.txt             a private desktop for one application
  deskmap sandbox --detach --name work              a desktop that stays
  deskmap sandbox exec work -- deskmap read         run a command inside it
  eval "$(deskmap sandbox env work)"                or bring this shell inside
  deskmap sandbox stop work
  deskmap sandbox --bind notes --bind /data:ro -- mousepad notes/a.txt   show it a folder, and another read-only
  deskmap sandbox --policy policy.json -- xterm     try a policy where it can do no harm
  deskmap sandbox --detach --name x --session xfce  a whole XFCE: panel, menu, desktop, settings
  deskmap sandbox --monitors 2 -- mousepad          two monitors of 1280x800
  deskmap sandbox --monitors '1280x1024,1920x1080*,1024x768+3200+312'`;

/** Adds `deskmap sandbox`. It parses the raw arguments, since commander drops the first "--". */
export function addSandboxCommand(program: Command): void {
  const outer = program
    .command("sandbox")
    .description("Open a private desktop: X server, window manager, session bus and accessibility bus.")
    .usage(USAGE)
    .argument("[words...]")
    .allowUnknownOption()
    .helpOption(false);
  outer.action(() => runSandboxCommand(findWords(program), readFormat(outer.optsWithGlobals())));
  outer.outputHelp = () => buildCommands([], "text").outputHelp();
}

async function runSandboxCommand(words: string[], format: Format): Promise<void> {
  const dashes = words.indexOf("--");
  const [own, inside] = dashes < 0 ? [words, []] : [words.slice(0, dashes), words.slice(dashes + 1)];
  try {
    await buildCommands(inside, format).parseAsync(own, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? 0 : exitCodeOf("USAGE");
  }
}

function findWords(program: Command): string[] {
  const given = "rawArgs" in program && Array.isArray(program.rawArgs) ? program.rawArgs.map(String) : process.argv;
  return given.slice(given.indexOf("sandbox", 2) + 1);
}

/** `inside` is the command after "--", which runs inside. */
function buildCommands(inside: string[], format: Format): Command {
  const root = new Command("deskmap sandbox")
    .configureOutput({ writeOut: printNow })
    .exitOverride()
    .usage(USAGE)
    .enablePositionalOptions();
  const addFormat = (command: Command) =>
    command
      .addOption(new Option("--format <format>", "how to print").choices(["text", "json"]).default(format))
      .addOption(new Option("--no-daemon", "taken for uniformity; no daemon is used"));

  addFormat(root)
    .description("Opens a private desktop: X server, window manager, session bus and accessibility bus.")
    .option("--size <WxH>", `screen size in pixels (default: ${DEFAULT_SIZE})`)
    .option("--monitors <layout>", "real outputs: a number, each of --size, or one WxH for each; see below")
    .option("--wm <name>", "window manager: openbox (the default), xfwm4 or mutter")
    .option("--session <name>", "a whole session instead: xfce, lxqt, mate, cinnamon or plasma, if it is installed")
    .option("--timeout-ms <n>", "limit for opening (default: 20000; with a session 60000)")
    .option("--name <name>", "how to call it (default: a short unique name)")
    .option("--policy <file>", "rule it by this policy; without one there is no limit and no list inside")
    .option(
      "--bind <path>",
      "show this file or folder inside, at the same path; PATH:ro read-only; repeatable",
      collect,
      [],
    )
    .option("--net", "let programs inside use the network of this machine, its abstract sockets included")
    .option("--bounded", "refuse to open if programs inside cannot be kept in")
    .option("--trust", "give programs inside your files, environment and network")
    .option("--detach", "keep it running in the background")
    .argument("[words...]")
    .addHelpText("after", HELP)
    .action((words: string[], flags: OpenFlags) =>
      words.length > 0 ? refuseWords("", words, readFormat(flags)) : openFromFlags(flags, inside),
    );
  addFormat(root.command("exec <name> [words...]"))
    .usage("NAME -- command args…")
    .description("runs a command inside; passes signals on to it, and its exit code back")
    .action((name: string, words: string[], flags: FormatFlag) =>
      words.length > 0 || inside.length === 0
        ? refuseWords(`exec ${name} `, words, readFormat(flags))
        : runInside(name, inside, readFormat(flags)),
    );
  addFormat(root.command("list"))
    .description("shows the running sandboxes")
    .action((flags: FormatFlag) => printList(readFormat(flags)));
  addFormat(root.command("stop [name]"))
    .description("closes one, or all of them")
    .option("--all", "every sandbox of this user")
    .action((name: string | undefined, flags: StopFlags) => stopNamed(name, flags));
  addFormat(root.command("env <name>"))
    .description("prints its environment, for eval in a shell")
    .action((name: string, flags: FormatFlag) => printEnvironment(name, readFormat(flags)));
  // Processes that the sandbox starts from a compiled executable.
  for (const piece of ["supervise", "sweep"]) {
    root
      .command(piece, { hidden: true })
      .action(async () => (await import("../../sandbox/supervisor.ts")).runPiece(piece));
  }
  return root;
}

type OpenFlags = FormatFlag &
  Partial<Record<"size" | "monitors" | "wm" | "session" | "timeoutMs" | "name" | "policy", string>> & {
    detach?: boolean;
    bind: string[];
    net?: boolean;
    bounded?: boolean;
    trust?: boolean;
  };
type StopFlags = FormatFlag & { all?: boolean };

async function openFromFlags(flags: OpenFlags, app: string[]): Promise<void> {
  const {
    formatAsJson,
    formatAsText,
    parseManager,
    parseMonitors,
    parseSession,
    parseSize,
    toExitCode,
    tryOpenSandbox,
  } = await import("../../sandbox/index.ts");
  const format = readFormat(flags);
  if (flags.size !== undefined && flags.monitors?.includes("x"))
    return printUsage("--monitors gives every size here, so --size has no meaning", "leave --size out", format);
  if (flags.wm !== undefined && flags.session !== undefined)
    return printUsage("a session has its own window manager, so --wm has no meaning", "leave --wm out", format);
  const timeoutMs = flags.timeoutMs === undefined ? undefined : Number(flags.timeoutMs);
  if (timeoutMs !== undefined && !(Number.isInteger(timeoutMs) && timeoutMs > 0))
    return printUsage(`"${flags.timeoutMs}" is not a number of milliseconds`, "--timeout-ms 20000", format);
  const size = parseSize(flags.size ?? DEFAULT_SIZE);
  if (!size.ok) return printFailure(size.failure, format);
  const monitors = parseMonitors(flags.monitors ?? "1", size.value);
  if (!monitors.ok) return printFailure(monitors.failure, format);
  const manager = parseManager(flags.wm ?? "openbox");
  if (!manager.ok) return printFailure(manager.failure, format);
  const session = flags.session === undefined ? undefined : parseSession(flags.session);
  if (session?.ok === false) return printFailure(session.failure, format);
  const boundary = await readBoundary(flags);
  if (!boundary.ok) return printFailure(boundary.failure, format);
  const homeFiles = flags.policy === undefined ? undefined : await readPolicyFor(flags.policy);
  if (homeFiles?.ok === false) return printFailure(homeFiles.failure, format);
  const closeWhenAppEnds = app.length > 0 && flags.detach !== true;
  const asked = Promise.withResolvers<NodeJS.Signals>();
  for (const signal of CLOSING_SIGNALS) process.on(signal, () => asked.resolve(signal));
  const opened = await tryOpenSandbox({
    ...size.value,
    monitors: monitors.value,
    manager: manager.value,
    session: session?.value,
    ...boundary.value,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(flags.name === undefined ? {} : { name: flags.name }),
    ...(homeFiles === undefined ? {} : { homeFiles: homeFiles.value }),
    app,
    appStdio: closeWhenAppEnds ? "inherit" : "log",
    closeWhenAppEnds,
  });
  if (!opened.ok) return printFailure(opened.failure, format);
  const sandbox = opened.value;
  if (app.length > 0) await noteFolder(sandbox.boundary);
  if (app.length > 0 && !closeWhenAppEnds) {
    const { noteNoWindow, waitForWindow } = await import("./first-window.ts");
    if (!(await waitForWindow(sandbox.env, sandbox.ended))) await noteNoWindow(app, sandbox.variables);
  }
  const told = format === "json" ? formatAsJson(sandbox) : formatAsText(sandbox);
  if (closeWhenAppEnds) process.stderr.write(told);
  else printNow(told);
  if (flags.detach === true) return sandbox.detach();

  const signal = await Promise.race([asked.promise, sandbox.ended.then(() => null)]);
  await sandbox.close();
  const { app: appEnd, reason } = await sandbox.ended;
  if (closeWhenAppEnds) process.exitCode = toExitCode(signal === null && appEnd ? appEnd : { exitCode: null, signal });
  if (signal === null && closeWhenAppEnds && process.exitCode !== 0) {
    process.stderr.write(`deskmap: ${JSON.stringify(app[0])} ended with exit code ${process.exitCode}\n`);
  }
  if (reason === "asked" || reason === "app-ended") return;
  process.stderr.write(`deskmap: the sandbox ${sandbox.name} has closed by itself: ${reason}\n`);
  process.exitCode = exitCodeOf("FAILED");
}

async function readBoundary({
  bind,
  net = false,
  bounded = false,
  trust = false,
}: OpenFlags): Promise<Result<Pick<OpenOptions, "boundary" | "binds" | "hasNetwork">>> {
  const { parseBind } = await import("../../sandbox/index.ts");
  const other = bounded ? "--bounded" : net ? "--net" : bind.length > 0 ? "--bind" : undefined;
  if (trust && other !== undefined)
    return fail(
      describeUsage(`--trust gives programs inside everything, so ${other} has no meaning`, `leave ${other} out`),
    );
  const binds: NonNullable<OpenOptions["binds"]>[number][] = [];
  for (const text of bind) {
    const parsed = parseBind(text, process.cwd());
    if (!parsed.ok) return parsed;
    binds.push(parsed.value);
  }
  return succeed({ boundary: trust ? "off" : bounded ? "required" : "preferred", binds, hasNetwork: net });
}

function collect(value: string, before: string[]): string[] {
  return [...before, value];
}

/** Copies the policy, so that changes inside stay inside. An invalid one is refused before anything starts. */
async function readPolicyFor(file: string): Promise<Result<Record<string, string>>> {
  const [{ readAnyFile, readPolicy }, { existsSync }] = await Promise.all([
    import("../../guard/policy/file.ts"),
    import("node:fs"),
  ]);
  if (!existsSync(file)) return fail(describeNoPolicy(file));
  const text = readAnyFile(file);
  if (!text.ok) return text;
  const read = await readPolicy(file, text.value);
  return read.ok ? succeed({ ".config/deskmap/policy.json": text.value }) : read;
}

function describeNoPolicy(file: string): Failure {
  const message = `--policy ${JSON.stringify(file)}: there is no such file, and no sandbox was opened`;
  const suggestion = "name a file that is there, or leave --policy out: then there is no limit and no list inside.";
  return makeFailure("NOT_FOUND", message, suggestion);
}

async function printList(format: Format): Promise<void> {
  const { formatListAsJson, formatListAsText, listSandboxes } = await import("../../sandbox/index.ts");
  const records = await listSandboxes();
  printNow(format === "json" ? formatListAsJson(records) : cleanAnswer(formatListAsText(records)));
}

async function printEnvironment(name: string, format: Format): Promise<void> {
  const { describeRecord, findSandbox, formatAsJson, formatAsText } = await import("../../sandbox/index.ts");
  const found = await findSandbox(name);
  if (!found.ok) return printFailure(found.failure, format);
  const described = describeRecord(found.value);
  printNow(format === "json" ? formatAsJson(described) : formatAsText(described));
}

async function stopNamed(name: string | undefined, flags: StopFlags): Promise<void> {
  const { listSandboxes, stopSandbox } = await import("../../sandbox/index.ts");
  const format = readFormat(flags);
  const isAll = flags.all === true;
  const running = isAll || name === undefined ? (await listSandboxes()).map((record) => record.name) : [];
  if (isAll === (name !== undefined)) {
    const which = running.length === 0 ? "none is running" : `running: ${running.join(", ")}`;
    return printUsage(`stop takes one NAME, or --all; ${which}`, "deskmap sandbox list", format);
  }
  const names = isAll ? running : [name ?? ""];
  const stopped: string[] = [];
  for (const each of names) {
    const outcome = await stopSandbox(each);
    if (outcome.ok) stopped.push(each);
    // With --all, one that has closed by itself meanwhile is no failure.
    else if (!isAll || outcome.failure.code !== "NOT_FOUND") printFailure(outcome.failure, format);
  }
  if (format === "json") printNow(`${JSON.stringify({ stopped })}\n`);
  else if (stopped.length > 0 || isAll) printNow(`stopped: ${stopped.join(", ") || "none was running"}\n`);
}

function refuseWords(before: string, words: string[], format: Format): void {
  const example = `deskmap sandbox ${before}-- ${words.length > 0 ? words.join(" ") : "command args…"}`;
  return printUsage("what is to run inside comes after --", example, format);
}
