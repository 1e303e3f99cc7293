import { containsPoint } from "../../model/bounds.ts";
import type { Command } from "../../model/command.ts";
import type { SingleElement } from "../../model/element.ts";
import type { Window } from "../../model/window.ts";
import type { Attempt } from "../rules.ts";

/**
 * The key of an approval: this command on this target, for these reasons, and nothing else. Invoking a control's press
 * action, pressing it with a key and clicking it once are the same; any other command equals only itself.
 */
export function nameApproved(attempt: Pick<Attempt, "command" | "request" | "receivers" | "warnings">): string {
  const { command, request, warnings } = attempt;
  const { tool, window, element, onto } = request;
  const target = "element" in command ? command.element : element;
  return JSON.stringify([
    tool,
    window?.id ?? null,
    target?.handle ?? null,
    target?.name ?? null,
    onto?.handle ?? null,
    isPress(command, target, tool) ? "press" : nameCommand(command),
    warnings.map(({ danger }) => danger),
  ]);
}

/** The tool with which a client asks for a key as such. */
const keyTool = "type";

function isPress(command: Command, target: SingleElement | undefined, tool: string): boolean {
  if (command.kind === "invoke") {
    const { press, toggle } = target?.invocations ?? {};
    return ["press", press, toggle].includes(command.action);
  }
  if (command.kind === "click") {
    const isOn = target?.bounds !== undefined && containsPoint(target.bounds, command.point);
    return isOn && command.button === "left" && command.count === 1;
  }
  if (command.kind !== "keys" || target === undefined || tool === keyTool) return false;
  const { modifiers, key } = command.combo;
  return modifiers.length === 0 && (key === " " || key === "Return");
}

/** All fields of a command but its element, which is named by its handle. */
function nameCommand(command: Command): unknown {
  switch (command.kind) {
    case "keys":
      return [command.kind, ...command.combo.modifiers.toSorted(), command.combo.key];
    case "type":
      return [command.kind, command.text];
    // In either of its two ways.
    case "fill-secret":
      return [command.kind, command.secret];
    case "window":
      return [command.kind, nameWindow(command.window), command.operation];
    case "open":
      return [command.kind, command.opener.command, command.opener.cwd ?? null];
    case "quit":
      return [command.kind, command.pid, ...command.windows.map(nameWindow)];
    case "terminate":
      return [command.kind, nameWindow(command.window)];
    default:
      return { ...command, element: undefined };
  }
}

/** Without its title, which may change while a person is asked. */
function nameWindow({ id, pid }: Window): string {
  return `${id} ${pid}`;
}
