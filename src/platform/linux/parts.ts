import type { Result } from "../../model/failure.ts";
import type { OpenOptions, Platform } from "../port.ts";
import type { Bus } from "./dbus/bus.ts";
import type { XConnection } from "./x11/connection.ts";

/** What reading and acting share: one connection to the display and one to the accessibility bus. */
export interface Parts extends Pick<Platform, "listWindows" | "readWindows"> {
  readonly x: XConnection;
  readonly options: OpenOptions;
  /** Converts a lost display or bus to a failure; other exceptions pass. */
  withDisplay<T>(work: () => Promise<T>): Promise<Result<T>>;
  withBus<T>(work: (bus: Bus) => Promise<T>): Promise<Result<T>>;
  /** Whether a window is being captured, which makes its application draw all of it again. */
  isCaptured(window: number): boolean;
  /** Disconnects, so that applications forget the listener; the next read reconnects. */
  leaveBus(): void;
}
