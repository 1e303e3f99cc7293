import type { Point } from "../model/bounds.ts";
import type { Button, Command } from "../model/command.ts";
import { type Result, succeed } from "../model/failure.ts";
import type { Platform } from "../platform/port.ts";
import { prepareForPointer } from "./readiness.ts";
import type { Stage } from "./stage.ts";

/**
 * A press soon after another at the same place would be a double press to its application: neither what was asked for nor
 * what was judged. Returns how long it took.
 */
export async function waitOutPress(
  platform: Pick<Platform, "findPressPause">,
  point: Point,
  button: Button,
): Promise<Result<number>> {
  const pauseMs = await platform.findPressPause(point, button);
  if (pauseMs.ok && pauseMs.value > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs.value));
  return pauseMs;
}

/** Where a command presses a button down. */
export function findPress(command: Command): { readonly point: Point; readonly button: Button } | undefined {
  if (command.kind === "drag") return { point: command.from, button: command.button };
  return command.kind === "click" ? command : undefined;
}

/** Makes a control ready to be pressed by the pointer. */
export async function prepareForPress(stage: Stage, offset?: Point, button: Button = "left"): Promise<Result<Point>> {
  const ready = await prepareForPointer(stage, offset);
  if (!ready.ok) return ready;
  const pausedMs = await waitOutPress(stage.desktop.platform, ready.value, button);
  if (!pausedMs.ok) return pausedMs;
  // What was ready before the pause may be elsewhere by now.
  return pausedMs.value > 0 ? prepareForPointer(stage, offset) : succeed(ready.value);
}
