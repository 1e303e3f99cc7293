import type { Bounds, Point } from "./bounds.ts";

export const strokes = ["thin", "thick", "dashed"] as const;
export type Stroke = (typeof strokes)[number];

export const arrowEnds = ["none", "end", "start", "both"] as const;
export type ArrowEnds = (typeof arrowEnds)[number];

export type Colour = `#${string}`;

/** One item drawn over the screen, in physical screen pixels. An item with the key of an earlier one replaces it. */
export type Drawing =
  | {
      readonly kind: "box";
      readonly key: string;
      readonly bounds: Bounds;
      readonly colour: Colour;
      readonly stroke: Stroke;
    }
  /** A text on a coloured background; its bounds fit the measured text. */
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
  /** SVG path data in a box of `size`, stretched over the bounds. */
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
