import type { ActionObserver, Begun, ShowBefore, Spot } from "../../model/activity.ts";
import type { Bounds, Point } from "../../model/bounds.ts";
import type { Command, WindowOperation } from "../../model/command.ts";
import type { SingleElement } from "../../model/element.ts";
import { cleanText, escapeUnsure, quoteText } from "../../model/plain-text.ts";
import { shortRole } from "../../model/role.ts";
import type { Window } from "../../model/window.ts";
import type { Request } from "../gate.ts";
import type { Attempt } from "../rules.ts";
import { findSecretPlace } from "../secret-place.ts";
import { type Question, quote } from "./approver.ts";
import { listContent } from "./content.ts";

export function describeQuestion(attempt: Attempt, tool: string): Question {
  const { request, receivers, warnings, client, command } = attempt;
  const window = request.window ?? receivers[0];
  return {
    client,
    tool,
    app: command.kind === "open" ? (command.opener.names[0] ?? "") : (receivers[0]?.app ?? window?.app ?? ""),
    window: window?.title ?? "",
    words: describeCommand(command, request),
    why: warnings.map(({ danger, because }) => `${danger}: ${because}`).join("; ") || "the policy says to ask",
    content: listContent(attempt),
    dangers: warnings.map(({ danger }) => danger),
  };
}

function describeCommand(command: Command, request: Request): string {
  const { element, mark, window } = request;
  const { what, before = "" } = describeWay(command, request);
  const name = element === undefined ? "" : `${before} ${shortRole(element.role)} ${quote(element.name)}`;
  const number = mark === undefined ? "" : ` (${mark})`;
  const where = window === undefined ? "" : ` in ${quote(window.app)}`;
  return `${what}${name}${number}${where}`;
}

/** What is done, and how the control is appended to it. */
function describeWay(command: Command, request: Request): { readonly what: string; readonly before?: string } {
  const { tool, element, onto } = request;
  switch (command.kind) {
    case "open":
      return {
        what: `open ${quote(command.opener.what)}, which starts ${command.opener.command.map(quote).join(" ")}`,
      };
    case "invoke":
      return { what: `${tool}, by its action ${quote(command.action)}`, before: ":" };
    case "click":
      return { what: [...listClickKind(command), tool, ...listPlace(command.point, element)].join(" ") };
    case "keys": {
      const { combo, times = 1 } = command;
      const { modifiers, key } = combo;
      const often = times > 1 ? ` ${times} times` : "";
      return { what: `press ${[...modifiers, key === " " ? "space" : key].join("+")}${often}`, before: " on" };
    }
    case "type":
      return { what: `type ${countText(command.text)}`, before: " into" };
    case "set-text":
      return { what: `${tool}, ${countText(command.text)}`, before: ":" };
    case "write-clipboard":
      return { what: `put ${countText(command.text)} into the ${command.selection} selection` };
    case "set-number":
      return { what: `${tool} to ${command.value}${command.unit === undefined ? "" : " %"}`, before: ":" };
    case "select":
      return { what: command.isSelected ? tool : `${tool}, which unselects`, before: ":" };
    case "wheel":
      return {
        what: [tool, ...listPlace(command.point, element), command.direction, `by ${command.amount}`].join(" "),
      };
    case "point":
      return { what: [tool, ...listPlace(command.point, element)].join(" ") };
    case "window":
      return { what: `${tool}: ${showOperation(command.operation)} ${quote(command.window.title)}` };
    case "quit":
      return { what: `${tool} process ${command.pid} with ${command.windows.length} windows` };
    case "drag": {
      const { from, to, button } = command;
      const dropped = onto === undefined ? "" : ` onto ${quote(onto.name)}`;
      return {
        what: `${button === "left" ? "" : `${button} `}drag from ${from.x},${from.y} to ${to.x},${to.y}${dropped}`,
        before: ":",
      };
    }
    case "fill-secret": {
      const { origin, isOriginUnknown = false } = findSecretPlace(request);
      const known = origin === undefined ? "" : ` on the page of ${quote(origin)}`;
      const page = isOriginUnknown ? " in a frame whose origin is not known" : known;
      return { what: `fill in the secret ${quote(command.secret)}${page}`, before: ":" };
    }
    case "terminate":
      return { what: `end process ${command.window.pid} of ${quote(command.window.title)}` };
    default:
      return { what: tool };
  }
}

/** A place is a part of what is done where no control is named, or another point of it is meant than its own. */
function listPlace(point: Point, element: SingleElement | undefined): readonly string[] {
  return isOwnPoint(point, element) ? [] : [`at ${point.x},${point.y}`];
}

export function isOwnPoint({ x, y }: Point, element: SingleElement | undefined): boolean {
  const own = element?.clickPoint;
  return own?.x === x && own.y === y;
}

function countText(text: string): string {
  const breaks = (text.match(/\r\n|[\n\r]/g) ?? []).length;
  return `${[...text].length} characters with ${breaks} line breaks`;
}

function showOperation(operation: WindowOperation): string {
  if (operation.name === "move") return `move to ${operation.x},${operation.y}`;
  return operation.name === "resize" ? `resize to ${operation.width}x${operation.height}` : operation.name;
}

function listClickKind({ button, count }: Extract<Command, { readonly kind: "click" }>): readonly string[] {
  const times = ["", "double", "triple"][count - 1] ?? "";
  return [button === "left" ? "" : button, times].filter((word) => word !== "");
}

const maxLine = 400;

/** Text of applications is quoted and on its own line, so that it cannot pass for a part of the question. */
export function showQuestion(question: Question, code: string, seconds: number): string {
  const { client, caller = "claimed", tool, app, window, words, why } = question;
  const rows: readonly (readonly [string, string])[] = [
    ["action", clean(words)],
    ["application", app === "" ? "none" : quoteText(app, maxLine)],
    ["window", window === "" ? "none" : quoteText(window, maxLine)],
    ["asked by", `${quoteText(client, maxLine)} (${clean(caller)}) through ${clean(tool)}`],
    ["because", clean(why)],
    ["code", code],
  ];
  const shown = rows.map(([name, value]) => `  ${name.padEnd(12)}${escapeUnsure(value)}`);
  return `\nDeskmap asks for your approval (${seconds} s):\n${shown.join("\n")}\n`;
}

export const onceQuestion = "Allow this once? Type y or n, then Enter: ";

/** Undefined unless the answer is clear. */
export function readVerdict(typed: string): "yes" | "no" | undefined {
  const word = typed.trim().toLowerCase();
  if (word === "y" || word === "yes") return "yes";
  return word === "n" || word === "no" ? "no" : undefined;
}

function clean(words: string): string {
  return cleanText(words, maxLine);
}

/** Reports to observers what is about to be done, in the words of an approval question. */
export function reportBegin(
  observer: ActionObserver,
  n: number,
  attempt: Attempt,
  tool: string,
  show: ShowBefore | undefined,
): void {
  const { client, app, window, words } = describeQuestion(attempt, tool);
  const { element, mark } = attempt.request;
  const control = { mark, role: element?.role, name: element?.name };
  const begun: Begun = { kind: "begun", n, atMs: Date.now(), client, tool, words, app, window, ...control };
  observer.begin(begun, findSpot(attempt.request, attempt.command, attempt.receivers), show);
}

/** Where it is done: its control, its point, or its window. */
export function findSpot(request: Request, command?: Command, receivers: readonly Window[] = []): Spot | undefined {
  const actor = command !== undefined && "element" in command ? command.element : request.element;
  if (actor?.bounds !== undefined) return { ...actor.bounds, windowId: request.window?.id };
  const window = request.window ?? receivers[0];
  return findPoint(command) ?? (window && { ...window.bounds, windowId: window.id });
}

function findPoint(command: Command | undefined): Bounds | undefined {
  if (command?.kind === "drag") {
    const { from, to } = command;
    const [x, y] = [Math.min(from.x, to.x), Math.min(from.y, to.y)];
    return { x, y, width: Math.abs(from.x - to.x) + 1, height: Math.abs(from.y - to.y) + 1 };
  }
  return command !== undefined && "point" in command ? { ...command.point, width: 1, height: 1 } : undefined;
}
