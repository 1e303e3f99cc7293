import type { Bounds } from "../model/bounds.ts";

/** A control that gets a tag with its mark: in a picture, on the screen, in the inspector. */
export interface Tagged {
  readonly mark: number;
  readonly bounds: Bounds;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The position of a control's tag: beside or over it, within the visible area, covering as little as possible. */
export interface Tag extends Tagged {
  readonly tag: Bounds;
}
