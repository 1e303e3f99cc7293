import type { Bounds } from "../../../model/bounds.ts";
import type { ReadRequest } from "../../port.ts";
import type { Setting } from "../atspi/assemble.ts";
import type { XWindow } from "../x11/windows.ts";

/**
 * What happened to an application's windows: a pop-up opened or closed; one was raised or focused; one only moved; or
 * one changed otherwise.
 */
export type WindowNews = "popup" | "turned" | "moved" | "changed";

export type ReadOptions = Pick<ReadRequest, "timeoutMs" | "isAnew">;

export interface DisplayView {
  readonly appKey: string;
  /** All windows of the process. */
  listWindows(): readonly XWindow[];
  place(): Pick<Setting, "screen" | "monitors">;
  listPopupBounds(): Promise<readonly Bounds[]>;
  /**
   * The parts of a window where drawing is not visible because something covers it; undefined if it draws nothing at
   * all.
   */
  listCovered(window: XWindow): readonly Bounds[] | undefined;
}
