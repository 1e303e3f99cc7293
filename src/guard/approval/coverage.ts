import { containsPoint } from "../../model/bounds.ts";
import type { Command } from "../../model/command.ts";
import type { SingleElement } from "../../model/element.ts";
import type { Combo } from "../../model/keys.ts";
import type { Window } from "../../model/window.ts";
import type { Matter } from "../rules.ts";

/**
 * What a yes is for, as one text: this command on this target, for these reasons, and nothing else. A control that is pressed by
 * its action, by the key that presses it or by one click on it is pressed; every other command is only itself.
 */
export function nameApproved(matter: Pick<Matter, "command" | "request" | "receivers" | "warnings">): string {
  const { command, request, warnings } = matter;
  const { tool, window, element, onto } = request;
  const target = "element" in command ? command.element : element;
  return JSON.stringify([
    tool,
    window?.id ?? null,
    target?.handle ?? null,
    target?.name ?? null,
    onto?.handle ?? null,
    nameCommand(command, target, tool),
    warnings.map(({ danger }) => danger),
  ]);
}

const pressed = ["press"];
/** Who orders a key means that key. */
const keyTool = "type";

function nameCommand(command: Command, target: SingleElement | undefined, tool: string): readonly unknown[] {
  switch (command.kind) {
    case "invoke":
      return isPressing(command.action, target) ? pressed : [command.kind, command.action];
    case "click": {
      const { button, count, point } = command;
      const isOn = target?.bounds !== undefined && containsPoint(target.bounds, point);
      return isOn && button === "left" && count === 1 ? pressed : [command.kind, button, count, point.x, point.y];
    }
    case "keys":
      return target !== undefined && tool !== keyTool && isPressKey(command.combo)
        ? pressed
        : [command.kind, ...nameCombo(command.combo)];
    case "type":
    case "set-text":
      return [command.kind, command.text];
    case "write-clipboard":
      return [command.kind, command.selection, command.text];
    case "set-number":
      return [command.kind, command.value, command.unit ?? null];
    case "select":
      return [command.kind, command.isSelected];
    case "focus":
    case "reveal":
      return [command.kind];
    // By whichever of its two ways.
    case "fill-secret":
      return [command.kind, command.secret];
    case "point":
      return [command.kind, command.point.x, command.point.y];
    case "wheel":
      return [command.kind, command.point.x, command.point.y, command.direction, command.amount];
    case "drag":
      return [command.kind, command.button, command.from.x, command.from.y, command.to.x, command.to.y];
    case "window":
      return [command.kind, nameWindow(command.window), command.operation];
    case "open":
      return [command.kind, command.opener.command, command.opener.cwd ?? null];
    case "quit":
      return [command.kind, command.pid, ...command.windows.map(nameWindow)];
    case "terminate":
      return [command.kind, nameWindow(command.window)];
  }
}

function isPressing(action: string, target: SingleElement | undefined): boolean {
  const { press, toggle } = target?.invocations ?? {};
  return action === "press" || action === press || action === toggle;
}

function isPressKey({ modifiers, key }: Combo): boolean {
  return modifiers.length === 0 && (key === " " || key === "Return");
}

function nameCombo({ modifiers, key }: Combo): readonly string[] {
  return [...modifiers.toSorted(), key];
}

function nameWindow({ id, pid }: Window): string {
  return `${id} ${pid}`;
}
