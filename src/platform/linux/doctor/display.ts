import { broken, type Check, note, ok } from "../../../model/check.ts";
import type { Env } from "../../../model/env.ts";
import { cleanText } from "../../../model/plain-text.ts";
import { numbersOf, XConnection } from "../x11/connection.ts";
import { XUnavailable } from "../x11/transport.ts";
import { listXWindows, type XWindow } from "../x11/windows.ts";

export interface DisplayReport {
  readonly checks: readonly Check[];
  readonly windows: readonly XWindow[];
}

const ownDesktop = "deskmap sandbox -- mousepad";
const maxNameLength = 60;

/** Checks the display, its window manager, compositor and monitors. */
export async function examineDisplay(env: Env, timeoutMs: number): Promise<DisplayReport> {
  let x: XConnection;
  try {
    x = await XConnection.connect(env, timeoutMs);
  } catch (error) {
    if (!(error instanceof XUnavailable)) throw error;
    return { checks: [broken("display", `no X display answers: ${error.message}`, ownDesktop)], windows: [] };
  }
  try {
    return await x.within(timeoutMs, () => examineOpenDisplay(x, env));
  } catch (error) {
    if (!(error instanceof XUnavailable)) throw error;
    return { checks: [broken("display", `the display went away: ${error.message}`, ownDesktop)], windows: [] };
  } finally {
    x.close();
  }
}

async function examineOpenDisplay(x: XConnection, env: Env): Promise<DisplayReport> {
  const { windows, monitors } = await listXWindows(x);
  const places = monitors.map(({ name, bounds, isPrimary }) => {
    const { x: left, y, width, height } = bounds;
    return `${name} ${width}x${height} at ${left},${y}${isPrimary ? " (primary)" : ""}`;
  });
  const display = ok("display", `${env.DISPLAY}, ${x.rootWidth}x${x.rootHeight} pixels; ${places.join(", ")}`);
  return { checks: [display, ...describeSession(env), ...(await examineManagers(x))], windows };
}

/** Under Wayland the X server shows only the windows of X programs. */
function describeSession(env: Env): Check[] {
  if (!env.WAYLAND_DISPLAY) return [];
  const text = "this is a Wayland session: only windows of X programs are listed and measured";
  return [note("session", text, "log in to an X11 session to reach all windows")];
}

async function examineManagers(x: XConnection): Promise<Check[]> {
  const atoms = await x.internAtoms(["_NET_SUPPORTING_WM_CHECK", "_NET_WM_NAME"]);
  const [proof, isComposited] = await Promise.all([
    x.getProperty(x.root, atoms._NET_SUPPORTING_WM_CHECK),
    x.hasCompositor(),
  ]);
  const [managerWindow] = numbersOf(proof);
  const name = managerWindow === undefined ? undefined : await x.getProperty(managerWindow, atoms._NET_WM_NAME);
  // A manager that ended leaves its property behind, but not its window.
  const manager =
    name === undefined
      ? note("window manager", "none runs: windows have no frames, and none is known to be in front", "openbox &")
      : ok("window manager", cleanText(name.bytes.toString("utf8"), maxNameLength) || "one that gives no name");
  return [
    manager,
    isComposited
      ? ok("compositor", "runs")
      : note("compositor", "none runs: nothing on the screen is translucent; all windows can be read and captured"),
  ];
}
