import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../../../model/env.ts";

interface Account {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/** Debian's; what is there counts as "localhost" (PostgreSQL's documentation, "The Password File"). */
const usualSocketFolder = "/var/run/postgresql";
/** What others may do with a file. */
const othersMode = 0o077;

/**
 * The password that the person's own file has for an account: PGPASSFILE, or ~/.pgpass. As with PostgreSQL's own programs the
 * first line that fits counts, and a file that others may read is not used.
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

/** The file that is not used because others may read it. */
export function findOpenFile(env: Env): string | undefined {
  const path = findFile(env);
  return path !== undefined && !isPrivate(path) ? path : undefined;
}

function findFile(env: Env): string | undefined {
  const path = env.PGPASSFILE || (env.HOME ? join(env.HOME, ".pgpass") : "");
  // Most people have none.
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

/** By colons; a backslash before a colon or a backslash makes it a letter like others. */
function splitFields(line: string): { readonly raw: string; readonly text: string }[] {
  const fields = line.match(/(?:\\.|[^:\\]|\\$)*(?::|$)/gsu) ?? [];
  return fields.map((field) => {
    const raw = field.replace(/:$/, "");
    return { raw, text: raw.replace(/\\(.)/gsu, "$1") };
  });
}
