import type { Failure, FailureCode } from "../model/failure.ts";
import type { EffectData } from "../show/effect.ts";

/** A failure of a call, with what to do about it. */
export class DeskmapError extends Error {
  override readonly name = "DeskmapError";
  readonly code: FailureCode | "UNCONFIRMED";
  readonly nearest: readonly string[];
  readonly suggestion: string;
  readonly done: string;
  /** The guard's rule, for refusals. */
  readonly reason: string | undefined;

  constructor(failure: Omit<Failure, "code"> & { readonly code: FailureCode | "UNCONFIRMED" }) {
    const { code, message, nearest = [], suggestion = "", done, reason } = failure;
    const words = [
      `${code}  ${message}`,
      ...(nearest.length === 0 ? [] : [`nearest: ${nearest.join(", ")}`]),
      ...(suggestion === "" ? [] : [`try: ${suggestion}`]),
      done,
    ];
    super(words.join("\n"));
    this.code = code;
    this.nearest = nearest;
    this.suggestion = suggestion;
    this.done = done;
    this.reason = reason;
  }
}

/** The action was delivered, but its effect was not confirmed. */
export class UnconfirmedError extends DeskmapError {
  constructor(readonly effect: EffectData) {
    super({
      code: "UNCONFIRMED",
      message: `${effect.did}: ${effect.effect}`,
      suggestion: effect.retry === "safe" ? "it may be done once more." : "look before doing it again.",
      done: "it was delivered.",
    });
  }
}
