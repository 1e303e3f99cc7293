import type { ActionObserver, Begun, ShowBefore, Spot } from "../model/activity.ts";
import type { Bounds } from "../model/bounds.ts";
import type { Command } from "../model/command.ts";
import type { Window } from "../model/window.ts";
import { describeQuestion } from "./approval/describe.ts";
import type { Request } from "./gate.ts";
import type { Matter } from "./rules.ts";

/** Tells who looks on what is about to be done, in the words in which a person would be asked. */
export function tellBegin(
  observer: ActionObserver,
  n: number,
  matter: Matter,
  tool: string,
  show: ShowBefore | undefined,
): void {
  const { client, app, window, words } = describeQuestion(matter, tool);
  const { element, mark } = matter.request;
  const begun: Begun = {
    kind: "begun",
    n,
    atMs: Date.now(),
    client,
    tool,
    words,
    app,
    window,
    mark,
    role: element?.role,
    name: element?.name,
  };
  observer.begin(begun, findPlace(matter.request, matter.command, matter.receivers), show);
}

/** Where on the screen it is done: at its control, at its point, else in its window. */
export function findPlace(request: Request, command?: Command, receivers: readonly Window[] = []): Spot | undefined {
  const element = command !== undefined && "element" in command ? command.element : request.element;
  if (element?.bounds !== undefined) return { ...element.bounds, windowId: request.window?.id };
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
