import type { Bounds } from "../../../model/bounds.ts";
import type { Setting } from "../atspi/assemble.ts";
import type { XWindow } from "../x11/windows.ts";

/** What an application's windows look like from outside. */
export interface DisplayView {
  readonly appKey: string;
  listWindows(): readonly XWindow[];
  place(): Pick<Setting, "screen" | "monitors">;
  listPopupBounds(): Promise<readonly Bounds[]>;
  /** Events come in bursts: how long a reread waits for the rest. */
  burstMs(): number;
  findFocused(): Promise<number | undefined>;
  /** The covered parts of a window, where drawing is not seen; undefined if it draws nothing at all. */
  listCovered(window: XWindow): readonly Bounds[] | undefined;
}
