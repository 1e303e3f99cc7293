import type { SingleElement } from "../../../model/element.ts";
import type { Env } from "../../../model/env.ts";
import { type Failure, fail, makeFailure, nothingDone, type Result, succeed } from "../../../model/failure.ts";
import type { OpenOptions } from "../../port.ts";
import { describeMisplaced, type FilledPlace, fitsPlace, splitName } from "./binding.ts";
import { findSecretsFile, readSecretsFile } from "./file.ts";
import { askSecretService, hasSecretService } from "./service.ts";

/** A secret by name, for a place: from the user's file, else from the system's secret service. */
export async function findSecret(
  name: string,
  place: FilledPlace,
  { env, timeoutMs }: OpenOptions,
): Promise<Result<string>> {
  const kept = findInFile(name, place, env);
  if (!kept.ok) return kept;
  if (kept.value !== undefined) return check(name, kept.value);
  const served = await askSecretService(env, name, place, timeoutMs);
  if (!served.ok) return served;
  return served.value === undefined ? fail(describeNone(name, env)) : check(name, served.value);
}

/** Checks that a secret exists for a place without reading it. */
export async function checkSecret(
  name: string,
  place: FilledPlace,
  { env, timeoutMs }: OpenOptions,
): Promise<Result<void>> {
  const kept = findInFile(name, place, env);
  if (!kept.ok) return kept;
  if (kept.value !== undefined) return succeed(undefined);
  const served = await hasSecretService(env, name, place, timeoutMs);
  if (!served.ok) return served;
  return served.value ? succeed(undefined) : fail(describeNone(name, env));
}

/** Undefined if the file has none of that name; refused if it has one, but for other places. */
function findInFile(name: string, place: FilledPlace, env: Env): Result<string | undefined> {
  const file = readSecretsFile(findSecretsFile(env));
  if (!file.ok) return file;
  const named = [...file.value].filter(([key]) => key === name || splitName(key).name === name);
  const fitting = named.filter(([key]) => fitsPlace(splitName(key).bound, place));
  if (named.length > 0 && fitting.length === 0) return fail(describeMisplaced(name, place));
  // One that is meant for this place comes before one that is meant for all.
  const [, value] = fitting.toSorted(([a], [b]) => Number(b.includes("@")) - Number(a.includes("@")))[0] ?? [];
  return succeed(value);
}

/** Line breaks and other control characters would press keys. */
function check(name: string, secret: string): Result<string> {
  const problem =
    secret === "" ? "is empty" : /\p{Cc}/u.test(secret) ? "holds a line break or another control character" : "";
  if (problem === "") return succeed(secret);
  const message = `the secret ${JSON.stringify(name)} ${problem}`;
  return fail(makeFailure("FAILED", message, "a person corrects it where it is kept."));
}

/** Names of other secrets are not told: a client could try them. */
function describeNone(name: string, env: Env): Failure {
  return makeFailure(
    "NOT_FOUND",
    `no secret named ${JSON.stringify(name)}`,
    `a person adds a line NAME=value or NAME@HOST=value to ${findSecretsFile(env)} (mode 600), or runs: secret-tool store --label NAME deskmap NAME`,
  );
}

/** These omit the original message, which may reveal a secret's length. */
export function describeUnfit({ role, name }: SingleElement): Failure {
  return makeFailure(
    "REFUSED",
    `the ${role} ${JSON.stringify(name)} is not a secret field: its content could be read`,
    "deskmap read shows which fields are secret.",
    { reason: "secret" },
  );
}

export function describeUnfocused({ role, name }: SingleElement): Failure {
  return makeFailure(
    "FAILED",
    `the ${role} ${JSON.stringify(name)} does not have the keyboard focus: typed text would go elsewhere`,
    "deskmap focus it first, then try again.",
  );
}

export function describeUnfilled({ role, name }: SingleElement, { code, done }: Failure): Failure {
  const isUntouched = done === nothingDone;
  return {
    code: code === "USAGE" ? "FAILED" : code,
    message: `the ${role} ${JSON.stringify(name)} could not be filled`,
    suggestion: isUntouched ? "deskmap read shows what is there now." : "check the field before you try again.",
    done: isUntouched ? nothingDone : "part of the secret may be in the field.",
  };
}
