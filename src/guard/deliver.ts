import type { Command } from "../model/command.ts";
import type { Result } from "../model/failure.ts";
import type { Hands } from "../platform/hands.ts";

export function deliver(hands: Hands, command: Command): Promise<Result<unknown>> {
  switch (command.kind) {
    case "invoke":
    case "set-text":
    case "set-number":
    case "select":
    case "focus":
    case "reveal":
      return hands.doToElement(command);
    case "fill-secret":
      return hands.fillSecret(command);
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
