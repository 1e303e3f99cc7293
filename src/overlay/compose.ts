import { colourOf } from "../marks/colour.ts";
import { placeTags } from "../marks/place-tags.ts";
import type { Size } from "../marks/tag.ts";
import type { Bounds } from "../model/bounds.ts";
import type { Drawing } from "../model/drawing.ts";
import { cleanText } from "../model/plain-text.ts";
import type { Annotation } from "./annotation.ts";
import { findMiddle, route } from "./connect.ts";
import { findRoom, type Label, placeLabels } from "./labels.ts";
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
  /** Who has drawn it. */
  readonly client: string;
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
  const notes = stock.notes.map((one) => drawNote(one, stock.anchors, scenery));
  const marks = drawMarks(shown, scenery, measure);
  const taken = marks.flatMap((one) => (one.kind === "tag" ? [one.bounds] : []));
  const labels = placeLabels(
    notes.flatMap(({ label }) => label ?? []),
    taken,
    scenery.monitors,
    measure,
  );
  return {
    drawings: [...marks, ...notes.flatMap(({ drawings }) => drawings), ...labels],
    markCount: shown.length,
    leftOut: once.length - shown.length,
    shownNotes: new Set(
      notes.filter(({ drawings, label }) => drawings.length > 0 || label !== undefined).map(({ id }) => id),
    ),
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

/** What an annotation draws, and what it says beside it, which is placed when all tags are. */
interface DrawnNote {
  readonly id: number;
  readonly drawings: readonly Drawing[];
  readonly label: Label | undefined;
}

function drawNote({ id, annotation, client }: Noted, anchors: Stock["anchors"], scenery: Scenery): DrawnNote {
  const nothing = { id, drawings: [], label: undefined };
  const place = anchors.get(annotation.mark);
  const seen = place && findSeen(place, scenery);
  if (place === undefined || seen === undefined) return nothing;
  const { colour, stroke } = annotation;
  const key = `note ${id}`;
  const label = (at: Pick<Label, "beside" | "middle">, text: string): Label | undefined => {
    return text === "" ? undefined : { ...at, key: `${key} label`, text: signLabel(client, text), colour };
  };
  switch (annotation.kind) {
    case "label":
      return { id, drawings: [], label: label({ beside: seen }, annotation.label) };
    case "highlight": {
      const drawings: Drawing[] = [{ kind: "box", key, bounds: seen, colour, stroke }];
      return { id, drawings, label: label({ beside: seen }, annotation.label) };
    }
    case "shape": {
      // A part of an outline would look like another one.
      if (!isWholeInSight(place.bounds, seen)) return nothing;
      const { size, path, isFilled } = annotation;
      const shape: Drawing = { kind: "shape", key, bounds: place.bounds, size, path, colour, stroke, isFilled };
      return { id, drawings: [shape], label: undefined };
    }
    case "connect": {
      const other = anchors.get(annotation.to);
      const end = other && findSeen(other, scenery);
      if (end === undefined) return nothing;
      const points = route(seen, end, annotation.route);
      const middle = findMiddle(points);
      const line: Drawing = { kind: "line", key, points, colour, stroke, arrows: annotation.arrows };
      const beside = { ...middle, width: 1, height: 1 };
      return { id, drawings: [line], label: label({ beside, middle }, annotation.label) };
    }
  }
}

const maxShownClient = 24;

/** Whoever reads it on the screen is told who says it: it is no word of Deskmap's, nor of the application. */
function signLabel(client: string, text: string): string {
  return `${cleanText(client, maxShownClient)}: ${text}`;
}
