import type { ShownWindow } from "../../src/inspector/screen.ts";
import { type Bounds, centreOf, containsPoint, intersect, type Point } from "../../src/model/bounds.ts";
import { findLargest, subtract } from "../../src/model/region.ts";
import { kindOfRole } from "../../src/model/role.ts";
import type { DeskControl, DeskModel } from "../desk-model.ts";
import type { Query } from "../query.ts";
import type { TakenPicture } from "./picture-feed.ts";

/** A control at the place where the picture shows it. */
export interface SeenControl {
  readonly control: DeskControl;
  readonly bounds: Bounds;
  /** The windows that cover a part of it. */
  readonly over: readonly Bounds[];
  /** The largest part of it that none of them hides. */
  readonly free: Bounds;
}

/**
 * The controls that a picture shows, with their bounds in it. Leaves out those that are covered, and until the next picture
 * those that have moved since, alone or with their window.
 */
export function listSeen(model: DeskModel, picture: TakenPicture): SeenControl[] {
  const fronts = new Map<number, { readonly window: ShownWindow; readonly over: readonly Bounds[] }>();
  const before: Bounds[] = [];
  for (const window of picture.windows) {
    fronts.set(window.id, { window, over: [...before] });
    if (!window.isMinimised) before.push(window.bounds);
  }
  const seen: SeenControl[] = [];
  for (const control of model.controls.values()) {
    const home = fronts.get(control.window);
    const bounds = home === undefined ? undefined : findPlace(model, control, home.window, picture);
    if (bounds === undefined || home === undefined) continue;
    const over = home.over.filter((front) => intersect(front, bounds) !== undefined);
    const free = over.length === 0 ? bounds : findLargest(subtract(bounds, over));
    if (free !== undefined) seen.push({ control, bounds, over, free });
  }
  return seen;
}

function findPlace(
  model: DeskModel,
  control: DeskControl,
  { bounds: then, isMinimised, isMoving, isInspector }: ShownWindow,
  { version }: TakenPicture,
): Bounds | undefined {
  // A picture that was taken before the first batch of lines shows what that batch describes.
  const isPlacedSince = control.placedAt > version && !(version === 0 && control.placedAt === model.startedAt);
  if (isMinimised || isMoving || isInspector || isPlacedSince || control.states.includes("hidden")) {
    return undefined;
  }
  const now = model.windows.get(control.window)?.bounds;
  if (now === undefined || !isSame(now, then)) return undefined;
  const bounds = model.boundsOf(control);
  return bounds === undefined || bounds.width <= 0 || bounds.height <= 0 ? undefined : bounds;
}

function isSame(one: Bounds, other: Bounds): boolean {
  return one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;
}

/** The controls that get a mark: those that match the filter or, without one, those that a person acts on. */
export function listMarked(seen: readonly SeenControl[], model: DeskModel, filter: Query, room: Bounds): SeenControl[] {
  return seen.filter(({ control, bounds }) => {
    if (intersect(bounds, room) === undefined) return false;
    if (filter.isEmpty) return isActedOn(control, model);
    return filter.fits(control, model.windows.get(control.window));
  });
}

/** Whether a person acts on it directly; an open menu is used through its entries. */
function isActedOn({ role, window, children }: DeskControl, model: DeskModel): boolean {
  if (kindOfRole(role) === "control") return true;
  const controls = model.windows.get(window)?.controls;
  const isControl = (mark: number): boolean => kindOfRole(controls?.get(mark)?.role ?? "group") === "control";
  return role === "menu" && !children.some(isControl);
}

/** The innermost control at a point: the smallest one, or the later of two equal ones. */
export function findAt(seen: readonly SeenControl[], point: Point): SeenControl | undefined {
  let best: SeenControl | undefined;
  for (const one of seen) {
    if (isAt(one, point) && (best === undefined || areaOf(one) <= areaOf(best))) best = one;
  }
  return best;
}

function isAt({ bounds, over }: SeenControl, point: Point): boolean {
  return containsPoint(bounds, point) && !over.some((front) => containsPoint(front, point));
}

function areaOf({ bounds }: SeenControl): number {
  return bounds.width * bounds.height;
}

/** The next control in a direction; prefers those that are near and straight ahead. */
export function findBeside(
  marked: readonly SeenControl[],
  from: Bounds,
  [right, down]: readonly [number, number],
): SeenControl | undefined {
  const start = centreOf(from);
  let best: { readonly one: SeenControl; readonly cost: number } | undefined;
  for (const one of marked) {
    const { x, y } = centreOf(one.bounds);
    const [dx, dy] = [x - start.x, y - start.y];
    const along = dx * right + dy * down;
    const aside = Math.abs(dx * down) + Math.abs(dy * right);
    if (along <= 0) continue;
    const cost = along + asideWeight * aside;
    if (best === undefined || cost < best.cost) best = { one, cost };
  }
  return best?.one;
}

const asideWeight = 3;
