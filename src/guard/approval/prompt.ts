import { cleanText } from "../../model/plain-text.ts";
import type { Question } from "./approver.ts";

const maxLine = 400;

/**
 * A question as a person reads it. What an application wrote stands in quotes and on its own line, without anything that
 * could move the cursor: it cannot look like a part of the question.
 */
export function showQuestion(question: Question, code: string, seconds: number): string {
  const { client, tool, app, window, words, why } = question;
  const rows: readonly (readonly [string, string])[] = [
    ["action", line(words)],
    ["application", app === "" ? "none" : text(app)],
    ["window", window === "" ? "none" : text(window)],
    ["asked by", `${text(client)} through ${line(tool)}`],
    ["because", line(why)],
    ["code", code],
  ];
  const shown = rows.map(([name, value]) => `  ${name.padEnd(12)}${value}`);
  return `\nDeskmap asks for your word (${seconds} s):\n${shown.join("\n")}\n`;
}

export const onceQuestion = "Allow this once? Type y or n, then Enter: ";

/** A clear answer, or none: an empty line is none. */
export function readVerdict(typed: string): "yes" | "no" | undefined {
  const word = typed.trim().toLowerCase();
  if (word === "y" || word === "yes") return "yes";
  return word === "n" || word === "no" ? "no" : undefined;
}

function line(words: string): string {
  return cleanText(words, maxLine);
}

function text(words: string): string {
  return JSON.stringify(cleanText(words, maxLine));
}
