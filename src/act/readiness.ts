import { findDeepest, isInOpenList } from "../find/hit.ts";
import { centreOf, containsPoint, isSameBounds, type Point } from "../model/bounds.ts";
import type { Button, Command } from "../model/command.ts";
import { fromLocal } from "../model/coordinates.ts";
import { type Element, flatten } from "../model/element.ts";
import { type Failure, type Result, succeed } from "../model/failure.ts";
import { nameElement, nameWindow } from "../model/observed.ts";
import { kindOfRole } from "../model/role.ts";
import { hasTrait } from "../model/trait.ts";
import type { Platform } from "../platform/port.ts";
import type { Attempt } from "./attempt.ts";
import { findInnerControls, findOwnPoint } from "./click-point.ts";
import { refuseCurtained } from "./cover.ts";
import { refuseBlocked } from "./modal.ts";
import { isInPopup } from "./popups.ts";
import { revealTarget } from "./reveal.ts";

/** How often a moving control is read again. */
const maxLooks = 8;
/** Two frames: an application may report the old places until it has drawn the next one. */
export const stillMs = 35;
const unrestMs = 300;
/** How long a busy page may take to prove a position. */
const proofMs = 2000;

/** Refuses a control that is disabled, behind a modal dialog or under something else of its page. */
export async function refuseUnusable(attempt: Attempt): Promise<Failure | undefined> {
  const { element } = attempt;
  if (element.states.has("disabled")) {
    return attempt.describe("DISABLED", `${nameElement(element)} is disabled`, "something else has to be done first.");
  }
  return (await refuseBlocked(attempt)) ?? refuseCurtained(attempt);
}

/**
 * Makes a control ready for the pointer: in view, at rest and uncovered. Returns the point to press, confirmed by two
 * fresh reads.
 */
export async function prepareForPointer(attempt: Attempt, offset?: Point): Promise<Result<Point>> {
  const visible = await bringIntoView(attempt);
  if (!visible.ok) return visible;
  const still = await waitUntilStill(attempt);
  if (!still.ok) return still;
  const point = choosePoint(attempt, offset);
  if (!point.ok) return point;
  return proveFree(attempt, point.value, offset === undefined ? listEdges(attempt.element) : []);
}

async function bringIntoView(attempt: Attempt): Promise<Result<void>> {
  if (attempt.window.state.includes("minimised")) {
    const raised = await attempt.bringToFront();
    if (!raised.ok) return raised;
    const again = await attempt.lookAgain();
    if (!again.ok) return again;
  }
  const inView = await revealTarget(attempt);
  if (!inView.ok) return inView;
  if (inView.value) return succeed(undefined);
  const message = `${nameElement(attempt.element)} is not on the screen`;
  return attempt.refuse("NOT_VISIBLE", message, suggestOpening(attempt));
}

/** Names the closed menu, tab or tree entry that contains the control. */
function suggestOpening({ sighting }: Attempt): string {
  const closed = sighting.placed.ancestors.findLast(
    ({ role, name, states }) => !states.has("hidden") && name !== "" && role !== "window" && role !== "dialog",
  );
  return closed === undefined ? "scroll to it, or open what contains it." : `open ${nameElement(closed)} first.`;
}

/** Waits until two reads find the control at the same place. */
async function waitUntilStill(attempt: Attempt): Promise<Result<void>> {
  let before = attempt.element.bounds;
  for (let looks = 0; looks < maxLooks; looks += 1) {
    await attempt.watch.waitForStillness(stillMs, unrestMs);
    const again = await attempt.lookAgain();
    if (!again.ok) return again;
    const now = attempt.element.bounds;
    if (isSameBounds(before, now)) return succeed(undefined);
    before = now;
  }
  return attempt.refuse("MOVING", `${nameElement(attempt.element)} keeps moving`, "wait until it is at rest.");
}

function choosePoint(attempt: Attempt, offset: Point | undefined): Result<Point> {
  const { bounds } = attempt.element;
  if (offset === undefined) return chooseOwnPoint(attempt);
  if (bounds === undefined) {
    return attempt.refuse(
      "NOT_VISIBLE",
      `the position of ${nameElement(attempt.element)} is unknown`,
      "deskmap screenshot shows it.",
    );
  }
  const point = fromLocal(offset, bounds);
  if (containsPoint(bounds, point)) return succeed(point);
  const size = `${bounds.width}x${bounds.height}`;
  return attempt.refuse(
    "USAGE",
    `--at ${offset.x},${offset.y} lies outside ${nameElement(attempt.element)}`,
    `it is ${size}.`,
  );
}

function chooseOwnPoint(attempt: Attempt): Result<Point> {
  const { element, window } = attempt;
  const point = findOwnPoint(element, window.bounds);
  if (point !== undefined) return succeed(point);
  const [inner] = findInnerControls(element);
  if (inner === undefined || element.clickPoint === undefined) {
    const message = `the position of ${nameElement(element)} is unknown`;
    return attempt.refuse("NOT_VISIBLE", message, "deskmap screenshot shows it.");
  }
  // Nothing that a caller could wait for, unlike a cover.
  const message = `${nameElement(inner)} fills all of ${nameElement(element)}`;
  return attempt.refuse("PATTERN_UNSUPPORTED", message, "press what is in it instead.");
}

/** A point that presses the control, and neither another window nor another part of its window. */
async function proveFree(attempt: Attempt, point: Point, edges: readonly Point[]): Promise<Result<Point>> {
  const { platform } = attempt.desktop;
  let top = await platform.findWindowAt(point);
  if (!top.ok) return top;
  if (top.value?.id !== attempt.window.id) {
    const raised = await attempt.bringToFront();
    if (!raised.ok) return raised;
    top = await platform.findWindowAt(point);
    if (!top.ok) return top;
  }
  if (top.value?.id !== attempt.window.id) {
    return refuseCovered(attempt, top.value === undefined ? "the desktop itself" : nameWindow(top.value));
  }
  // The window below would answer for what it has there itself.
  if (await isInPopup(attempt)) return succeed(point);
  const asked = await platform.askWhatIsAt(attempt.element, point, attempt.timeoutMs);
  if (!asked.ok) return asked;
  const hit = findHit(attempt, point, asked.value);
  const proof = await proveInPage(attempt, point, edges, asked.value);
  if (!proof.ok) return proof;
  return hit === undefined || isPartOf(attempt, hit) ? proof : refuseCovered(attempt, nameElement(hit));
}

function refuseCovered(attempt: Attempt, cover: string): Result<never> {
  const message = `${cover} covers ${nameElement(attempt.element)}`;
  return attempt.refuse("COVERED", message, "move or close what covers it.");
}

/**
 * If the hit test finds nothing or a container of the control, its position may be stale: then the page itself must have
 * the control there. Over the text of a menu that lies beside its opener, a page may know only itself: then a point at the
 * control's edge is proven and pressed. A busy page answers late.
 */
async function proveInPage(
  attempt: Attempt,
  point: Point,
  edges: readonly Point[],
  handle: string | undefined,
): Promise<Result<Point>> {
  const { element, sighting } = attempt;
  const { ancestors } = sighting.placed;
  const page = ancestors.findLast((one) => hasTrait(one, "proves-places"));
  const isAround = (id: string | undefined): Element | undefined => ancestors.find((one) => one.handle === id);
  if (page === undefined || (handle !== undefined && isAround(handle) === undefined)) return succeed(point);
  const ask = (of: Element, where: Point): Promise<Result<string | undefined>> =>
    attempt.desktop.platform.askWhatIsAt(of, where, attempt.timeoutMs);
  let proven: Point | undefined;
  await attempt.waitUntil(proofMs, async () => {
    const asked = await ask(page, point);
    const around = asked.ok ? isAround(asked.value) : page;
    if (around === undefined || hasTrait(around, "answers-for-content")) proven = point;
    for (const edge of proven === undefined ? edges : []) {
      const told = await ask(element, edge);
      if (told.ok && told.value === element.handle) proven ??= edge;
    }
    return proven !== undefined;
  });
  if (proven !== undefined) return succeed(proven);
  return attempt.refuse(
    "NOT_VISIBLE",
    `${nameElement(element)} reports a position at which its page does not have it`,
    "a plain click needs no position if the control offers an action; deskmap screenshot shows where it is.",
  );
}

/** Inside a border, and beside the text of most controls. */
const inset = 3;

function listEdges({ bounds }: Element): readonly Point[] {
  if (bounds === undefined) return [];
  const middle = centreOf(bounds);
  return [bounds.x + bounds.width - 1 - inset, bounds.x + inset].map((x) => ({ x, y: middle.y }));
}

/** The application's own hit test counts; without one, a control that the tree has at the point. */
function findHit(attempt: Attempt, point: Point, handle: string | undefined): Element | undefined {
  const { read, placed } = attempt.sighting;
  const { root } = read;
  // An open list covers everything of its application, even if the hit test reports what is below it.
  if (root === undefined || isInOpenList(placed.element, placed.ancestors)) return undefined;
  const told = handle && flatten([root]).find((element) => element.handle === handle);
  if (told) return told;
  const deepest = handle === undefined ? findDeepest(root, point)?.element : undefined;
  return deepest !== undefined && kindOfRole(deepest.role) === "control" ? deepest : undefined;
}

/** Whether it is the control itself, a passive part of it, or one of its containers. */
function isPartOf({ element, sighting }: Attempt, hit: Element): boolean {
  const isHit = ({ handle }: Element): boolean => handle === hit.handle;
  if (isHit(element)) return true;
  if (flatten(element.children).some(isHit)) return !findInnerControls(element).some(isHit);
  return sighting.placed.ancestors.some(({ handle }) => handle === hit.handle);
}

/**
 * Waits so that a press does not form a double click with the last one at the same place. Returns how long that took, in
 * milliseconds.
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

/** Where a command presses a button, if it does. */
export function findPress(command: Command): { readonly point: Point; readonly button: Button } | undefined {
  if (command.kind === "drag") return { point: command.from, button: command.button };
  return command.kind === "click" ? command : undefined;
}

/** Makes a control ready to be pressed by the pointer. */
export async function prepareForPress(
  attempt: Attempt,
  offset?: Point,
  button: Button = "left",
): Promise<Result<Point>> {
  const ready = await prepareForPointer(attempt, offset);
  if (!ready.ok) return ready;
  const pausedMs = await waitOutPress(attempt.desktop.platform, ready.value, button);
  if (!pausedMs.ok) return pausedMs;
  // During the pause the control may have moved.
  return pausedMs.value > 0 ? prepareForPointer(attempt, offset) : succeed(ready.value);
}
