import type { Actor, Command } from "../model/command.ts";
import { type Failure, fail, nothingDone, type Result } from "../model/failure.ts";
import { quoteText } from "../model/plain-text.ts";
import { isPixelSource } from "../model/source.ts";
import type { Hands } from "../platform/hands.ts";

/** Element commands go to the actor of the element's source; what is known by its pixels alone has none. */
export async function deliver(hands: Hands, command: Command): Promise<Result<unknown>> {
  switch (command.kind) {
    case "invoke":
    case "set-text":
    case "set-number":
    case "select":
    case "focus":
    case "reveal":
      return isPixelSource(command.element.source)
        ? fail(describeNoActor(command.element))
        : hands.doToElement(command);
    case "fill-secret":
      return isPixelSource(command.element.source) ? fail(describeNoActor(command.element)) : hands.fillSecret(command);
    case "point":
    case "click":
    case "drag":
    case "wheel":
    case "type":
    case "keys":
      return hands.input(command);
    case "window":
      return hands.arrange(command);
    case "open":
    case "quit":
    case "terminate":
      return hands.doToProgram(command);
    case "write-clipboard":
      return hands.writeClipboard(command);
  }
}

function describeNoActor({ name, source }: Actor): Failure {
  const message = `${quoteText(name)} is known by its pixels alone (${source}): it offers no actions`;
  return {
    code: "PATTERN_UNSUPPORTED",
    message,
    suggestion: "the pointer reaches it: deskmap click.",
    done: nothingDone,
  };
}
