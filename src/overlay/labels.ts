import { placeTags } from "../marks/place-tags.ts";
import { areaOf, type Bounds, containsPoint, intersect, keepWithin, type Point, type Size } from "../model/bounds.ts";
import type { Colour, Drawing } from "../model/drawing.ts";

export interface Label {
  readonly key: string;
  readonly text: string;
  readonly colour: Colour;
  readonly beside: Bounds;
  /** The preferred centre, if it is free. */
  readonly middle?: Point | undefined;
}

type Tag = Extract<Drawing, { kind: "tag" }>;

/** Places annotation labels so that they cover neither tags nor each other. */
export function placeLabels(
  labels: readonly Label[],
  taken: readonly Bounds[],
  monitors: readonly Bounds[],
  measure: (text: string) => Size,
): readonly Tag[] {
  const stand = [...taken];
  return labels.map(({ key, text, colour, beside, middle }) => {
    const size = measure(text);
    const bounds = findFree(listPlaces(beside, middle, monitors, size, stand), stand);
    stand.push(bounds);
    return { kind: "tag", key, bounds, text, colour };
  });
}

/** Places a text beside a control where it covers least of it. */
export function placeLabel(
  bounds: Bounds,
  monitors: readonly Bounds[],
  size: Size,
  taken: readonly Bounds[] = [],
): Bounds {
  const room = findRoom(bounds, monitors) ?? bounds;
  const [placed] = placeTags([{ mark: 0, bounds }], room, () => size, taken);
  return placed?.tag ?? { ...bounds, ...size };
}

/** The monitor that shows most of it. */
export function findRoom(bounds: Bounds, monitors: readonly Bounds[]): Bounds | undefined {
  const shareOf = (monitor: Bounds): number => {
    const part = intersect(bounds, monitor);
    return part === undefined ? 0 : areaOf(part);
  };
  return monitors.toSorted((a, b) => shareOf(b) - shareOf(a))[0];
}

/** All positions beside a control may be taken: how many rows farther away to search. */
const fartherRows = 6;

function* listPlaces(
  beside: Bounds,
  middle: Point | undefined,
  monitors: readonly Bounds[],
  size: Size,
  stand: readonly Bounds[],
): Generator<Bounds> {
  if (middle !== undefined) yield centre(middle, size, monitors);
  const best = placeLabel(beside, monitors, size, stand);
  yield best;
  const room = findRoom(beside, monitors) ?? beside;
  for (let row = 1; row <= fartherRows; row += 1) {
    for (const x of [beside.x, beside.x + beside.width - size.width]) {
      yield keepWithin({ ...size, x, y: beside.y - (row + 1) * size.height }, room);
      yield keepWithin({ ...size, x, y: beside.y + beside.height + row * size.height }, room);
    }
  }
  yield best;
}

function findFree(places: Iterable<Bounds>, stand: readonly Bounds[]): Bounds {
  let last: Bounds = { x: 0, y: 0, width: 0, height: 0 };
  for (const place of places) {
    last = place;
    if (!stand.some((one) => intersect(one, place) !== undefined)) return place;
  }
  return last;
}

function centre(middle: Point, size: Size, monitors: readonly Bounds[]): Bounds {
  const [x, y] = [middle.x - Math.floor(size.width / 2), middle.y - Math.floor(size.height / 2)];
  const room = monitors.find((monitor) => containsPoint(monitor, middle));
  return room === undefined ? { x, y, ...size } : keepWithin({ x, y, ...size }, room);
}
