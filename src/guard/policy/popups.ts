import { containsPoint, type Point } from "../../model/bounds.ts";
import type { Window } from "../../model/window.ts";
import { everyOther, findStand, namesOf, type Policy, type Standing } from "./policy.ts";

type Lists = Pick<Policy, "standings">;

/**
 * How something stands that is on the screen and in no list of windows. Frames and tips lie everywhere: only that counts
 * which is named itself.
 */
export function findPopupStanding(policy: Lists, window: Window): Standing {
  const { standing, entry } = findStand(policy, namesOf(window));
  return entry === everyOther ? "normal" : standing;
}

export function coversPoint(point: Point): (window: Window) => boolean {
  return ({ bounds }) => containsPoint(bounds, point);
}
