import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../../../model/env.ts";
import { describeUsage, type Failure, fail, type Result, succeed } from "../../../model/failure.ts";
import { hashText } from "../../../model/hash.ts";

/** The location of a shared map, and the account used. */
export interface SharedAddress {
  /** A host name, or a socket directory if it starts with a slash. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string | undefined;
  /** A password file that is ignored because others may read it, as PostgreSQL's own programs do. */
  readonly openFile?: string | undefined;
  /** The role that owns the map: the user's own, or a team's. */
  readonly owner: string;
  readonly tls: false | { readonly rejectUnauthorized: boolean; readonly ca?: string };
  /** For display: without the password. */
  readonly shown: string;
  /** The file name of the local copy: a hash, without the password. */
  readonly file: string;
}

const variable = "DESKMAP_MAP";
const example = `${variable}=postgres://USER:PASSWORD@HOST:5432/DATABASE`;

export function isShared(env: Env): boolean {
  return (env[variable] ?? "") !== "";
}

export function readAddress(env: Env): Result<SharedAddress> {
  const url = parseAddress(env[variable] ?? "");
  if (url === undefined) return fail(describeBadAddress("it is not the URL of a PostgreSQL database"));
  const parameters = url.searchParams;
  const unknown = [...parameters.keys()].filter((key) => !knownKeys.has(key));
  if (unknown.length > 0) return fail(describeBadAddress(`unknown parameters: ${unknown.join(", ")}`));
  const user = decode(url.username) || env.PGUSER || env.USER || "";
  const database = decode(url.pathname.slice(1)) || user;
  const host = parameters.get("host") ?? (decode(url.hostname.replace(/^\[|\]$/g, "")) || "localhost");
  if (user === "" || database.includes("/")) return fail(describeBadAddress("it names no user or no database"));
  const tls = chooseTls(host, parameters.get("sslmode"), parameters.get("sslrootcert"));
  if (!tls.ok) return tls;
  const owner = parameters.get("map") || user;
  const port = Number(url.port || 5432);
  const place = host.startsWith("/") ? `/${database}?host=${host}` : `${host}:${port}/${database}`;
  const shown = `postgres://${user}@${place}${owner === user ? "" : ` (map of ${owner})`}`;
  const given = decode(url.password) || env.PGPASSWORD;
  const password = given || findPassword(env, { host, port, database, user });
  const openFile = password === undefined ? findOpenFile(env) : undefined;
  const name = BigInt.asUintN(64, BigInt(hashText([shown, port, owner].join("\u0004")))).toString(36);
  return succeed({
    host,
    port,
    database,
    user,
    password,
    openFile,
    owner,
    tls: tls.value,
    shown,
    file: `shared-${name}.db`,
  });
}

export function nameReplica(env: Env): string {
  const address = readAddress(env);
  return address.ok ? address.value.file : "shared.db";
}

const knownKeys: ReadonlySet<string> = new Set(["host", "map", "sslmode", "sslrootcert"]);

function parseAddress(given: string): URL | undefined {
  const isPostgres = /^postgres(ql)?:\/\//.test(given);
  // Socket URLs may lack user and host, which URL.parse requires.
  return isPostgres
    ? (URL.parse(given.replace(/^postgres(ql)?:\/\/(?=[/?]|$)/, "postgres://localhost")) ?? undefined)
    : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Remote connections are encrypted and verified unless the user asks for less. No mode falls back silently. */
function chooseTls(host: string, mode: string | null, rootFile: string | null): Result<SharedAddress["tls"]> {
  const isHere = host.startsWith("/") || host === "localhost" || host === "::1" || /^127\.[\d.]+$/.test(host);
  switch (mode ?? (isHere ? "disable" : "verify-full")) {
    case "disable":
      return succeed(false);
    case "require":
      return succeed({ rejectUnauthorized: false });
    case "verify-full": {
      const ca = rootFile === null ? undefined : readCertificate(rootFile);
      if (ca === undefined) {
        return rootFile === null
          ? succeed({ rejectUnauthorized: true })
          : fail(describeBadAddress(`the certificate ${rootFile} cannot be read`));
      }
      return succeed({ rejectUnauthorized: true, ca });
    }
    default:
      return fail(describeBadAddress("sslmode is verify-full, require or disable"));
  }
}

function readCertificate(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Omits the given address: it may contain a password. */
function describeBadAddress(reason: string): Failure {
  return describeUsage(
    `${variable} cannot be used: ${reason}`,
    `${example}[?map=TEAM&sslmode=verify-full], or unset it to use the map of this user.`,
  );
}

/** Debian's default; connections there count as "localhost" (PostgreSQL documentation, "The Password File"). */
const usualSocketFolder = "/var/run/postgresql";
/** Permission bits of group and others. */
const othersMode = 0o077;

/**
 * The account's password from PGPASSFILE or ~/.pgpass. As in libpq, the first matching line counts, and a file readable
 * by others is ignored.
 */
function findPassword(
  env: Env,
  { host, port, database, user }: Pick<SharedAddress, "host" | "port" | "database" | "user">,
): string | undefined {
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
function findOpenFile(env: Env): string | undefined {
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
