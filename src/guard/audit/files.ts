import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Places } from "../places.ts";
import { emptyHead, type Head } from "./chain.ts";

/** The log is continued in a new file when it is this long; the old one keeps the number of its last line in its name. */
export const longestLogBytes = 64 * 1024 * 1024;

const numberLength = 12;

/** What the file that is written now will be called when it is full. */
export function nameOldLog(audit: string, lastLine: number): string {
  const name = basename(audit, ".jsonl");
  return join(dirname(audit), `${name}.${String(lastLine).padStart(numberLength, "0")}.jsonl`);
}

/** Every file of the log, oldest first. */
export function listLogFiles({ audit }: Places): string[] {
  const name = basename(audit, ".jsonl");
  const isOld = new RegExp(`^${name}\\.\\d{${numberLength}}\\.jsonl$`);
  const entries = listFolder(dirname(audit));
  const old = entries.filter((entry) => isOld.test(entry)).toSorted();
  const all = entries.includes(basename(audit)) ? [...old, basename(audit)] : old;
  return all.map((entry) => join(dirname(audit), entry));
}

/** How far the log goes, as it was noted after its last line; undefined where there is no note that can be read. */
export function readHead({ head }: Places): Head | undefined {
  try {
    const { n, hash, bytes, atMs } = { ...emptyHead, ...JSON.parse(readFileSync(head, "utf8")) };
    const isOne = [n, bytes, atMs].every(Number.isSafeInteger) && n > 0 && typeof hash === "string";
    return isOne ? { n, hash, bytes, atMs } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return undefined;
    throw error;
  }
}

export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whole or not at all. Only one process at a time may write a path so. */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, path);
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
