import { containsPoint } from "../../model/bounds.ts";
import type { Actor, Deed } from "../../model/deed.ts";
import type { Combo } from "../../model/keys.ts";
import type { Window } from "../../model/window.ts";
import type { Matter } from "../rules.ts";

/**
 * What a yes is for, as one text: this deed on this target, for these reasons, and nothing else. A control that is pressed by
 * its action, by the key that presses it or by one click on it is pressed; every other deed is only itself.
 */
export function nameApproved(matter: Pick<Matter, "deed" | "request" | "receivers" | "warnings">): string {
  const { deed, request, warnings } = matter;
  const { tool, window, element, onto } = request;
  const target = "element" in deed ? deed.element : element;
  return JSON.stringify([
    tool,
    window?.id ?? null,
    target?.handle ?? null,
    target?.name ?? null,
    onto?.handle ?? null,
    nameDeed(deed, target, tool),
    warnings.map(({ danger }) => danger),
  ]);
}

const pressed = ["press"];
/** Who orders a key means that key. */
const keyTool = "type";

function nameDeed(deed: Deed, target: Actor | undefined, tool: string): readonly unknown[] {
  switch (deed.kind) {
    case "invoke":
      return isPressing(deed.action, target) ? pressed : [deed.kind, deed.action];
    case "click": {
      const { button, count, point } = deed;
      const isOn = target?.bounds !== undefined && containsPoint(target.bounds, point);
      return isOn && button === "left" && count === 1 ? pressed : [deed.kind, button, count, point.x, point.y];
    }
    case "keys":
      return target !== undefined && tool !== keyTool && isPressKey(deed.combo)
        ? pressed
        : [deed.kind, ...nameCombo(deed.combo)];
    case "type":
    case "set-text":
      return [deed.kind, deed.text];
    case "write-clipboard":
      return [deed.kind, deed.selection, deed.text];
    case "set-number":
      return [deed.kind, deed.value, deed.unit ?? null];
    case "select":
      return [deed.kind, deed.isSelected];
    case "focus":
    case "reveal":
      return [deed.kind];
    // By whichever of its two ways.
    case "fill-secret":
      return [deed.kind, deed.secret];
    case "point":
      return [deed.kind, deed.point.x, deed.point.y];
    case "wheel":
      return [deed.kind, deed.point.x, deed.point.y, deed.direction, deed.amount];
    case "drag":
      return [deed.kind, deed.button, deed.from.x, deed.from.y, deed.to.x, deed.to.y];
    case "window":
      return [deed.kind, nameWindow(deed.window), deed.operation];
    case "open":
      return [deed.kind, deed.opener.command, deed.opener.cwd ?? null];
    case "quit":
      return [deed.kind, deed.pid, ...deed.windows.map(nameWindow)];
    case "terminate":
      return [deed.kind, nameWindow(deed.window)];
  }
}

function isPressing(action: string, target: Actor | undefined): boolean {
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
