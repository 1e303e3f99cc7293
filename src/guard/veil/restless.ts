import type { Bounds } from "../../model/bounds.ts";
import type { Covered, Picture } from "../../model/frame.ts";
import { grow } from "../../model/region.ts";
import { holdsSecret, type Look, type WindowLook } from "./look.ts";
import { findChange } from "./paint.ts";

/** As far as something goes that moves in the time of a look. */
const aroundPx = 120;
/** Edges are soft. */
const edgePx = 16;

/** What was seen of a desktop that would not keep still while it was pictured. */
export interface Unrest {
  readonly picture: Picture;
  /** The same place, before and after. */
  readonly others: readonly Picture[];
  /** Every look, the last one after the picture. */
  readonly looks: readonly Look[];
  /** Windows that tell places which are not true. */
  readonly lying: ReadonlySet<number>;
  /** Whether all windows were where the last look but one had them when the picture was taken. */
  readonly isArranged: boolean;
}

/**
 * What must be covered where nothing kept still. What an application tells of a place that moves is late, and browsers do not
 * tell of all moves: so a window is covered whole if it told different places, and else, with the places themselves, all
 * that lies between its pixels that changed: a field that moves is among these, whatever is told of it.
 */
export function coverRestless(unrest: Unrest): readonly Covered[] {
  const { looks, picture, isArranged } = unrest;
  const windows = Map.groupBy(
    looks.flatMap((look) => look.windows),
    ({ window }) => window.id,
  );
  const held = [...windows.values()].filter((views) => views.some(({ places }) => places.length > 0));
  const isKept =
    areAllAlike(looks.map(({ blind }) => toBounds(blind))) &&
    held.every((views) => areAllAlike(views.map(({ whole }) => whole.slice(0, 1))));
  // Where it is now nobody knows.
  if (!isKept && !isArranged) return [{ what: "unread", bounds: picture.bounds, app: "" }];
  const blind = looks.flatMap((look) => (isArranged ? look.blindSeen : look.blind));
  return [...blind, ...held.flatMap((views) => coverWindow(unrest, views))];
}

function coverWindow(unrest: Unrest, views: readonly WindowLook[]): readonly Covered[] {
  const { picture, others, looks, lying, isArranged } = unrest;
  const [first] = views;
  if (first === undefined) return [];
  const { app, id } = first.window;
  const places = views.flatMap((view) => (isArranged ? view.covered : view.places));
  const own = views.flatMap(({ seen, whole }) => (isArranged ? seen : [...seen, ...whole]));
  const isConstant = views.length === looks.length && areAllAlike(views.map((view) => toBounds(view.places)));
  if (!isConstant || lying.has(id)) return own.map((bounds) => ({ what: "secret", bounds, app }));
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
