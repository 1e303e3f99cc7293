import { colourOf } from "../marks/colour.ts";
import { placeTags } from "../marks/place-tags.ts";
import type { Size } from "../marks/tag.ts";
import { type Bounds, centreOf, containsPoint, intersect, type Point } from "../model/bounds.ts";
import type { Colour, Drawing } from "../model/drawing.ts";
import type { Annotation } from "./annotation.ts";
import { findMiddle, route } from "./connect.ts";
import { findSeen, isWholeInSight, type Place, type Scenery } from "./sight.ts";

/** A control that gets a tag with its mark. */
export interface MarkedPlace extends Place {
  readonly mark: number;
}

/** What there is to draw, and where it belongs. */
export interface Stock {
  /** The windows in front first. */
  readonly marks: readonly MarkedPlace[];
  /** Where the controls are that something is drawn at. */
  readonly anchors: ReadonlyMap<number, Place>;
  readonly notes: readonly Noted[];
}

export interface Noted {
  readonly id: number;
  readonly annotation: Annotation;
}

export interface Composed {
  readonly drawings: readonly Drawing[];
  readonly markCount: number;
  /** Marks that are in sight and were too many. */
  readonly leftOut: number;
  /** Annotations whose controls are in sight. */
  readonly shownNotes: ReadonlySet<number>;
}

/** More than a person can read; what lies in front comes first. */
export const maxMarks = 500;

export function compose(stock: Stock, scenery: Scenery, measure: (text: string) => Size): Composed {
  const seen = stock.marks.flatMap((one) => {
    const bounds = findSeen(one, scenery);
    return bounds === undefined ? [] : [{ mark: one.mark, bounds }];
  });
  // One control is named once, wherever its application tells of it again.
  const once = [...new Map(seen.toReversed().map((one) => [one.mark, one])).values()].toReversed();
  const shown = once.slice(0, maxMarks);
  const notes = stock.notes.map((one) => ({ id: one.id, drawings: drawNote(one, stock.anchors, scenery, measure) }));
  return {
    drawings: [...drawMarks(shown, scenery, measure), ...notes.flatMap(({ drawings }) => drawings)],
    markCount: shown.length,
    leftOut: once.length - shown.length,
    shownNotes: new Set(notes.filter(({ drawings }) => drawings.length > 0).map(({ id }) => id)),
  };
}

interface Seen {
  readonly mark: number;
  readonly bounds: Bounds;
}

function drawMarks(seen: readonly Seen[], { monitors }: Scenery, measure: (text: string) => Size): Drawing[] {
  const boxes = seen.map(({ mark, bounds }): Drawing => {
    return { kind: "box", key: `box ${mark}`, bounds, colour: colourOf(mark), stroke: "thin" };
  });
  const byRoom = Map.groupBy(seen, ({ bounds }) => findRoom(bounds, monitors));
  const tags = [...byRoom].flatMap(([room, own]) => {
    if (room === undefined) return [];
    return placeTags(own, room, (mark) => measure(String(mark))).map(({ mark, tag }): Drawing => {
      return { kind: "tag", key: `tag ${mark}`, bounds: tag, text: String(mark), colour: colourOf(mark) };
    });
  });
  return [...boxes, ...tags];
}

/** The monitor that shows most of it. */
function findRoom(bounds: Bounds, monitors: readonly Bounds[]): Bounds | undefined {
  const shareOf = (monitor: Bounds): number => {
    const { width = 0, height = 0 } = intersect(bounds, monitor) ?? {};
    return width * height;
  };
  return monitors.toSorted((a, b) => shareOf(b) - shareOf(a))[0];
}

/** A text beside a control, where it hides the least of it. */
export function placeLabel(bounds: Bounds, monitors: readonly Bounds[], size: Size): Bounds {
  const room = findRoom(bounds, monitors) ?? bounds;
  const [placed] = placeTags([{ mark: 0, bounds }], room, () => size);
  return placed?.tag ?? { ...bounds, ...size };
}

function drawNote(
  { id, annotation }: Noted,
  anchors: Stock["anchors"],
  scenery: Scenery,
  measure: (text: string) => Size,
): Drawing[] {
  const place = anchors.get(annotation.mark);
  const seen = place && findSeen(place, scenery);
  if (place === undefined || seen === undefined) return [];
  const { colour, stroke } = annotation;
  const key = `note ${id}`;
  const label = (bounds: Bounds, text: string): Drawing[] => {
    if (text === "") return [];
    const place = placeLabel(bounds, scenery.monitors, measure(text));
    return [{ kind: "tag", key: `${key} label`, bounds: place, text, colour }];
  };
  switch (annotation.kind) {
    case "label":
      return label(seen, annotation.label);
    case "highlight":
      return [{ kind: "box", key, bounds: seen, colour, stroke }, ...label(seen, annotation.label)];
    case "shape": {
      // A part of an outline would look like another one.
      if (!isWholeInSight(place.bounds, seen)) return [];
      const { size, path, isFilled } = annotation;
      return [{ kind: "shape", key, bounds: place.bounds, size, path, colour, stroke, isFilled }];
    }
    case "connect": {
      const other = anchors.get(annotation.to);
      const end = other && findSeen(other, scenery);
      if (end === undefined) return [];
      const points = route(seen, end, annotation.route);
      const size = annotation.label === "" ? undefined : measure(annotation.label);
      return [
        { kind: "line", key, points, colour, stroke, arrows: annotation.arrows },
        ...(size === undefined ? [] : [centreLabel(key, findMiddle(points), annotation.label, size, colour, scenery)]),
      ];
    }
  }
}

function centreLabel(
  key: string,
  middle: Point,
  text: string,
  { width, height }: Size,
  colour: Colour,
  { monitors }: Scenery,
): Drawing {
  const room = monitors.find((monitor) => containsPoint(monitor, middle));
  const half = centreOf({ x: 0, y: 0, width, height });
  const [x, y] = [middle.x - half.x, middle.y - half.y];
  const bounds = {
    x: room ? keep(x, width, room.x, room.width) : x,
    y: room ? keep(y, height, room.y, room.height) : y,
  };
  return { kind: "tag", key: `${key} label`, bounds: { ...bounds, width, height }, text, colour };
}

function keep(at: number, size: number, start: number, room: number): number {
  return Math.max(start, Math.min(at, start + room - size));
}
