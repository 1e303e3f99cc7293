import type { Bounds } from "./bounds.ts";
import type { LearnerRole } from "./role.ts";

/** Something found in a picture alone. Its text comes from an application and may be misread. */
export interface Detection {
  readonly role: LearnerRole;
  readonly label: string;
  /** In physical screen pixels. */
  readonly bounds: Bounds;
  /** The detector's confidence, 0 to 1. */
  readonly confidence: number;
}
