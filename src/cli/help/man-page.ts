import type { Command } from "commander";
import packageJson from "../../../package.json" with { type: "json" };
import { type CommandShape, describeShape } from "./shape.ts";
import { topics } from "./topics.ts";

/** Adds the command that prints the manual page, made from the same declarations as the commands themselves. */
export function addManCommand(program: Command, loadAll: () => Promise<void>): void {
  program
    .command("man")
    .summary("Print the manual page.")
    .description("Print the manual page, in the form that man reads.\n\n  deskmap man | man -l -")
    .action(async () => {
      await loadAll();
      const { loadTools } = await import("../../tools/index.ts");
      const examples = new Map((await loadTools()).map((tool) => [tool.name, tool.examples]));
      const { print } = await import("../output.ts");
      await print(writePage(describeShape(program), examples).trimEnd());
    });
}

type Examples = ReadonlyMap<string, readonly string[]>;

function writePage(shape: CommandShape, examples: Examples): string {
  return [
    `.TH DESKMAP 1 "" "deskmap ${packageJson.version}" "User Commands"`,
    ".SH NAME",
    `deskmap \\- ${toRoff(shape.description.replace(/^./, (first) => first.toLowerCase()))}`,
    ".SH SYNOPSIS",
    ".B deskmap",
    "[\\fB\\-\\-read\\-only\\fR] \\fICOMMAND\\fR [\\fIOPTIONS\\fR]",
    ".SH DESCRIPTION",
    ...paragraphs([
      "Deskmap reads every window as text, gives each control a mark that always means that control or nothing, and acts on controls by what they are. After every action it looks again and says what changed.",
      "Text from applications is data. When the output is no terminal it stands between two lines that say so.",
    ]),
    ".SH OPTIONS",
    ...shape.options.flatMap(writeOption),
    ...topics.flatMap(([heading, names]) => [
      `.SH ${heading.toUpperCase()}`,
      ...names
        .flatMap((name) => shape.commands.find((command) => command.name === name) ?? [])
        .flatMap((command) => writeCommand(command, [], examples)),
    ]),
    ".SH EXIT STATUS",
    ...exitCodes.flatMap(([code, meaning]) => [".TP", `.B ${code}`, toRoff(meaning)]),
    ".SH ENVIRONMENT",
    ...variables.flatMap(([name, meaning]) => [".TP", `.B ${name}`, toRoff(meaning)]),
    ".SH FILES",
    ...files.flatMap(([name, meaning]) => [".TP", `.I ${toRoff(name)}`, toRoff(meaning)]),
    "",
  ].join("\n");
}

const exitCodes: readonly (readonly [string, string])[] = [
  ["0", "done; for an action: what was wanted was seen to happen."],
  ["1", "not done: not found, ambiguous, not ready, failed."],
  ["2", "wrong usage."],
  ["3", "refused by the guard."],
  ["4", "delivered, but not confirmed."],
];

const variables: readonly (readonly [string, string])[] = [
  ["DESKMAP_MAP", "where the map is: a file, or postgres://… for one that is shared."],
  ["DESKMAP_CLIENT", "the name under which the guard knows whoever calls."],
  ["DESKMAP_READ_ONLY", "1: nothing that acts exists."],
  ["DESKMAP_MEMORY", "off: the map is not written, and new marks are temporary."],
  ["DESKMAP_FORMAT", "json, text or csv: the output format where --format is not given."],
  ["DESKMAP_TIMEOUT_MS", "how long an application may take to answer where --timeout-ms is not given."],
  ["DESKMAP_DAEMON", "never: every command stands alone; start: the daemon is started when none runs."],
];

const files: readonly (readonly [string, string])[] = [
  ["~/.local/share/deskmap/map.db", "the map: every control that was met, with its mark."],
  ["~/.local/state/deskmap/audit.jsonl", "what was looked at and done."],
  ["~/.config/deskmap/policy.json", "what may be looked at and done."],
];

function writeCommand(command: CommandShape, path: readonly string[], examples: Examples): readonly string[] {
  const own = [...path, command.name];
  const words = command.words.map(({ shown }) => ` \\fI${toRoff(shown)}\\fR`).join("");
  const inner = command.commands.flatMap((one) => writeCommand(one, own, examples));
  const shown = examples.get(own.join(" ")) ?? [];
  return [
    `.SS "deskmap ${toRoff(own.join(" "))}${words}"`,
    ...paragraphs(command.description.split(/\n\n+/)),
    ...command.words
      .filter(({ description }) => description !== "")
      .flatMap((word) => [".TP", `\\fI${toRoff(word.shown)}\\fR`, toRoff(word.description)]),
    ...command.options.filter(({ long }) => long !== "--help").flatMap(writeOption),
    ...(shown.length === 0 ? [] : [".P", "Examples:", ".P", ".nf", ".RS", ...shown.map(toRoff), ".RE", ".fi"]),
    ...inner,
  ];
}

function writeOption({ shown, description }: CommandShape["options"][number]): readonly string[] {
  return [".TP", `\\fB${toRoff(shown)}\\fR`, toRoff(description)];
}

function paragraphs(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => [".P", ...text.split("\n").map((line) => toRoff(line.trim()))]);
}

/** Escapes backslashes, dashes, and dots and quotes at the start of a line. */
function toRoff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("\n", " ")
    .replace(/^([.'])/, "\\&$1");
}
