import type { Bounds } from "../../../model/bounds.ts";
import type { ReadRequest } from "../../../sources/port.ts";
import type { Setting } from "../atspi/assemble.ts";
import type { XWindow } from "../x11/windows.ts";

/** A pop-up opened or closed; a window was raised or focused; it only moved; or it changed otherwise. */
export type WindowEvent = "popup" | "turned" | "moved" | "changed";

export type ReadOptions = Pick<ReadRequest, "timeoutMs" | "isAnew">;

export interface DisplayView {
  readonly appKey: string;
  listWindows(): readonly XWindow[];
  place(): Pick<Setting, "screen" | "monitors">;
  listPopupBounds(): Promise<readonly Bounds[]>;
  /** The covered parts of a window, where drawing is not seen; undefined if it draws nothing at all. */
  listCovered(window: XWindow): readonly Bounds[] | undefined;
}
