import type { Deed } from "../model/deed.ts";
import type { Result } from "../model/failure.ts";
import type { Hands } from "../platform/hands.ts";

export function deliver(hands: Hands, deed: Deed): Promise<Result<unknown>> {
  switch (deed.kind) {
    case "invoke":
    case "set-text":
    case "set-number":
    case "select":
    case "focus":
    case "reveal":
      return hands.doToElement(deed);
    case "fill-secret":
      return hands.fillSecret(deed);
    case "point":
    case "click":
    case "drag":
    case "wheel":
    case "type":
    case "keys":
      return hands.input(deed);
    case "window":
      return hands.arrange(deed);
    case "open":
    case "quit":
    case "terminate":
      return hands.doToProgram(deed);
    case "write-clipboard":
      return hands.writeClipboard(deed);
  }
}
