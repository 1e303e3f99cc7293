import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../../../model/env.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../../../model/failure.ts";
import { folders, user } from "../../../os/index.ts";

/** A fixed path: a client that could choose it could read any file. */
export function findSecretsFile(env: Env): string {
  return join(folders.config(env), "deskmap", "secrets.env");
}

/** The secrets in the user's file; empty if there is none. A file readable by others is refused. */
export function readSecretsFile(path: string): Result<ReadonlyMap<string, string>> {
  let descriptor: number;
  try {
    descriptor = openSync(path, "r");
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return isMissing ? succeed(new Map()) : fail(refuse(path, "cannot be read", `check who owns ${path}.`));
  }
  try {
    // Checked on the open descriptor: the path may refer to another file by now.
    const found = fstatSync(descriptor);
    const { mode } = found;
    if (!user.owns(found)) return fail(refuse(path, "belongs to another user", `chown it to yourself.`));
    if ((mode & 0o077) !== 0) {
      return fail(refuse(path, `can be read by others (mode ${(mode & 0o777).toString(8)})`, `chmod 600 ${path}`));
    }
    return succeed(parseSecrets(readFileSync(descriptor, "utf8")));
  } finally {
    closeSync(descriptor);
  }
}

/** NAME=value and NAME@PLACE=value lines; quotes around a value are removed, # starts a comment. */
export function parseSecrets(text: string): ReadonlyMap<string, string> {
  const secrets = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, name, value] = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*(?:@[\w.:-]+)?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) secrets.set(name, unquote(value));
  }
  return secrets;
}

function unquote(value: string): string {
  const [, double, single] = /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)')\s*(?:#.*)?$/.exec(value) ?? [];
  if (double !== undefined) return double.replace(/\\(["\\$`])/g, "$1");
  return single ?? value.replace(/\s+#.*$/, "");
}

function refuse(path: string, problem: string, suggestion: string): Failure {
  return { code: "REFUSED", reason: "secret", message: `${path} ${problem}`, suggestion, done: nothingDone };
}
