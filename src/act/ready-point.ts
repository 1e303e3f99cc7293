import { containsPoint, isSameBounds, type Point } from "../model/bounds.ts";
import { flatten } from "../model/element.ts";
import { type Result, succeed } from "../model/failure.ts";
import type { PointerState } from "../platform/port.ts";
import type { Attempt } from "./attempt.ts";
import { findOwnPoint } from "./click-point.ts";
import { stillMs } from "./readiness.ts";

/**
 * The point at which the pointer presses a control as quietly as its action would: its window has the keyboard, nothing has
 * to be raised, scrolled or waited for, and no person is using the pointer. PATTERN_UNSUPPORTED otherwise.
 */
export async function findReadyPoint(attempt: Attempt): Promise<Result<Point>> {
  const { element, window, timeoutMs, desktop, sighting, watch } = attempt;
  const { platform } = desktop;
  const refuse = (why: string): Result<never> =>
    attempt.refuse("PATTERN_UNSUPPORTED", why, "deskmap click --pointer makes it ready first.");
  const point = findOwnPoint(element, window.bounds);
  if (point === undefined || element.place === undefined) return refuse("its place is not known");
  const [pointer, list, popups, top, pauseMs, hit] = await Promise.all([
    platform.findPointer(),
    platform.listWindows(),
    platform.listPopups(),
    platform.findWindowAt(point),
    platform.findPressPause(point, "left"),
    platform.askWhatIsAt(element, point, timeoutMs),
  ]);
  const own = list.ok ? list.value.windows.find(({ id }) => id === window.id) : undefined;
  if (own?.isFocused !== true) return refuse("its window is not in front");
  if (!isSameBounds(own.bounds, window.bounds)) return refuse("its window moves");
  // A press beside an open menu closes that instead.
  const isFree =
    popups.ok && !popups.value.some(({ isMenu, bounds }) => isMenu === true || containsPoint(bounds, point));
  if (!isFree || !top.ok || top.value?.id !== window.id) return refuse("something may cover it");
  if (!hit.ok || !flatten([element]).some(({ handle }) => handle === hit.value))
    return refuse("something may cover it");
  if (!pauseMs.ok || pauseMs.value > 0) return refuse("it would be a double click");
  // The sighting was the first look at its place, this is the second.
  const leftMs = stillMs - (Date.now() - sighting.snapshot.takenAtMs);
  if (leftMs > 0) await watch.waitForStillness(leftMs, leftMs);
  const [now, later] = await Promise.all([platform.glimpse(element, timeoutMs), platform.findPointer()]);
  const glimpse = now.ok ? now.value : undefined;
  const isSame = glimpse?.place === element.place && glimpse.ownName === element.ownName;
  if (!isSame || glimpse.states.has("disabled")) return refuse("it is not at rest");
  if (!pointer.ok || !later.ok || isInUse(pointer.value, later.value)) return refuse("a person is using the pointer");
  return succeed(point);
}

function isInUse(before: PointerState, now: PointerState): boolean {
  return before.isHeld || now.isHeld || before.x !== now.x || before.y !== now.y;
}
