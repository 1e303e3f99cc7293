import { placeTags } from "../marks/place-tags.ts";
import { colourOf, type Tagged } from "../marks/tag.ts";
import type { Bounds, Size } from "../model/bounds.ts";
import type { Drawing } from "../model/drawing.ts";
import { cleanText } from "../model/plain-text.ts";
import type { Annotation } from "./annotation.ts";
import { findMiddle, route } from "./connect.ts";
import { findRoom, type Label, placeLabels } from "./labels.ts";
import { findVisiblePart, isFullyVisible, type Place, type ScreenLayout } from "./visibility.ts";

export interface MarkedPlace extends Place {
  readonly mark: number;
}

export interface OverlayContent {
  /** Frontmost windows first. */
  readonly marks: readonly MarkedPlace[];
  /** The positions of annotated controls, by mark. */
  readonly anchors: ReadonlyMap<number, Place>;
  readonly annotations: readonly ClientAnnotation[];
  /** Controls and texts that a line should not strike through. */
  readonly legible?: readonly Place[] | undefined;
}

export interface ClientAnnotation {
  readonly id: number;
  readonly annotation: Annotation;
  readonly client: string;
}

export interface Composed {
  readonly drawings: readonly Drawing[];
  readonly markCount: number;
  /** Visible marks beyond the limit. */
  readonly leftOut: number;
  /** Annotations whose controls are visible. */
  readonly shownAnnotations: ReadonlySet<number>;
}

/** More than a person can read; frontmost windows first. */
export const maxMarks = 500;

export function compose(content: OverlayContent, layout: ScreenLayout, measure: (text: string) => Size): Composed {
  const seen = content.marks.flatMap((one) => {
    const bounds = findVisiblePart(one, layout);
    return bounds === undefined ? [] : [{ mark: one.mark, bounds }];
  });
  // A control reported twice gets one tag.
  const once = [...new Map(seen.toReversed().map((one) => [one.mark, one])).values()].toReversed();
  const shown = once.slice(0, maxMarks);
  const isConnected = content.annotations.some(({ annotation }) => annotation.kind === "connect");
  const legible = isConnected ? (content.legible ?? []).flatMap((one) => findVisiblePart(one, layout) ?? []) : [];
  const others = [...legible, ...shown.map(({ bounds }) => bounds)];
  const annotations = content.annotations.map((one) => drawAnnotation(one, content.anchors, layout, others));
  const marks = drawMarks(shown, layout, measure);
  const taken = marks.flatMap((one) => (one.kind === "tag" ? [one.bounds] : []));
  const labels = placeLabels(
    annotations.flatMap(({ label }) => label ?? []),
    taken,
    layout.monitors,
    measure,
  );
  const [tags, boxes] = [true, false].map((isTag) => marks.filter(({ kind }) => (kind === "tag") === isTag));
  return {
    // Later ones lie over earlier ones: no line strikes through a number or a label.
    drawings: [...(boxes ?? []), ...annotations.flatMap(({ drawings }) => drawings), ...(tags ?? []), ...labels],
    markCount: shown.length,
    leftOut: once.length - shown.length,
    shownAnnotations: new Set(
      annotations.filter(({ drawings, label }) => drawings.length > 0 || label !== undefined).map(({ id }) => id),
    ),
  };
}

function drawMarks(seen: readonly Tagged[], { monitors }: ScreenLayout, measure: (text: string) => Size): Drawing[] {
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

/** An annotation's drawings, and its label, which is placed after all tags. */
interface DrawnAnnotation {
  readonly id: number;
  readonly drawings: readonly Drawing[];
  readonly label: Label | undefined;
}

function drawAnnotation(
  { id, annotation, client }: ClientAnnotation,
  anchors: OverlayContent["anchors"],
  layout: ScreenLayout,
  others: readonly Bounds[],
): DrawnAnnotation {
  const nothing = { id, drawings: [], label: undefined };
  const place = anchors.get(annotation.mark);
  const seen = place && findVisiblePart(place, layout);
  if (place === undefined || seen === undefined) return nothing;
  const { colour, stroke } = annotation;
  const key = `annotation ${id}`;
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
      // A clipped outline would look like another shape.
      if (!isFullyVisible(place.bounds, seen)) return nothing;
      const { size, path, isFilled } = annotation;
      const shape: Drawing = { kind: "shape", key, bounds: place.bounds, size, path, colour, stroke, isFilled };
      return { id, drawings: [shape], label: undefined };
    }
    case "connect": {
      const other = anchors.get(annotation.to);
      const end = other && findVisiblePart(other, layout);
      if (end === undefined) return nothing;
      const points = route(seen, end, annotation.route, { others, monitors: layout.monitors });
      const middle = findMiddle(points);
      const line: Drawing = { kind: "line", key, points, colour, stroke, arrows: annotation.arrows };
      const beside = { ...middle, width: 1, height: 1 };
      return { id, drawings: [line], label: label({ beside, middle }, annotation.label) };
    }
  }
}

const maxShownClient = 24;

/** The label names the client: it comes neither from Deskmap nor from the application. */
function signLabel(client: string, text: string): string {
  return `${cleanText(client, maxShownClient)}: ${text}`;
}
