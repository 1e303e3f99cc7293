import type { Detection } from "../model/detection.ts";
import type { Result } from "../model/failure.ts";
import type { Picture } from "../model/frame.ts";

/** What is known beforehand. A provider may use it or not; it is never evidence that something is there. */
export interface VisionHints {
  readonly app: string;
  readonly windowTitle: string;
  /** What controls of this window were called before. */
  readonly knownLabels: readonly string[];
  /** Physical pixels for one that people count in, on the monitor where the picture was taken. */
  readonly scale: number;
}

/** Finds controls and texts in a picture. It is given only pictures in which what must not be seen is covered. */
export interface VisionProvider {
  readonly name: string;
  /** In reading order. */
  detect(picture: Picture, hints: VisionHints, signal?: AbortSignal): Promise<Result<readonly Detection[]>>;
}
