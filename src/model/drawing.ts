import type { Bounds, Point, Size } from "./bounds.ts";

export const strokes = ["thin", "thick", "dashed"] as const;
export type Stroke = (typeof strokes)[number];

export const arrowEnds = ["none", "end", "start", "both"] as const;
export type ArrowEnds = (typeof arrowEnds)[number];

export type Colour = `#${string}`;

interface Drawn {
  /** An item replaces the earlier one with its key. */
  readonly key: string;
  readonly colour: Colour;
}

/** One item drawn over the screen, in physical screen pixels. */
export type Drawing = Drawn &
  (
    | { readonly kind: "box"; readonly bounds: Bounds; readonly stroke: Stroke }
    /** A text on a coloured background; its bounds fit the measured text. */
    | { readonly kind: "tag"; readonly bounds: Bounds; readonly text: string }
    | { readonly kind: "line"; readonly points: readonly Point[]; readonly stroke: Stroke; readonly arrows: ArrowEnds }
    /** SVG path data in a box of `size`, stretched over the bounds. */
    | {
        readonly kind: "shape";
        readonly bounds: Bounds;
        readonly size: Size;
        readonly path: string;
        readonly stroke: Stroke;
        readonly isFilled: boolean;
      }
  );
