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

/** The preferred scale of a monitor is unknown: distances count the same on all of them. */
export const visionScale = 1;
