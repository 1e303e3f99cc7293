import type { Detection } from "../../model/detection.ts";
import type { Result } from "../../model/failure.ts";
import type { Picture } from "../../model/frame.ts";

/** Context for a provider. It is never evidence that something is there. */
export interface VisionHints {
  readonly app: string;
  readonly windowTitle: string;
  /** Former names of controls in this window. */
  readonly knownLabels: readonly string[];
  /** Physical pixels per logical pixel on the monitor of the picture. */
  readonly scale: number;
}

/** Finds controls and texts in a picture. What must not be seen is already covered. */
export interface VisionProvider {
  readonly name: string;
  /** In reading order. */
  detect(picture: Picture, hints: VisionHints, signal?: AbortSignal): Promise<Result<readonly Detection[]>>;
}
