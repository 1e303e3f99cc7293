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
import { isOwnPlace } from "../guard/places.ts";
import { codeOf, messageOf } from "../model/caught.ts";
import { describeUsage, type Failure, fail, type Result, succeed } from "../model/failure.ts";

/** The path to write, once it is known to be writable: called before the picture is taken. */
export function findOutput(path: string, folder = process.cwd()): Result<string> {
  const found = findWritable(path, folder);
  if (!found.ok || !isOwnPlace(found.value, process.env)) return found;
  return fail(describeUsage(`--output "${path}" is in Deskmap's own folder`, "choose another place."));
}

function findWritable(path: string, folder: string): Result<string> {
  const place = resolve(folder, path);
  try {
    // lstat first: the target of a link to a pipe, such as /dev/stdout, has no name.
    lstatSync(place);
    if (!statSync(place).isFile()) {
      return fail(describeUsage(`--output "${path}" is not a file`, "give the name of a file."));
    }
    // The target of a link is written, so that the link stays.
    const target = realpathSync(place);
    for (const touched of [target, dirname(target)]) accessSync(touched, constants.W_OK);
    if (!isPicture(target)) {
      const suggestion = "give a new name, or that of a picture.";
      return fail(describeUsage(`--output "${path}" exists and is not a picture`, suggestion));
    }
    return succeed(target);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") return fail(describeError(path, error));
    if (lstatSync(place, { throwIfNoEntry: false }) !== undefined) {
      return fail(describeUsage(`--output "${path}" is a broken link`, "remove the link, or choose another."));
    }
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

/** A client that may only read must not overwrite anything but pictures; an empty file has nothing to lose. */
function isPicture(path: string): boolean {
  const head = Buffer.alloc(4);
  const descriptor = openSync(path, "r");
  try {
    const length = readSync(descriptor, head, 0, head.length, 0);
    return length === 0 || head.equals(Buffer.from("\x89PNG", "latin1")) || head.toString("hex").startsWith("ffd8ff");
  } finally {
    closeSync(descriptor);
  }
}

/** Writes a temporary file and renames it, so that the file is replaced whole or not at all. */
export function writeWhole(path: string, bytes: Uint8Array): Result<undefined> {
  const fresh = join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}.part`);
  try {
    // "wx" never follows an existing link: the folder may be writable by others.
    writeFileSync(fresh, bytes, { flag: "wx", mode: 0o600 });
    renameSync(fresh, path);
    return succeed(undefined);
  } catch (error) {
    rmSync(fresh, { force: true });
    const message = `"${path}" could not be written: ${messageOf(error)}`;
    return fail({ code: "FAILED", message, suggestion: "choose another place.", done: "no file was written." });
  }
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
      return describeUsage(`--output "${path}": ${messageOf(error)}`, "choose another place.");
  }
}
