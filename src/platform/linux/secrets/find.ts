import type { SingleElement } from "../../../model/element.ts";
import { type Failure, fail, makeFailure, nothingDone, type Result, succeed } from "../../../model/failure.ts";
import type { OpenOptions } from "../../port.ts";
import { findSecretsFile, readSecretsFile } from "./file.ts";
import { askSecretService, hasSecretService } from "./service.ts";

/** A secret by name: from the user's file, else from the system's secret service. */
export async function findSecret(name: string, { env, timeoutMs }: OpenOptions): Promise<Result<string>> {
  const path = findSecretsFile(env);
  const file = readSecretsFile(path);
  if (!file.ok) return file;
  const kept = file.value.get(name);
  if (kept !== undefined) return check(name, kept);
  const served = await askSecretService(env, name, timeoutMs);
  if (!served.ok) return served;
  return served.value === undefined
    ? fail(describeNone(name, path, [...file.value.keys()]))
    : check(name, served.value);
}

/** Checks that a secret exists without reading it. */
export async function checkSecret(name: string, { env, timeoutMs }: OpenOptions): Promise<Result<void>> {
  const path = findSecretsFile(env);
  const file = readSecretsFile(path);
  if (!file.ok) return file;
  if (file.value.has(name)) return succeed(undefined);
  const served = await hasSecretService(env, name, timeoutMs);
  if (!served.ok) return served;
  return served.value ? succeed(undefined) : fail(describeNone(name, path, [...file.value.keys()]));
}

/** Line breaks and other control characters would press keys. */
function check(name: string, secret: string): Result<string> {
  const problem =
    secret === "" ? "is empty" : /\p{Cc}/u.test(secret) ? "holds a line break or another control character" : "";
  if (problem === "") return succeed(secret);
  const message = `the secret ${JSON.stringify(name)} ${problem}`;
  return fail(makeFailure("FAILED", message, "a person corrects it where it is kept."));
}

function describeNone(name: string, path: string, names: readonly string[]): Failure {
  return makeFailure(
    "NOT_FOUND",
    `no secret named ${JSON.stringify(name)}`,
    `a person adds a line NAME=value to ${path} (mode 600), or runs: secret-tool store --label NAME deskmap NAME`,
    { nearest: names },
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
