import { placeTags } from "../marks/place-tags.ts";
import type { Size } from "../marks/tag.ts";
import { type Bounds, containsPoint, intersect, type Point } from "../model/bounds.ts";
import type { Colour, Drawing } from "../model/drawing.ts";

/** A text that belongs to something on the screen. */
export interface Label {
  readonly key: string;
  readonly text: string;
  readonly colour: Colour;
  /** What it stands beside. */
  readonly beside: Bounds;
  /** Where its own middle is, if nothing is there. */
  readonly middle?: Point | undefined;
}

type Tag = Extract<Drawing, { kind: "tag" }>;

/** Where the labels of annotations stand: the tags of marks were there first, and none hides one of them, nor another label. */
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

/** A text beside a control, where it hides the least of it. */
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
    const { width = 0, height = 0 } = intersect(bounds, monitor) ?? {};
    return width * height;
  };
  return monitors.toSorted((a, b) => shareOf(b) - shareOf(a))[0];
}

/** Among many tags all places beside a control may be taken: it is looked so many rows farther, too. */
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
      yield keepIn({ ...size, x, y: beside.y - (row + 1) * size.height }, room);
      yield keepIn({ ...size, x, y: beside.y + beside.height + row * size.height }, room);
    }
  }
  yield best;
}

/** The first that nothing stands at; where there is none, the last. */
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
  return room === undefined ? { x, y, ...size } : keepIn({ x, y, ...size }, room);
}

function keepIn({ x, y, width, height }: Bounds, room: Bounds): Bounds {
  return {
    x: Math.max(room.x, Math.min(x, room.x + room.width - width)),
    y: Math.max(room.y, Math.min(y, room.y + room.height - height)),
    width,
    height,
  };
}
