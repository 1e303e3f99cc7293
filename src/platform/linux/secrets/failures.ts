import type { Actor } from "../../../model/deed.ts";
import { type Failure, nothingDone } from "../../../model/failure.ts";

/** None of these repeats a word of the failure that led to it: that may tell how long a secret is. */
export function describeUnfit({ role, name }: Actor): Failure {
  return {
    code: "REFUSED",
    reason: "secret",
    message: `the ${role} ${JSON.stringify(name)} is no secret field: what is filled in there could be read`,
    suggestion: "deskmap read shows which fields are secret.",
    done: nothingDone,
  };
}

export function describeUnfocused({ role, name }: Actor): Failure {
  return {
    code: "FAILED",
    message: `the ${role} ${JSON.stringify(name)} has not got the keyboard: what is typed would go elsewhere`,
    suggestion: "deskmap focus it first, then try again.",
    done: nothingDone,
  };
}

export function describeUnfilled({ role, name }: Actor, { code, done }: Failure): Failure {
  const isUntouched = done === nothingDone;
  return {
    code: code === "USAGE" ? "FAILED" : code,
    message: `the ${role} ${JSON.stringify(name)} could not be filled`,
    suggestion: isUntouched ? "deskmap read shows what is there now." : "look at the field before you try again.",
    done: isUntouched ? nothingDone : "a part of the secret may be in the field.",
  };
}
