import type { Bounds } from "../../model/bounds.ts";
import type { Env } from "../../model/env.ts";
import type { Window } from "../../model/window.ts";
import { connectSession } from "./atspi/access.ts";
import { type Bus, busCall, ConnectionLost, DeadlinePassed, ErrorReply, shape } from "./dbus/bus.ts";

/**
 * Services that report whether the screen is locked. GNOME Shell draws its lock itself, without a recognisable window;
 * the others are asked too, since one may be locked before its window appears.
 */
const services = ["gnome", "cinnamon", "mate", "xfce", "freedesktop"].map((desktop) => `org.${desktop}.ScreenSaver`);
const answerMs = 500;

export class SessionLock {
  private session: Promise<Bus | undefined> | undefined;

  constructor(
    private readonly env: Env,
    private readonly timeoutMs: number,
  ) {}

  /** The lock as a window that covers the screen; undefined if nothing is locked or no service answers. */
  async find(screen: Bounds): Promise<Window | undefined> {
    this.session ??= connectSession(this.env, this.timeoutMs).catch(() => undefined);
    const bus = await this.session;
    if (bus === undefined) return undefined;
    try {
      const present = new Set(await bus.call(busCall("ListNames"), shape<string[]>("as")));
      const asked = services.filter((name) => present.has(name));
      const answers = await Promise.all(asked.map((name) => isActive(bus, name)));
      const locked = asked.find((_name, index) => answers[index]);
      return locked === undefined ? undefined : describeLock(locked, screen);
    } catch (error) {
      if (error instanceof ConnectionLost || error instanceof ErrorReply) return undefined;
      throw error;
    }
  }

  close(): void {
    this.session?.then((bus) => bus?.close()).catch(() => undefined);
  }
}

/** A service that does not answer counts as locked. */
async function isActive(bus: Bus, name: string): Promise<boolean> {
  const call = { destination: name, path: `/${name.replaceAll(".", "/")}`, interface: name, member: "GetActive" };
  try {
    return await bus.callWithin(call, shape<boolean>("b"), answerMs);
  } catch (error) {
    if (error instanceof ErrorReply || error instanceof DeadlinePassed) return error instanceof DeadlinePassed;
    throw error;
  }
}

function describeLock(service: string, bounds: Bounds): Window {
  const app = "lock screen";
  const names = { app, aliases: [service.toLowerCase(), app], class: "", title: "" };
  return { id: 0, pid: 0, ...names, bounds, isFocused: false, state: [], monitor: "", zOrder: 0 };
}
