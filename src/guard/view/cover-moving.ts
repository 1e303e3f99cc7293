import type { Bounds } from "../../model/bounds.ts";
import type { Covered, Picture } from "../../model/frame.ts";
import { grow } from "../../model/region.ts";
import { findChange } from "./paint.ts";
import { holdsSecret, type Scan, type WindowScan } from "./scan.ts";

/** How far something can move during a scan. */
const aroundPx = 120;
/** Edges are antialiased. */
const edgePx = 16;

/** A capture during which something moved. */
export interface MovingCapture {
  readonly picture: Picture;
  /** The same place, before and after. */
  readonly others: readonly Picture[];
  /** All scans; the last one was made after the picture. */
  readonly scans: readonly Scan[];
  /** Windows that report wrong places. */
  readonly misreporting: ReadonlySet<number>;
  /** Whether all windows were where the last scan but one found them when the picture was taken. */
  readonly isArranged: boolean;
}

/**
 * What to cover if something moved. Applications report the place of a moving element late, and browsers do not report
 * all moves. So a window that reported different places is covered whole. Of any other window the reported places are
 * covered, and the area that contains all changed pixels, since a moving field must be among those.
 */
export function coverMoving(capture: MovingCapture): readonly Covered[] {
  const { scans, picture, isArranged } = capture;
  const windows = Map.groupBy(
    scans.flatMap((scan) => scan.windows),
    ({ window }) => window.id,
  );
  const held = [...windows.values()].filter((views) => views.some(({ places }) => places.length > 0));
  const isKept =
    areAllAlike(scans.map(({ blind }) => toBounds(blind))) &&
    held.every((views) => areAllAlike(views.map(({ whole }) => whole.slice(0, 1))));
  // Its present place is unknown: everything is covered.
  if (!isKept && !isArranged) return [{ what: "unread", bounds: picture.bounds, app: "" }];
  const blind = scans.flatMap((scan) => (isArranged ? scan.blindSeen : scan.blind));
  return [...blind, ...held.flatMap((views) => coverWindow(capture, views))];
}

function coverWindow(capture: MovingCapture, views: readonly WindowScan[]): readonly Covered[] {
  const { picture, others, scans, misreporting, isArranged } = capture;
  const [first] = views;
  if (first === undefined) return [];
  const { app, id } = first.window;
  const places = views.flatMap((view) => (isArranged ? view.covered : view.places));
  const own = views.flatMap(({ seen, whole }) => (isArranged ? seen : [...seen, ...whole]));
  const isConstant = views.length === scans.length && areAllAlike(views.map((view) => toBounds(view.places)));
  if (!isConstant || misreporting.has(id)) return own.map((bounds) => ({ what: "secret", bounds, app }));
  const wide = places.map((one) => (one.what === "secret" ? { ...one, bounds: grow(one.bounds, aroundPx) } : one));
  const change = views.some(holdsSecret) ? findChange(picture, others, own) : undefined;
  return change === undefined ? wide : [...wide, { what: "secret", bounds: grow(change, edgePx), app }];
}

function toBounds(covered: readonly Covered[]): readonly Bounds[] {
  return covered.map(({ bounds }) => bounds);
}

function areAllAlike(lists: readonly (readonly Bounds[])[]): boolean {
  const keyOf = ({ x, y, width, height }: Bounds): string => [x, y, width, height].join();
  return new Set(lists.map((list) => list.map(keyOf).join(" "))).size < 2;
}
