import type { Window } from "../model/window.ts";
import type { Moment } from "./moment.ts";
import type { Aimed, Step } from "./step.ts";

type WindowStep = Pick<Step, "tool" | "input" | "aim"> & Pick<Step, "app" | "window">;

/**
 * What a press beside all elements, on a title bar or a task switcher, did to windows; undefined if it did nothing to
 * them. A title bar belongs to the window manager, which tells nothing about its buttons.
 */
export function describeWindowStep(
  { moment, window }: Pick<Aimed, "moment" | "window">,
  after: Moment | undefined,
  isDrag: boolean,
): WindowStep | undefined {
  if (after === undefined) return undefined;
  const now = after.windows.find(({ id }) => id === window?.id);
  if (window !== undefined) {
    const input = now === undefined ? { operation: "close" } : describeChange(window, now, isDrag);
    if (input !== undefined) return { tool: "window", input, aim: "window" };
  }
  return describeSwitch(moment, after);
}

/** The window that came to the front, if it was there before. */
export function describeSwitch(before: Moment, after: Moment | undefined): WindowStep | undefined {
  if (after?.focusedId === undefined || after.focusedId === before.focusedId) return undefined;
  const front = after.windows.find(({ id }) => id === after.focusedId);
  const wasThere = before.windows.some(({ id }) => id === front?.id);
  const isLeft = before.focusedId !== undefined && !after.windows.some(({ id }) => id === before.focusedId);
  if (front === undefined || !wasThere || isLeft) return undefined;
  const app = front.aliases.at(-1) ?? front.app;
  return { tool: "window", input: { operation: "front" }, aim: "window", app, window: front.title };
}

function describeChange(before: Window, now: Window, isDrag: boolean): Step["input"] | undefined {
  const has = (window: Window, state: Window["state"][number]): boolean => window.state.includes(state);
  if (!has(before, "minimised") && has(now, "minimised")) return { operation: "minimize" };
  if (!has(before, "maximised") && has(now, "maximised")) return { operation: "maximize" };
  if (has(before, "maximised") && !has(now, "maximised")) return { operation: "restore" };
  const [old, { x, y, width, height }] = [before.bounds, now.bounds];
  if (!isDrag) return undefined;
  if (width !== old.width || height !== old.height) return { operation: "resize", width, height };
  return x !== old.x || y !== old.y ? { operation: "move", x, y } : undefined;
}
