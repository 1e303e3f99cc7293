import type { Bounds } from "./bounds.ts";
import type { Role } from "./role.ts";
import type { Source } from "./source.ts";

/** Something found in a picture alone. Its text comes from an application and may be misread. */
export interface Detection {
  readonly role: Role;
  readonly source: Source;
  readonly label: string;
  /** In physical screen pixels. */
  readonly bounds: Bounds;
  /** The detector's confidence, 0 to 1. */
  readonly confidence: number;
}

/** X11 does not tell the scale of a monitor: the distances of the merge are physical pixels everywhere. */
export const visionScale = 1;
