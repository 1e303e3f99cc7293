import type { Actor } from "../../../model/command.ts";
import { type Failure, nothingDone } from "../../../model/failure.ts";

/** These omit the original message, which may reveal a secret's length. */
export function describeUnfit({ role, name }: Actor): Failure {
  return {
    code: "REFUSED",
    reason: "secret",
    message: `the ${role} ${JSON.stringify(name)} is not a secret field: its content could be read`,
    suggestion: "deskmap read shows which fields are secret.",
    done: nothingDone,
  };
}

export function describeUnfocused({ role, name }: Actor): Failure {
  return {
    code: "FAILED",
    message: `the ${role} ${JSON.stringify(name)} does not have the keyboard focus: typed text would go elsewhere`,
    suggestion: "deskmap focus it first, then try again.",
    done: nothingDone,
  };
}

export function describeUnfilled({ role, name }: Actor, { code, done }: Failure): Failure {
  const isUntouched = done === nothingDone;
  return {
    code: code === "USAGE" ? "FAILED" : code,
    message: `the ${role} ${JSON.stringify(name)} could not be filled`,
    suggestion: isUntouched ? "deskmap read shows what is there now." : "check the field before you try again.",
    done: isUntouched ? nothingDone : "part of the secret may be in the field.",
  };
}
