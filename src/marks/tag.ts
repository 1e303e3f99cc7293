import type { Bounds } from "../model/bounds.ts";
import type { Colour } from "../model/drawing.ts";

/** Contrast with white digits is above 5:1, and neighbours are distinguishable. */
const colours: readonly Colour[] = ["#b3001b", "#0047c2", "#00662b", "#7d1fa8", "#8f4700", "#00627a", "#a3005f"];

/** Consecutive marks have different colours; a mark keeps its colour. */
export function colourOf(mark: number): Colour {
  return colours[mark % colours.length] ?? "#b3001b";
}

/** A control that gets a tag with its mark: in a picture, on the screen, in the inspector. */
export interface Tagged {
  readonly mark: number;
  readonly bounds: Bounds;
}

/** The position of a control's tag: beside or over it, within the visible area, covering as little as possible. */
export interface Tag extends Tagged {
  readonly tag: Bounds;
}
