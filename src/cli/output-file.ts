import { closeSync, lstatSync, openSync, readSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isOwnPlace } from "../guard/places.ts";
import { describeUsage, type Failure, fail, type Result, succeed } from "../model/failure.ts";
import { folders } from "../os/index.ts";
import { followLinks } from "../os/own-folders.ts";

interface Kind {
  /** What the file is, such as "a trace". */
  readonly what: string;
  /** How every such file begins; only such a file is replaced. Undefined: none is. */
  readonly start: string | undefined;
}

/**
 * The path at which a command writes a file that its caller names: in none of Deskmap's own folders, and over nothing but
 * a file of the same kind. Links to a folder are followed; a link to a file is refused.
 */
export function findOutputFile(option: string, path: string, { what, start }: Kind): Result<string> {
  const given = resolve(folders.working(), path);
  const place = join(followLinks(dirname(given)), basename(given));
  const refused = refuseOwnPlace(option, path);
  if (refused !== undefined) return fail(refused);
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (found === undefined || (start !== undefined && found.isFile() && beginsWith(place, start))) return succeed(place);
  const [why, suggestion] =
    start === undefined ? ["", "give a new name."] : [` and is not ${what}`, `give a new name, or that of ${what}.`];
  return fail(describeUsage(`${option} "${path}" is there already${why}`, suggestion));
}

/** For a caller that may replace any other file. */
export function refuseOwnPlace(option: string, path: string): Failure | undefined {
  const place = followLinks(resolve(folders.working(), path));
  if (!isOwnPlace(place, process.env)) return undefined;
  return describeUsage(`${option} "${path}" is in Deskmap's own folder`, "choose another place.");
}

function beginsWith(path: string, start: string): boolean {
  const expected = Buffer.from(start, "latin1");
  const read = Buffer.alloc(expected.length);
  const descriptor = openSync(path, "r");
  try {
    return readSync(descriptor, read) === expected.length && read.equals(expected);
  } finally {
    closeSync(descriptor);
  }
}
