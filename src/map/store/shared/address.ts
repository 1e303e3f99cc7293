import { readFileSync } from "node:fs";
import type { Env } from "../../../model/env.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../../../model/failure.ts";
import { hashText } from "../../../model/hash.ts";
import { findOpenFile, findPassword } from "./password-file.ts";

/** Where a shared map is, and who asks for it. */
export interface SharedAddress {
  /** A name of a machine, or the folder of a socket when it begins with a slash. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string | undefined;
  /** The file that may have one, where others may read it: it is not used, as PostgreSQL's own programs do not. */
  readonly openFile?: string | undefined;
  /** The role whose map it is: oneself, or a team. */
  readonly owner: string;
  readonly tls: false | { readonly rejectUnauthorized: boolean; readonly ca?: string };
  /** For people: without the password. */
  readonly shown: string;
  /** What the copy of it is called: the password is no part of it, and no word can be read back. */
  readonly file: string;
}

const variable = "DESKMAP_MAP";
const example = `${variable}=postgres://USER:PASSWORD@HOST:5432/DATABASE`;

/** Whether the environment names a shared map at all. */
export function isShared(env: Env): boolean {
  return (env[variable] ?? "") !== "";
}

export function readAddress(env: Env): Result<SharedAddress> {
  const url = parseAddress(env[variable] ?? "");
  if (url === undefined) return fail(describeBadAddress("it is no address of a PostgreSQL database"));
  const wish = url.searchParams;
  const unknown = [...wish.keys()].filter((key) => !knownKeys.has(key));
  if (unknown.length > 0) return fail(describeBadAddress(`nothing is called ${unknown.join(", ")}`));
  const user = decode(url.username) || env.PGUSER || env.USER || "";
  const database = decode(url.pathname.slice(1)) || user;
  const host = wish.get("host") ?? (decode(url.hostname.replace(/^\[|\]$/g, "")) || "localhost");
  if (user === "" || database.includes("/")) return fail(describeBadAddress("it names no user or no database"));
  const tls = chooseTls(host, wish.get("sslmode"), wish.get("sslrootcert"));
  if (!tls.ok) return tls;
  const owner = wish.get("map") || user;
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

/** What the file of this desktop's copy is called. */
export function nameReplica(env: Env): string {
  const address = readAddress(env);
  return address.ok ? address.value.file : "shared.db";
}

const knownKeys: ReadonlySet<string> = new Set(["host", "map", "sslmode", "sslrootcert"]);

function parseAddress(given: string): URL | undefined {
  const isPostgres = /^postgres(ql)?:\/\//.test(given);
  // A URL may have no user and no host, as for a socket; then its parser wants one all the same.
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

/**
 * What goes to another machine is encrypted, and the machine is who it says; whoever wants less must say so. Ways that
 * would fall back to plain text in silence do not exist.
 */
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

/** Without what was given: a password may be in it. */
function describeBadAddress(reason: string): Failure {
  return {
    code: "USAGE",
    message: `${variable} cannot be used: ${reason}`,
    suggestion: `${example}[?map=TEAM&sslmode=verify-full], or unset it to use the map of this user.`,
    done: nothingDone,
  };
}
