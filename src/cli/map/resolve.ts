import { createReadStream, existsSync, statSync } from "node:fs";
import { createInterface } from "node:readline";
import { type Case, readCase } from "../../map/resolve/read-case.ts";
import { type Resolution, resolve } from "../../map/resolve/resolve.ts";
import { type Failure, nothingDone, succeed } from "../../model/failure.ts";
import { defineCommand, reportFailure } from "../define.ts";
import { isTerminal, print } from "../output.ts";

const notes = `Each line of FILE is {"ref": …, "candidates": […]}; with "answer" (a candidate's key, or null where it is gone) the
last line says how many were right, wrong and refused. docs/concepts.md has the fields.`;

/** The resolver of marks, on anybody's data: JSON Lines in, JSON Lines out. */
export const resolveLines = defineCommand({
  name: "resolve",
  summary: "Which candidate does a ref mean, or none? For measuring the resolver on data of your own.",
  description:
    "Answers each line of a file of JSON Lines: match or refusal, with evidence, score and margin. - is standard input.",
  words: [["<file>", ""]],
  notes,
  examples: ["deskmap resolve pages.jsonl > answers.jsonl", "deskmap resolve - < pages.jsonl | tail -n 1"],
  async run(_flags, [file = "-"]) {
    await run(file);
    return succeed(undefined);
  },
});

interface Tally {
  lines: number;
  right: number;
  wrong: number;
  refused: number;
}

async function run(file: string): Promise<void> {
  const missing = file === "-" ? undefined : findMissing(file);
  if (missing !== undefined) return reportFailure(missing, !isTerminal());
  const input = file === "-" ? process.stdin : createReadStream(file, "utf8");
  const tally: Tally = { lines: 0, right: 0, wrong: 0, refused: 0 };
  let number = 0;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (line.trim() === "") continue;
    const question = readCase(line);
    if (typeof question === "string")
      return reportFailure(describeBadLine(file, number, question, tally), !isTerminal());
    const unwritten = await print(JSON.stringify(answer(question, tally)));
    if (unwritten !== undefined) return reportFailure(unwritten, !isTerminal());
  }
  if (tally.lines === 0) return reportFailure(describeEmpty(file), !isTerminal());
  const judged = tally.right + tally.wrong + tally.refused;
  const unwritten = judged > 0 ? await print(JSON.stringify(summarise(tally, judged))) : undefined;
  if (unwritten !== undefined) reportFailure(unwritten, !isTerminal());
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
    evidence: evidence.map(showEvidence),
    nearest: ranking.map((place) => keys[place]),
  };
}

/** Where the control is gone, a refusal is right. */
function judge(match: string | number | null, truth: string | number | null): "right" | "wrong" | "refused" {
  if (match === truth) return "right";
  return match === null ? "refused" : "wrong";
}

function showEvidence({ feature, level, weight }: Resolution["evidence"][number]): string {
  return `${feature} ${level} ${weight > 0 ? "+" : ""}${weight.toFixed(1)}`;
}

function round(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}

function summarise({ right, wrong, refused }: Tally, judged: number): object {
  return { judged, right: round(right / judged), wrong: round(wrong / judged), refused: round(refused / judged) };
}

function findMissing(file: string): Failure | undefined {
  if (existsSync(file) && !statSync(file).isDirectory()) return undefined;
  return {
    code: "NOT_FOUND",
    message: existsSync(file) ? `${file} is a folder` : `there is no file ${file}`,
    suggestion: "name a file of JSON Lines, or - for standard input.",
    done: nothingDone,
  };
}

function describeBadLine(file: string, line: number, what: string, { lines }: Tally): Failure {
  return {
    code: "USAGE",
    message: `line ${line} of ${file === "-" ? "standard input" : file} cannot be used: ${what}`,
    suggestion:
      'each line is {"ref": {…}, "candidates": [{…}, …]}; deskmap resolve --help and docs/concepts.md have the fields.',
    done: `${lines} lines before it were answered.`,
  };
}

function describeEmpty(file: string): Failure {
  return {
    code: "NOT_FOUND",
    message: `${file === "-" ? "standard input" : file} has no line`,
    suggestion: 'each line is {"ref": {…}, "candidates": [{…}, …]}.',
    done: nothingDone,
  };
}
