import type { Command, SecretCommand } from "../model/command.ts";
import type { Result } from "../model/failure.ts";
import type { Window } from "../model/window.ts";
import type { Hands, SecretField } from "../platform/hands.ts";
import type { Platform } from "../platform/port.ts";

const glimpseMs = 2000;

export async function deliver(
  hands: Hands,
  platform: Pick<Platform, "glimpse">,
  command: Command,
  window: Window | undefined,
): Promise<Result<unknown>> {
  switch (command.kind) {
    case "invoke":
    case "set-text":
    case "set-number":
    case "select":
    case "focus":
    case "reveal":
      return hands.doToElement(command);
    case "fill-secret":
      return hands.fillSecret(command, reachField(hands, platform, command, window));
    case "point":
    case "click":
    case "drag":
    case "wheel":
      return hands.input(command);
    case "type":
    case "keys":
      return hands.input(command, window);
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

function reachField(
  hands: Hands,
  platform: Pick<Platform, "glimpse">,
  { element }: SecretCommand,
  window: Window | undefined,
): SecretField {
  return {
    window,
    glimpse: () => platform.glimpse(element, glimpseMs),
    setText: (text) => hands.doToElement({ kind: "set-text", element, text }),
  };
}
