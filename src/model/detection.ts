import type { Bounds } from "./bounds.ts";
import type { LearnerRole } from "./role.ts";

/** Something that was found by looking at a picture alone. Its words are an application's, and may have been read wrongly. */
export interface Detection {
  readonly role: LearnerRole;
  readonly label: string;
  /** In physical pixels of the screen. */
  readonly bounds: Bounds;
  /** How sure whoever found it is, from 0 to 1. */
  readonly confidence: number;
}
