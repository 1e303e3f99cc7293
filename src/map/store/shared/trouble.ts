import type { Failure } from "../../../model/failure.ts";
import { nothingDone } from "../../../model/failure.ts";
import { quoteArgument } from "../../../model/plain-text.ts";
import type { SharedAddress } from "./address.ts";

/** Why a request failed: the server is unreachable and work continues offline, or it refused and a person must act. */
export type Trouble =
  | { readonly kind: "away"; readonly reason: string }
  | {
      readonly kind: "refused";
      readonly failure: Failure;
      /**
       * PostgreSQL's code, if the cause may be the data rather than the account. The same data would be refused again.
       */
      readonly lasting?: string | undefined;
    };

/**
 * SQLSTATE classes for a problem with a row: invalid data, a constraint, a check, a limit, a custom rule, or a row
 * policy. An account without access gets the last one too.
 */
const lastingCodes = /^(22|23|44|54|P0001$|42501$)/;

/** SQLSTATEs for missing tables, or tables of another version. */
const schemaCodes: ReadonlySet<string> = new Set(["3F000", "42883", "42P01", "DM001"]);

export function isMissingSchema(error: unknown): boolean {
  return schemaCodes.has(codeOf(error));
}

/** Messages contain only fixed text, PostgreSQL's codes and system errors: never the sent data or the password. */
export function describeTrouble(
  address: SharedAddress,
  error: unknown,
  when: "asking" | "creating" = "asking",
): Trouble {
  const code = codeOf(error);
  const told = findAnswer(address, code, when);
  const lasting = when === "asking" && lastingCodes.test(code) ? code : undefined;
  if (told !== undefined) {
    return { kind: "refused", lasting, failure: { code: "UNAVAILABLE", done: nothingDone, ...told } };
  }
  return { kind: "away", reason: code === "" ? "it did not answer in time" : code };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

type Told = Pick<Failure, "message" | "suggestion">;

function findAnswer(
  { shown, user, owner, database, file, openFile }: SharedAddress,
  code: string,
  when: string,
): Told | undefined {
  switch (code) {
    case "28P01":
    case "28000":
      return {
        message: `the shared map ${shown} did not accept user or password${openFile === undefined ? "" : `; ${openFile} is not used, since others may read it`}`,
        suggestion:
          openFile === undefined
            ? "correct DESKMAP_MAP, or unset it to use the map of this user."
            : `chmod 600 ${quoteArgument(openFile)}`,
      };
    case "3D000":
      return {
        message: `the shared map ${shown} does not exist: there is no database "${database}"`,
        suggestion: `its administrator runs: CREATE DATABASE ${quote(database)};`,
      };
    case "42501":
      if (when === "creating") {
        return {
          message: `the shared map ${shown} has no tables of this version, and ${user} may not create them`,
          suggestion: `its administrator runs any command once with DESKMAP_MAP set to a role that may, or: GRANT CREATE ON DATABASE ${quote(database)} TO ${quote(user)};`,
        };
      }
      return {
        message: `the shared map ${shown} is not for ${user}`,
        suggestion: `its administrator runs: GRANT ${quote(owner)} TO ${quote(user)};`,
      };
    case "DM002":
      return {
        message: `the shared map ${shown} is not the one this desktop has joined: its database was recreated or restored from a backup`,
        suggestion: `to join it again, move ${file} out of Deskmap's data directory.`,
      };
    default:
      return describeOther(shown, code);
  }
}

export function describeLasting(code: string): string {
  const [, words = ""] =
    [
      [/^22/, "invalid data"] as const,
      [/^(23|44)/, "a constraint"] as const,
      [/^54/, "too large"] as const,
      [/^P0001/, "a rule of its administrator"] as const,
      [/^42501/, "no permission"] as const,
    ].find(([pattern]) => pattern.test(code)) ?? [];
  return words === "" ? `PostgreSQL ${code}` : `${words}, PostgreSQL ${code}`;
}

/** Codes of temporary conditions, or no code at all, are not refusals. */
function describeOther(shown: string, code: string): Told | undefined {
  const isPassing = /^(08|25|40|53|55|57|58)/.test(code);
  if (/^[0-9A-Z]{5}$/.test(code) && /\d/.test(code) && !isPassing) {
    return {
      message: `the shared map ${shown} failed (PostgreSQL ${code})`,
      suggestion: "see the log of its server, or unset DESKMAP_MAP to use the map of this user.",
    };
  }
  const isUntrusted = /CERT|SIGNATURE|ALTNAME|TLS|SSL|ISSUER/.test(code);
  if (!isUntrusted) return undefined;
  return {
    message: `the shared map ${shown} cannot be trusted (${code})`,
    suggestion: "name its certificate with ?sslrootcert=FILE, or allow less with ?sslmode=require.",
  };
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
