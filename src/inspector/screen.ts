import type { Bounds, Point } from "../model/bounds.ts";
import type { ChangeLine } from "../model/change-line.ts";

export interface ScreenMethods {
  /** A picture of all monitors, and where the windows were when it was taken. */
  readonly "screen.picture": (params: { readonly scale: number }) => ScreenPicture;
}

export interface ScreenPicture {
  /** The number of the picture, which was sent before. */
  readonly picture: number;
  readonly width: number;
  readonly height: number;
  /** A point p of the picture is the point origin + p / scale of the screen. */
  readonly origin: Point;
  readonly scale: number;
  readonly takenAtMs: number;
  readonly tookMs: number;
  readonly monitors: readonly ShownMonitor[];
  readonly windows: readonly ShownWindow[];
  readonly covered: readonly Bounds[];
}

export interface ShownMonitor {
  readonly name: string;
  readonly bounds: Bounds;
  readonly isPrimary: boolean;
}

export interface ShownWindow {
  readonly id: number;
  readonly app: string;
  readonly title: string;
  readonly bounds: Bounds;
  readonly isMinimised: boolean;
  /** Whether it moved while the picture was taken, so that the places of its controls are not known. */
  readonly isMoving: boolean;
  /** Whether it is the browser window that shows this page. */
  readonly isInspector: boolean;
}

export interface TreeMethods {
  /** Sends `tree.lines` with what is there and what changes; a second call starts again. */
  readonly "tree.follow": (params: { readonly isWhole: boolean }) => null;
}

export interface TreeEvents {
  readonly "tree.lines": readonly ChangeLine[];
  /** Why there are no lines at the moment; the server retries. */
  readonly "tree.trouble": { readonly message: string };
}
