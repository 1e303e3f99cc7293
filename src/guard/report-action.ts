import type { ActionObserver, Begun, ShowBefore, Spot } from "../model/activity.ts";
import type { Bounds } from "../model/bounds.ts";
import type { Command } from "../model/command.ts";
import type { Window } from "../model/window.ts";
import { describeQuestion } from "./approval/describe.ts";
import type { Request } from "./gate.ts";
import type { Attempt } from "./rules.ts";

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
