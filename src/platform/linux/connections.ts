import type { Bounds } from "../../model/bounds.ts";
import { fail, type Result, succeed } from "../../model/failure.ts";
import type { OpenOptions, Platform } from "../port.ts";
import type { ActionConnections } from "./atspi/action-connections.ts";
import { type Bus, ConnectionLost } from "./dbus/bus.ts";
import { describeLostBus, describeLostDisplay } from "./failures.ts";
import type { SessionLock } from "./session-lock.ts";
import { XConnection } from "./x11/connection.ts";
import type { XScreen } from "./x11/screen.ts";
import { XSilent, XUnavailable } from "./x11/transport.ts";
import type { XWindow } from "./x11/windows.ts";

/** A first request that the bus daemon or a toolkit drops is retried; reading has no side effects. */
const readAttempts = 2;

/** The connections to one desktop and what was last listed over them, shared by all calls. */
export class Connections {
  windows: readonly XWindow[] = [];
  monitors: readonly Bounds[] = [];
  size: Bounds;
  private bus: Bus | undefined;
  private connecting: Promise<Bus> | undefined;
  private screen: XScreen | undefined;
  private lock: SessionLock | undefined;
  private actions: ActionConnections | undefined;
  private hasClosed = false;
  private users = 0;

  constructor(
    private readonly options: OpenOptions,
    private display: XConnection,
  ) {
    this.size = { x: 0, y: 0, width: display.rootWidth, height: display.rootHeight };
  }

  /** A new connection after the display was lost and came back. */
  get x(): XConnection {
    return this.display;
  }

  prepareBus(): void {
    this.connecting ??= this.connect();
    // The first read reports the failure; there may be none.
    this.connecting.catch(() => undefined);
  }

  /** Keeps the accessibility bus connected during a call. Returns a function that ends it. */
  use(): () => void {
    let isUsing = true;
    this.users += 1;
    return () => {
      if (isUsing) this.users -= 1;
      isUsing = false;
    };
  }

  async withDisplay<T>(work: () => Promise<T>): Promise<Result<T>> {
    const { timeoutMs } = this.options;
    const timer = setTimeout(() => this.x.fail(new XSilent(timeoutMs)), timeoutMs);
    try {
      await this.reconnect();
      return succeed(await work());
    } catch (error) {
      if (!(error instanceof XUnavailable)) throw error;
      return fail(describeLostDisplay(error));
    } finally {
      clearTimeout(timer);
    }
  }

  async withScreen<T>(work: (screen: XScreen) => Promise<Result<T>>): Promise<Result<T>> {
    const screen = this.screen ?? (await this.openScreen());
    return flattenResult(await this.withDisplay(() => work(screen)));
  }

  async withBus<T>(work: (bus: Bus) => Promise<T>): Promise<Result<T>> {
    for (let attempt = 1; ; attempt += 1) {
      let bus: Bus | undefined;
      try {
        bus = await this.openBus();
        return succeed(await work(bus));
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
        // Another call may have opened a new connection, which stays.
        bus?.close();
        if (attempt < readAttempts) continue;
        return fail(describeLostBus(error));
      }
    }
  }

  async openLock(): Promise<SessionLock> {
    const { SessionLock: Lock } = await import("./session-lock.ts");
    this.lock ??= new Lock(this.options.env, this.options.timeoutMs);
    return this.lock;
  }

  async openActions(): Promise<ActionConnections> {
    const { ActionConnections: Actions } = await import("./atspi/action-connections.ts");
    this.actions ??= new Actions();
    return this.actions;
  }

  isCaptured(window: number): boolean {
    return this.screen?.isCaptured(window) === true;
  }

  leaveBus(): void {
    if (this.users === 0) this.bus?.close("not in use");
  }

  close(): void {
    this.hasClosed = true;
    this.screen?.close();
    this.lock?.close();
    this.actions?.close();
    this.bus?.close();
    this.connecting?.then((bus) => bus.close()).catch(() => undefined);
    this.x.close();
  }

  /** Loaded lazily: most commands take no picture. */
  private async openScreen(): Promise<XScreen> {
    const { XScreen: Screen } = await import("./x11/screen.ts");
    this.screen ??= new Screen(this.x, this.options.timeoutMs);
    return this.screen;
  }

  private async openBus(): Promise<Bus> {
    if (this.bus?.isOpen === true) return this.bus;
    // What is still under way in the background must not connect once more: the process could not end.
    if (this.hasClosed) throw new ConnectionLost("the desktop was closed");
    this.connecting ??= this.connect();
    const { connecting } = this;
    try {
      this.bus = await connecting;
      return this.bus;
    } finally {
      if (this.connecting === connecting) this.connecting = undefined;
    }
  }

  private async connect(): Promise<Bus> {
    const { connectAccessibility } = await import("./atspi/access.ts");
    return connectAccessibility(this.options.env, this.options.timeoutMs);
  }

  /** A lost display may be back. */
  private async reconnect(): Promise<void> {
    if (this.display.isOpen || this.hasClosed) return;
    const { env, timeoutMs } = this.options;
    this.display = await XConnection.connect(env, timeoutMs);
    this.screen = undefined;
  }
}

/** What reading and acting share: one connection to the display and one to the accessibility bus. */
export interface Parts extends Pick<Platform, "listWindows" | "readWindows"> {
  readonly x: XConnection;
  readonly options: OpenOptions;
  /** Converts a lost display or bus to a failure; other exceptions pass. */
  withDisplay<T>(work: () => Promise<T>): Promise<Result<T>>;
  withBus<T>(work: (bus: Bus) => Promise<T>): Promise<Result<T>>;
  /** The connections over which actions are sent, shared by all calls. */
  openActions(): Promise<ActionConnections>;
  /** Whether a window is being captured, which makes its application draw all of it again. */
  isCaptured(window: number): boolean;
  /** Disconnects, so that applications forget the listener; the next read reconnects. */
  leaveBus(): void;
}

export function flattenResult<T>(result: Result<Result<T>>): Result<T> {
  return result.ok ? result.value : result;
}
