import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { type Case, readCase } from "../../map/resolve/read-case.ts";
import { resolve } from "../../map/resolve/resolve.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { defineCommand } from "../define.ts";
import { print } from "../output.ts";
import { refuseFile } from "./open.ts";

const notes = `Each line of FILE is {"ref": …, "candidates": […]}; with "answer" (a candidate's key, or null where it is gone) the
last line says how many were right, wrong and refused. docs/concepts.md has the fields.`;

export const resolveLines = defineCommand({
  name: "resolve",
  summary: "Measure the resolver on data of your own: which candidate does a ref mean, or none?",
  description:
    "Answers each line of a file of JSON Lines: match or refusal, with evidence, score and margin. - is standard input.",
  words: [["<file>", ""]],
  notes,
  examples: ["deskmap resolve pages.jsonl > answers.jsonl", "deskmap resolve - < pages.jsonl | tail -n 1"],
  run: (_flags, [file = "-"]) => answerAll(file),
});

interface Tally {
  lines: number;
  right: number;
  wrong: number;
  refused: number;
}

/** Prints the answers as it goes; the result is the last line. */
async function answerAll(file: string): Promise<Result<string | undefined>> {
  const missing = refuseFile(file, "name a file of JSON Lines, or - for standard input.");
  if (missing !== undefined) return fail(missing);
  const input = file === "-" ? process.stdin : createReadStream(file, "utf8");
  const tally: Tally = { lines: 0, right: 0, wrong: 0, refused: 0 };
  let number = 0;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (line.trim() === "") continue;
    const question = readCase(line);
    if (typeof question === "string") return fail(describeBadLine(file, number, question, tally));
    const unwritten = await print(JSON.stringify(answer(question, tally)));
    if (unwritten !== undefined) return fail(unwritten);
  }
  if (tally.lines === 0) {
    const message = `${file === "-" ? "standard input" : file} has no line`;
    return fail(makeFailure("NOT_FOUND", message, 'each line is {"ref": {…}, "candidates": [{…}, …]}.'));
  }
  const { right, wrong, refused } = tally;
  const judged = right + wrong + refused;
  const shares = { right: round(right / judged), wrong: round(wrong / judged), refused: round(refused / judged) };
  return succeed(judged > 0 ? JSON.stringify({ judged, ...shares }) : undefined);
}

function answer({ ref, candidates, keys, answer: truth }: Case, tally: Tally): object {
  const { verdict, best, score, margin, evidence, ranking } = resolve(ref, candidates);
  const match = verdict === "match" && best !== undefined ? (keys[best] ?? null) : null;
  tally.lines += 1;
  if (truth !== undefined) tally[judge(match, truth)] += 1;
  return {
    match,
    verdict,
    score: round(score),
    margin: round(margin),
    evidence: evidence.map(({ feature, level, weight }) => {
      return `${feature} ${level} ${weight > 0 ? "+" : ""}${weight.toFixed(1)}`;
    }),
    nearest: ranking.map((place) => keys[place]),
  };
}

/** If the control is gone, a refusal is right. */
function judge(match: string | number | null, truth: string | number | null): "right" | "wrong" | "refused" {
  if (match === truth) return "right";
  return match === null ? "refused" : "wrong";
}

function round(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}

function describeBadLine(file: string, line: number, what: string, { lines }: Tally): Failure {
  const message = `line ${line} of ${file === "-" ? "standard input" : file} cannot be used: ${what}`;
  const suggestion =
    'each line is {"ref": {…}, "candidates": [{…}, …]}; deskmap resolve --help and docs/concepts.md have the fields.';
  return makeFailure("USAGE", message, suggestion, { done: `${lines} lines before it were answered.` });
}
