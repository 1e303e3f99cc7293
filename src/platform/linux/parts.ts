import type { Result } from "../../model/failure.ts";
import type { OpenOptions, Platform } from "../port.ts";
import type { Bus } from "./dbus/bus.ts";
import type { XConnection } from "./x11/connection.ts";

/** What seeing and acting share: one connection to the display and one to the accessibility bus. */
export interface Parts extends Pick<Platform, "listWindows" | "readWindows"> {
  readonly x: XConnection;
  readonly options: OpenOptions;
  /** Loses no exception but those of a display or a bus that went away: they are answers. */
  withDisplay<T>(work: () => Promise<T>): Promise<Result<T>>;
  withBus<T>(work: (bus: Bus) => Promise<T>): Promise<Result<T>>;
  /** Lets every application forget that anybody listens; whoever reads next comes back. */
  leaveBus(): void;
}
