import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../../../model/env.ts";

interface Account {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/** Debian's default; connections there count as "localhost" (PostgreSQL documentation, "The Password File"). */
const usualSocketFolder = "/var/run/postgresql";
/** Permission bits of group and others. */
const othersMode = 0o077;

/**
 * The account's password from PGPASSFILE or ~/.pgpass. As in libpq, the first matching line counts, and a file readable
 * by others is ignored.
 */
export function findPassword(env: Env, { host, port, database, user }: Account): string | undefined {
  const name = host === usualSocketFolder ? "localhost" : host;
  const wanted = [name, String(port), database, user];
  for (const line of readLines(env)) {
    if (line.startsWith("#")) continue;
    const [fields, password] = [splitFields(line).slice(0, wanted.length), splitFields(line)[wanted.length]];
    const isFit = wanted.every((word, at) => fields[at]?.raw === "*" || fields[at]?.text === word);
    if (isFit && password !== undefined && password.text !== "") return password.text;
  }
  return undefined;
}

/** The password file that is ignored because others may read it. */
export function findOpenFile(env: Env): string | undefined {
  const path = findFile(env);
  return path !== undefined && !isPrivate(path) ? path : undefined;
}

function findFile(env: Env): string | undefined {
  const path = env.PGPASSFILE || (env.HOME ? join(env.HOME, ".pgpass") : "");
  return path !== "" && existsSync(path) ? path : undefined;
}

function isPrivate(path: string): boolean {
  const { mode = othersMode } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return (mode & othersMode) === 0;
}

function readLines(env: Env): string[] {
  const path = findFile(env);
  try {
    return path !== undefined && isPrivate(path) ? readFileSync(path, "utf8").split(/\r?\n/) : [];
  } catch {
    return [];
  }
}

/** Splits at colons; a backslash escapes a colon or a backslash. */
function splitFields(line: string): { readonly raw: string; readonly text: string }[] {
  const fields = line.match(/(?:\\.|[^:\\]|\\$)*(?::|$)/gsu) ?? [];
  return fields.map((field) => {
    const raw = field.replace(/:$/, "");
    return { raw, text: raw.replace(/\\(.)/gsu, "$1") };
  });
}
