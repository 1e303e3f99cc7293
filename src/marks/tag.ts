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

/** Where a control's tag stands: beside or over it, within what is shown, and where there is room on no other control or tag. */
export interface Tag extends Tagged {
  readonly tag: Bounds;
}
