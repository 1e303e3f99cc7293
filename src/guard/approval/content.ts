import type { Command } from "../../model/command.ts";
import type { Failure } from "../../model/failure.ts";
import { escapeUnsure, showExactly } from "../../model/plain-text.ts";
import { isSameApplication, type Window } from "../../model/window.ts";
import { refuse } from "../refusals.ts";
import type { Attempt } from "../rules.ts";
import { findSecretPlace } from "../secret-place.ts";
import { type Question, quote } from "./approver.ts";
import type { Terminal } from "./terminal.ts";

/** A part of what a yes covers, as it is: the question's first line may shorten it or leave it out. */
export interface Content {
  readonly label: string;
  readonly text: string;
}

export function listContent({ command, request, receivers }: Attempt): readonly Content[] {
  const { element, onto } = request;
  const window = request.window ?? receivers[0];
  const secret = command.kind === "fill-secret" ? command.secret : "";
  const origin = command.kind === "fill-secret" ? findSecretPlace(request).origin : undefined;
  const named: readonly Content[] = [
    { label: "action", text: command.kind === "invoke" ? command.action : "" },
    { label: "secret", text: secret },
    { label: "page", text: origin ?? "" },
    { label: "control", text: element?.name ?? "" },
    { label: "drop target", text: onto?.name ?? "" },
    { label: "application", text: window?.app ?? "" },
    { label: "window", text: window?.title ?? "" },
  ];
  // What its quote shows as it is need not be shown twice.
  return [
    ...listOwnContent(command),
    ...named.filter(({ text }) => quote(text) !== JSON.stringify(text) || escapeUnsure(text) !== text),
    ...listOthers(receivers, window),
  ];
}

/** What is dropped, or pressed below another surface, reaches a second application, which the question's rows do not name. */
function listOthers(receivers: readonly Window[], shown: Window | undefined): readonly Content[] {
  const others = receivers.filter((one) => shown === undefined || !isSameApplication(one, shown));
  return others.flatMap(({ app, title }) => [
    { label: "reaches too", text: app },
    { label: "its window", text: title },
  ]);
}

function listOwnContent(command: Command): readonly Content[] {
  if (command.kind === "open") {
    const { opener } = command;
    const [program = "", ...args] = opener.command;
    return [
      { label: "program", text: program },
      ...args.map((text, at) => ({ label: `argument ${at + 1}`, text })),
      ...(opener.cwd === undefined ? [] : [{ label: "in folder", text: opener.cwd }]),
    ];
  }
  if (command.kind === "quit") return command.windows.map(({ title }) => ({ label: "closes", text: title }));
  return "text" in command ? [{ label: "text", text: command.text }] : [];
}

/** A person cannot read more than this before the question is over. */
export const maxContent = 10_000;

/** What cannot be shown in full cannot be approved. */
export function refuseUnshown({ words, why, content }: Question): Failure | undefined {
  const length = content.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= maxContent) return undefined;
  return refuse(
    "unasked",
    `${words} needs a person's approval (${why}), and is too long to be shown in full: ${length} characters, at most ${maxContent}`,
    "do it in smaller parts; or a person does it, or allows it beforehand: deskmap allow --sensitive.",
  );
}

const rowLength = 64;

/** Rows in which every character is visible, each in quotes: a space at an end, a line break and a control character show. */
export function showContent(content: readonly Content[]): readonly string[] {
  return content.flatMap(({ label, text }) =>
    cutRows(text).map((row, at) => `  ${(at === 0 ? label : "").padEnd(12)}${showExactly(row)}`),
  );
}

/** Pieces of at most `rowLength` characters; a line break ends one. */
function cutRows(text: string): readonly string[] {
  const rows = text.split(/(?<=\n)/).flatMap((line) => {
    const letters = [...line];
    const count = Math.ceil(letters.length / rowLength);
    return Array.from({ length: count }, (_, at) => letters.slice(at * rowLength, (at + 1) * rowLength).join(""));
  });
  return rows.length === 0 ? [""] : rows;
}

const pageRows = 16;

/** Shows everything, page by page; false if the person refused or nobody read on. The question follows the last page. */
export async function showPages(
  terminal: Pick<Terminal, "write" | "ask">,
  content: readonly Content[],
  isOver: () => boolean,
): Promise<"shown" | "no" | "over"> {
  const rows = showContent(content);
  const pages = Math.ceil(rows.length / pageRows);
  for (let page = 1; page <= pages; page += 1) {
    terminal.write(`${rows.slice((page - 1) * pageRows, page * pageRows).join("\n")}\n`);
    if (page === pages) break;
    const typed = await terminal.ask(`Part ${page} of ${pages}. Enter shows the next part, n refuses: `, isOver);
    if (typed === undefined) return "over";
    if (/^no?$/i.test(typed.trim())) return "no";
  }
  return "shown";
}
