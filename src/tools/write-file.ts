import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { describeUsage, type Failure, fail, type Result, succeed } from "../model/failure.ts";

/** A file that can be written: checked before anything is done for it. */
export function findOutput(path: string, folder = process.cwd()): Result<string> {
  const place = resolve(folder, path);
  try {
    // Asked of the name itself first: a link to a pipe, such as /dev/stdout, has a target without a name.
    lstatSync(place);
    if (!statSync(place).isFile()) {
      return fail(describeUsage(`--output "${path}" is not a file`, "give the name of a file."));
    }
    // Through a link to the file that is meant, so that the link stays.
    const target = realpathSync(place);
    for (const touched of [target, dirname(target)]) accessSync(touched, constants.W_OK);
    if (!isPicture(target)) {
      return fail(
        describeUsage(`--output "${path}" is there and is no picture`, "give a new name, or that of a picture."),
      );
    }
    return succeed(target);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") return fail(describeError(path, error));
    if (isThere(place))
      return fail(describeUsage(`--output "${path}" leads nowhere`, "remove the link, or choose another."));
  }
  try {
    const folder = realpathSync(dirname(place));
    if (!statSync(folder).isDirectory()) {
      return fail(describeUsage(`--output "${path}": "${dirname(path)}" is not a folder`, "choose another place."));
    }
    accessSync(folder, constants.W_OK);
    return succeed(join(folder, basename(place)));
  } catch (error) {
    return fail(describeError(path, error));
  }
}

/** Whoever may only look must not be able to overwrite anything else; an empty file holds nothing to lose. */
function isPicture(path: string): boolean {
  const head = Buffer.alloc(4);
  const descriptor = openSync(path, "r");
  try {
    const length = readSync(descriptor, head, 0, head.length, 0);
    const isEmpty = length === 0 && !ownFolder.test(path);
    return isEmpty || head.equals(Buffer.from("\x89PNG", "latin1")) || head.toString("hex").startsWith("ffd8ff");
  } finally {
    closeSync(descriptor);
  }
}

/** The books of the guard: locks among them are empty files. */
const ownFolder = /\/deskmap\/[^/]+$/;

/** Writes the whole file or none: under another name first, which then takes the place of the old file at once. */
export function writeWhole(path: string, bytes: Uint8Array): Result<undefined> {
  const fresh = join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}.part`);
  try {
    // Never through something that lies there already: the folder may be everybody's.
    writeFileSync(fresh, bytes, { flag: "wx" });
    renameSync(fresh, path);
    return succeed(undefined);
  } catch (error) {
    rmSync(fresh, { force: true });
    const message = `"${path}" could not be written: ${error instanceof Error ? error.message : String(error)}`;
    return fail({ code: "FAILED", message, suggestion: "choose another place.", done: "no file was written." });
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function describeError(path: string, error: unknown): Failure {
  switch (codeOf(error)) {
    case "ENOENT":
    case "ENOTDIR":
      return describeUsage(
        `--output "${path}": there is no folder "${dirname(path)}"`,
        `make it first: mkdir -p '${dirname(path)}'`,
      );
    case "EACCES":
    case "EROFS":
    case "EPERM":
      return describeUsage(`--output "${path}" may not be written`, "choose another place.");
    default:
      return describeUsage(
        `--output "${path}": ${error instanceof Error ? error.message : String(error)}`,
        "choose another place.",
      );
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
