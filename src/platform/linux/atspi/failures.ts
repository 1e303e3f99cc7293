import type { ElementCommand } from "../../../model/command.ts";
import type { SingleElement } from "../../../model/element.ts";
import { type Failure, type FailureCode, nothingDone } from "../../../model/failure.ts";
import { quoteText } from "../../../model/plain-text.ts";

/** What was read no longer holds. */
export function describeStale(code: FailureCode, message: string, done = nothingDone): Failure {
  return { code, message, suggestion: "deskmap read shows what is there now.", done };
}

export function describeGone(): Failure {
  return describeStale("NOT_FOUND", "the element is gone");
}

export function describeSilence(timeoutMs: number, done = nothingDone): Failure {
  return {
    code: "TIMEOUT",
    message: `the application does not answer (waited ${timeoutMs} ms)`,
    suggestion: "try again, or allow more: --timeout-ms 20000",
    done,
  };
}

export function describeElement({ role, name }: SingleElement): string {
  return name === "" ? `the ${role}` : `the ${role} ${quoteText(name)}`;
}

const lacks: Readonly<Record<ElementCommand["kind"], string>> = {
  invoke: "has no such action",
  "set-text": "takes no text through accessibility",
  "set-number": "takes no number through accessibility",
  select: "cannot be selected through accessibility",
  focus: "takes no focus through accessibility",
  reveal: "cannot be scrolled to through accessibility",
};

/** The element does not support it this way; nothing was tried. */
export function describeLack({ kind, element }: ElementCommand, why: string): Failure {
  return {
    code: "PATTERN_UNSUPPORTED",
    message: `${describeElement(element)} ${lacks[kind]} (${why})`,
    ...(kind === "invoke" ? { nearest: element.platformActions } : {}),
    suggestion: "use the pointer or the keyboard.",
    done: nothingDone,
  };
}
