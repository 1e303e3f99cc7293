import { closeSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import * as z from "zod/mini";
import { BadLine, type ImportReport, importMap } from "../../map/keep/import.ts";
import { Keeper, MapUnavailable } from "../../map/keep/keeper.ts";
import { exportMap, readLines } from "../../map/keep/lines.ts";
import { codeOf, messageOf } from "../../model/caught.ts";
import { describeUsage, type Failure, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { readBlindness, recordKeeping } from "../../server/keeping.ts";
import { joinRows } from "../../show/csv.ts";
import type { DataOf } from "../../show/output.ts";
import { defineAnswer, defineCommand, reportFailure } from "../define.ts";
import { isTerminal } from "../output.ts";
import { findOutputFile } from "../output-file.ts";
import { findAllApps, refuseFile, withKeeper } from "./open.ts";

const noMap = makeFailure("NOT_FOUND", "nothing is remembered yet", "deskmap read reads a window, and remembers it.");

export const exportToFile = defineCommand({
  name: "export",
  summary: "Writes the map as JSON Lines, for another machine or as a backup; without a file to standard output.",
  description:
    "A first line that says what it is, then one control a line: its ref, its counts and what it was taught. Values, " +
    "passwords and runtime ids are not in the map, and so not in the file.",
  words: [["[file]", ""]],
  options: [["--app <name...>", "only of these applications"]],
  async run({ app = [] }: { readonly app?: readonly string[] }, [file]) {
    const place =
      file === undefined || file === "-"
        ? succeed(undefined)
        : findOutputFile("the file", file, { what: "an exported map", start: '{"deskmap":"map",' });
    if (!place.ok) return place;
    const count = await withKeeper(async (keeper): Promise<Result<number>> => {
      if (keeper === undefined) return fail(noMap);
      const chosen = findAllApps(keeper, app);
      if (!chosen.ok) return chosen;
      const apps = app.length === 0 ? undefined : new Set(chosen.value);
      const batches = exportMap(keeper.store, { apps, nowMs: Date.now() });
      return place.value === undefined ? writeOut(batches) : writeFile(place.value, batches);
    });
    if (!count.ok) reportFailure(count.failure, !isTerminal(2));
    // Standard output may have the map itself.
    else if (isTerminal(2)) process.stderr.write(`${count.value} controls written\n`);
    return succeed(undefined);
  },
});

/** Writes a temporary file beside it first, so that the file is replaced whole or not at all. */
async function writeFile(file: string, batches: Iterable<readonly string[]>): Promise<Result<number>> {
  const beside = `${file}.${process.pid}.part`;
  const remove = (): void => rmSync(beside, { force: true });
  const stop = (): void => {
    remove();
    process.exit(130);
  };
  process.once("SIGINT", stop);
  try {
    const descriptor = openSync(beside, "w", 0o600);
    let count = 0;
    try {
      for (const lines of batches) {
        writeSync(descriptor, lines.map((line) => `${line}\n`).join(""));
        count += lines.length;
        showProgress(count, "controls written");
        // Lets signals through.
        await Bun.sleep(0);
      }
    } finally {
      closeSync(descriptor);
    }
    renameSync(beside, file);
    return succeed(count - 1);
  } catch (error) {
    remove();
    const message = `the map could not be written to ${file}: ${messageOf(error)}`;
    const suggestion = "name a file in a folder that can be written, with room for it.";
    return fail(makeFailure("FAILED", message, suggestion, { done: "nothing was written." }));
  } finally {
    clearProgress();
    process.removeListener("SIGINT", stop);
  }
}

async function writeOut(batches: Iterable<readonly string[]>): Promise<Result<number>> {
  let count = 0;
  const writer = Bun.stdout.writer();
  try {
    for (const lines of batches) {
      writer.write(lines.map((line) => `${line}\n`).join(""));
      await writer.flush();
      count += lines.length;
    }
    await writer.end();
  } catch (error) {
    // A reader that has gone away is not a failure.
    if (!(codeOf(error) === "EPIPE")) throw error;
  }
  return succeed(Math.max(0, count - 1));
}

const importOutput = () =>
  z.strictObject({
    lines: z.number(),
    added: z.number(),
    merged: z.number(),
    renumbered: z.number(),
    refused: z.number(),
    // Marks that were in use here: the number in the file, and the new one.
    examples: z.array(z.tuple([z.number(), z.number()])),
  });

export const importFromFile = defineAnswer({
  name: "import",
  summary: "Takes the lines of another map in, whole or not at all. - is standard input.",
  description:
    "A control keeps its number where that was never given out here. One that is known here already is merged, and " +
    "what was taken in before is not counted twice.",
  words: [["<file>", ""]],
  output: importOutput,
  forms: {
    data({ lines, added, merged, renumbered, refused, examples }: ImportReport): DataOf<typeof importOutput> {
      return { lines, added, merged, renumbered, refused, examples };
    },
    text: describeImport,
    csv: ({ lines, added, merged, renumbered, refused }) =>
      joinRows("lines,added,merged,renumbered,refused", [[lines, added, merged, renumbered, refused].map(String)]),
  },
  run: (_flags, [file = "-"]) => takeIn(file),
});

async function takeIn(file: string): Promise<Result<ImportReport>> {
  const missing = refuseFile(file, "name a file that deskmap map export has written, or - for standard input.");
  if (missing !== undefined) return fail(missing);
  // The marks of a shared map are given out by its server.
  if (process.env.DESKMAP_MAP !== undefined && process.env.DESKMAP_MAP !== "") {
    const suggestion = "import into the map of this user: DESKMAP_MAP= deskmap map import FILE";
    return fail(describeUsage("a shared map takes no import", suggestion));
  }
  const isBlind = await readBlindness(process.env);
  if (!isBlind.ok) return isBlind;
  const keeper = Keeper.make(process.env);
  if (!keeper.ok) return keeper;
  try {
    const written = recordKeeping(process.env, [], "imported", { words: file });
    if (!written.ok) return written;
    const onProgress = (count: number): void => showProgress(count, "lines read");
    return succeed(importMap(keeper.value.store, { lines: readLines(file), isBlind: isBlind.value, onProgress }));
  } catch (error) {
    if (error instanceof BadLine) return fail(describeBadLine(file, error));
    if (error instanceof MapUnavailable) return fail({ ...error.failure, done: "nothing was taken in." });
    throw error;
  } finally {
    clearProgress();
    keeper.value.close();
  }
}

function describeBadLine(file: string, { line, what }: BadLine): Failure {
  const where = file === "-" ? "standard input" : file;
  const message = `line ${line} of ${where} cannot be used: ${what}`;
  const done = "nothing was taken in, not even the lines before it.";
  return makeFailure("USAGE", message, "deskmap map export writes such files.", { done });
}

function describeImport({ lines, added, merged, renumbered, refused, examples }: ImportReport): string {
  const such = examples.map(([there, here]) => `${there} → ${here}`).join(", ");
  const rest = renumbered > examples.length ? ", …" : "";
  const texts = [
    `${lines} controls read: ${added} new, ${merged} known here already`,
    renumbered === 0 ? "" : `${renumbered} got another number, since theirs was given out here: ${such}${rest}`,
    refused === 0 ? "" : `${refused} were not taken in: their applications must not be looked at`,
  ];
  return texts.filter((text) => text !== "").join("\n");
}

let isShown = false;

/** Only of a long task, for a person who waits. */
function showProgress(count: number, what: string): void {
  if (count < 20_000 || !isTerminal(2)) return;
  isShown = true;
  process.stderr.write(`\r${count} ${what} …`);
}

function clearProgress(): void {
  if (isShown) process.stderr.write("\r\u001b[K");
  isShown = false;
}
