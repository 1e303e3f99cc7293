import type { Bounds, Point } from "./bounds.ts";

export const strokes = ["thin", "thick", "dashed"] as const;
export type Stroke = (typeof strokes)[number];

export const arrowEnds = ["none", "end", "start", "both"] as const;
export type ArrowEnds = (typeof arrowEnds)[number];

/** As `#rrggbb`. */
export type Colour = `#${string}`;

/** One thing drawn over the screen, in physical pixels of it. What has the same key as before is the same thing, changed. */
export type Drawing =
  | {
      readonly kind: "box";
      readonly key: string;
      readonly bounds: Bounds;
      readonly colour: Colour;
      readonly stroke: Stroke;
    }
  /** A text on a ground of its colour; its bounds are those that it was measured for. */
  | {
      readonly kind: "tag";
      readonly key: string;
      readonly bounds: Bounds;
      readonly text: string;
      readonly colour: Colour;
    }
  | {
      readonly kind: "line";
      readonly key: string;
      readonly points: readonly Point[];
      readonly colour: Colour;
      readonly stroke: Stroke;
      readonly arrows: ArrowEnds;
    }
  /** An outline in the words of SVG's path data, in a box of `size` that is stretched over the bounds. */
  | {
      readonly kind: "shape";
      readonly key: string;
      readonly bounds: Bounds;
      readonly size: { readonly width: number; readonly height: number };
      readonly path: string;
      readonly colour: Colour;
      readonly stroke: Stroke;
      readonly isFilled: boolean;
    };
