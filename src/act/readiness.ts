import { findDeepest, isInOpenList } from "../find/hit.ts";
import { type Bounds, containsPoint, type Point } from "../model/bounds.ts";
import { fromLocal } from "../model/coordinates.ts";
import { type Element, flatten } from "../model/element.ts";
import { type Failure, fail, type Result, succeed } from "../model/failure.ts";
import { quoteArgument } from "../model/plain-text.ts";
import { kindOfRole } from "../model/role.ts";
import { hasTrait } from "../model/trait.ts";
import { findInnerControls, findOwnPoint } from "./click-point.ts";
import { revealTarget } from "./reveal.ts";
import type { Stage } from "./stage.ts";
import { nameElement, nameWindow } from "./words.ts";

/** How often a moving control is looked at before it is given up. */
const maxLooks = 8;
/** Two frames: an application may report the old places until it has drawn the next one. */
const stillMs = 35;
const unrestMs = 300;

/** What is not usable is not used, by whatever way. */
export function refuseUnusable(stage: Stage): Failure | undefined {
  const { element, sighting } = stage;
  if (element.states.has("disabled")) {
    return stage.describe("DISABLED", `${nameElement(element)} is disabled`, "something else has to be done first.");
  }
  const modal = findModal(stage);
  if (modal === undefined || sighting.placed.ancestors.includes(modal) || modal === element) return undefined;
  return stage.describe(
    "COVERED",
    `${nameElement(modal)} has to be answered before ${nameElement(element)} can be used`,
    `deskmap read --window ${quoteArgument(modal.name)}`,
  );
}

/** A dialog that keeps everything else of its application from being used. */
function findModal({ sighting, window }: Stage): Element | undefined {
  const own = sighting.sight.snapshot.windows.filter((read) => read.window.pid === window.pid);
  const tops = own.flatMap(({ root }) => (root === undefined ? [] : [root]));
  return tops.find(({ states }) => states.has("modal") && !states.has("hidden"));
}

/**
 * Makes a control ready for the pointer: in view, at rest, with nothing over it. Returns the point to press, which a fresh
 * look has found at the same place twice.
 */
export async function prepareForPointer(stage: Stage, offset?: Point): Promise<Result<Point>> {
  const visible = await bringIntoView(stage);
  if (!visible.ok) return visible;
  const still = await waitUntilStill(stage);
  if (!still.ok) return still;
  const point = choosePoint(stage, offset);
  if (!point.ok) return point;
  const cover = await findCover(stage, point.value);
  if (!cover.ok) return cover;
  if (cover.value === undefined) return point;
  return fail(
    stage.describe(
      "COVERED",
      `${cover.value} lies over ${nameElement(stage.element)}`,
      "move or close what covers it.",
    ),
  );
}

async function bringIntoView(stage: Stage): Promise<Result<void>> {
  if (stage.window.state.includes("minimised")) {
    const raised = await stage.bringToFront();
    if (!raised.ok) return raised;
    const again = await stage.lookAgain();
    if (!again.ok) return again;
  }
  const inView = await revealTarget(stage);
  if (!inView.ok) return inView;
  if (inView.value) return succeed(undefined);
  const message = `${nameElement(stage.element)} is not on the screen`;
  return fail(stage.describe("NOT_VISIBLE", message, suggestOpening(stage)));
}

/** What is in a closed menu, on another tab or in a closed part of a tree shows when that is opened. */
function suggestOpening({ sighting }: Stage): string {
  const closed = sighting.placed.ancestors.findLast(
    ({ role, name, states }) => !states.has("hidden") && name !== "" && role !== "window" && role !== "dialog",
  );
  return closed === undefined ? "scroll or open what it is in." : `open ${nameElement(closed)} first.`;
}

/** Two looks that find the control at the same place. */
async function waitUntilStill(stage: Stage): Promise<Result<void>> {
  let before = stage.element.bounds;
  for (let looks = 0; looks < maxLooks; looks += 1) {
    await stage.watch.waitForStillness(stillMs, unrestMs);
    const again = await stage.lookAgain();
    if (!again.ok) return again;
    const now = stage.element.bounds;
    if (isSamePlace(before, now)) return succeed(undefined);
    before = now;
  }
  return fail(
    stage.describe("MOVING", `${nameElement(stage.element)} does not stand still`, "wait until it has come to rest."),
  );
}

function isSamePlace(a: Bounds | undefined, b: Bounds | undefined): boolean {
  return a?.x === b?.x && a?.y === b?.y && a?.width === b?.width && a?.height === b?.height;
}

function choosePoint(stage: Stage, offset: Point | undefined): Result<Point> {
  const { bounds } = stage.element;
  if (offset === undefined) return chooseOwnPoint(stage);
  if (bounds === undefined) {
    return fail(
      stage.describe(
        "NOT_VISIBLE",
        `nobody knows where ${nameElement(stage.element)} is`,
        "deskmap screenshot shows it.",
      ),
    );
  }
  const point = fromLocal(offset, bounds);
  if (containsPoint(bounds, point)) return succeed(point);
  const size = `${bounds.width}x${bounds.height}`;
  return fail(
    stage.describe(
      "USAGE",
      `--at ${offset.x},${offset.y} lies outside ${nameElement(stage.element)}`,
      `it is ${size}.`,
    ),
  );
}

function chooseOwnPoint(stage: Stage): Result<Point> {
  const { element, window } = stage;
  const point = findOwnPoint(element, window.bounds);
  if (point !== undefined) return succeed(point);
  const [inner] = findInnerControls(element);
  if (inner === undefined || element.clickPoint === undefined) {
    const message = `nobody knows where ${nameElement(element)} is`;
    return fail(stage.describe("NOT_VISIBLE", message, "deskmap screenshot shows it."));
  }
  const message = `${nameElement(inner)} lies over all of ${nameElement(element)}`;
  return fail(stage.describe("COVERED", message, "press what is in it instead."));
}

/** What a click at a point would hit instead of the control: another window, or another part of its own. */
async function findCover(stage: Stage, point: Point): Promise<Result<string | undefined>> {
  const { platform } = stage.desktop;
  let top = await platform.findWindowAt(point);
  if (!top.ok) return top;
  if (top.value?.id !== stage.window.id) {
    const raised = await stage.bringToFront();
    if (!raised.ok) return raised;
    top = await platform.findWindowAt(point);
    if (!top.ok) return top;
  }
  if (top.value?.id !== stage.window.id) {
    return succeed(top.value === undefined ? "the desktop itself" : nameWindow(top.value));
  }
  const asked = await platform.askWhatIsAt(stage.element, point, stage.timeoutMs);
  if (!asked.ok) return asked;
  const hit = findHit(stage, point, asked.value);
  const proof = await proveInPage(stage, point, asked.value);
  if (!proof.ok) return proof;
  return succeed(hit === undefined || isPartOf(stage, hit) ? undefined : nameElement(hit));
}

/** If a hit test finds nothing, or something around the control, the place may be stale: then the page itself is asked. */
async function proveInPage(stage: Stage, point: Point, handle: string | undefined): Promise<Result<void>> {
  const { element, sighting } = stage;
  const { ancestors } = sighting.placed;
  const page = ancestors.findLast((one) => hasTrait(one, "proves-places"));
  const isAround = (id: string | undefined): Element | undefined => ancestors.find((one) => one.handle === id);
  if (page === undefined || (handle !== undefined && isAround(handle) === undefined)) return succeed(undefined);
  const asked = await stage.desktop.platform.askWhatIsAt(page, point, stage.timeoutMs);
  if (!asked.ok) return asked;
  const around = isAround(asked.value);
  if (around === undefined || hasTrait(around, "answers-for-content")) return succeed(undefined);
  return fail(
    stage.describe(
      "NOT_VISIBLE",
      `its page has ${nameElement(element)} elsewhere than it tells`,
      "a plain click needs no place where the control offers an action; deskmap screenshot shows where it is.",
    ),
  );
}

/** The application's own word counts most; without it, another control that the tree has there. */
function findHit(stage: Stage, point: Point, handle: string | undefined): Element | undefined {
  const { read, placed } = stage.sighting;
  const { root } = read;
  // An open list lies over everything of its application, also where that speaks only of what is below.
  if (root === undefined || isInOpenList(placed.element, placed.ancestors)) return undefined;
  const told = handle && flatten([root]).find((element) => element.handle === handle);
  if (told) return told;
  const deepest = handle === undefined ? findDeepest(root, point)?.element : undefined;
  return deepest !== undefined && kindOfRole(deepest.role) === "control" ? deepest : undefined;
}

/** The control itself, something in it that does nothing of its own, or something that it is in. */
function isPartOf({ element, sighting }: Stage, hit: Element): boolean {
  const isHit = ({ handle }: Element): boolean => handle === hit.handle;
  if (isHit(element)) return true;
  if (flatten(element.children).some(isHit)) return !findInnerControls(element).some(isHit);
  return sighting.placed.ancestors.some(({ handle }) => handle === hit.handle);
}
