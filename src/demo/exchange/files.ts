import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf, messageOf } from "../../model/caught.ts";
import { describeUsage, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import type { Demo } from "../file.ts";
import type { Values } from "../parameters.ts";

/** A file of an export that is a folder. */
export interface ExportedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export function nameFile(index: number, ending: string): string {
  return `${String(index + 1).padStart(4, "0")}.${ending}`;
}

/** The recorded values; a secret stays a placeholder. */
export function recordedValues({ parameters }: Demo): Values {
  const known = Object.entries(parameters).filter(([, one]) => one.type !== "secret" && one.default !== undefined);
  return Object.fromEntries(known.map(([name, one]) => [name, one.default ?? ""]));
}

/** Writes a new folder that only its user can read; an existing one must be empty. */
export function writeFolder(folder: string, files: readonly ExportedFile[]): Result<string> {
  try {
    if (hasEntries(folder)) return fail(describeUsage(`${folder} is not empty`, "name a folder that does not exist."));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const { name, bytes } of files) writeFileSync(join(folder, name), bytes, { mode: 0o600, flag: "wx" });
    return succeed(folder);
  } catch (error) {
    const message = `${folder} could not be written: ${messageOf(error)}`;
    return fail(makeFailure("FAILED", message, "name a folder in a place that can be written."));
  }
}

function hasEntries(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}
