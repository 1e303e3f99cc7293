import { type Bounds, intersect } from "../../../model/bounds.ts";
import { cleanText } from "../../../model/plain-text.ts";
import { maskSecrets } from "../../../model/secrets-in-text.ts";
import type { Monitor, Window, WindowState } from "../../../model/window.ts";
import { readProgramNames } from "../program-names.ts";
import type { XConnection } from "./connection.ts";
import {
  findClientPid,
  getAtomName,
  getAttributes,
  getInputFocus,
  getMonitors,
  getParent,
  getProperty,
  getScreenGeometry,
  internAtoms,
  numbersOf,
  type Property,
  queryChildren,
} from "./requests.ts";

/** The properties that window lists are built from. */
export const listedProperties = [
  "_NET_SUPPORTING_WM_CHECK",
  "_NET_CLIENT_LIST_STACKING",
  "_NET_CLIENT_LIST",
  "_NET_ACTIVE_WINDOW",
  "_NET_WM_NAME",
  "WM_NAME",
  "WM_CLASS",
  "_NET_WM_PID",
  "_NET_WM_STATE",
  "_NET_FRAME_EXTENTS",
  "_GTK_FRAME_EXTENTS",
] as const;
const atomNames = [
  ...listedProperties,
  "_NET_WM_STATE_HIDDEN",
  "_NET_WM_STATE_FULLSCREEN",
  "_NET_WM_STATE_MAXIMIZED_VERT",
  "_NET_WM_STATE_MAXIMIZED_HORZ",
  "_NET_WM_STATE_MODAL",
  "WM_TRANSIENT_FOR",
] as const;
type Atoms = Record<(typeof atomNames)[number], number>;

export interface XWindow extends Window {
  /** The application's part: without the window manager's frame, with its own shadow. */
  readonly content: Bounds;
  /** The width of that shadow: left, right, top, bottom. */
  readonly shadow: Margins;
}

interface Margins {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const noMargins: Margins = { left: 0, right: 0, top: 0, bottom: 0 };

async function listMonitors(x: XConnection): Promise<Monitor[]> {
  const monitors = await getMonitors(x);
  const names = await Promise.all(monitors.map((monitor) => getAtomName(x, monitor.nameAtom)));
  return monitors.map(({ x: left, y, width, height, isPrimary }, index) => ({
    name: names[index] ?? "",
    bounds: { x: left, y, width, height },
    isPrimary,
  }));
}

/** All windows a person can switch to, front to back, and the monitors. */
export async function listXWindows(x: XConnection): Promise<{ windows: XWindow[]; monitors: Monitor[] }> {
  const [monitors, windows] = await Promise.all([listMonitors(x), listPlaced(x)]);
  return { monitors, windows: windows.map((window) => ({ ...window, monitor: findMonitor(window.bounds, monitors) })) };
}

async function listPlaced(x: XConnection): Promise<XWindow[]> {
  const atoms = await internAtoms(x, atomNames);
  const [check, stacking, clients, active, topLevels] = await Promise.all([
    getProperty(x, x.root, atoms._NET_SUPPORTING_WM_CHECK),
    getProperty(x, x.root, atoms._NET_CLIENT_LIST_STACKING),
    getProperty(x, x.root, atoms._NET_CLIENT_LIST),
    getProperty(x, x.root, atoms._NET_ACTIVE_WINDOW),
    queryChildren(x, x.root),
  ]);
  const managed = numbersOf(stacking ?? clients);
  // Without a window manager there is no list: then the top-level windows that are not pop-ups count.
  const isLeftOver = check !== undefined && !(await isManagerAlive(x, atoms._NET_SUPPORTING_WM_CHECK, check));
  const isManaged = !isLeftOver && (stacking !== undefined || clients !== undefined);
  const ids = isManaged ? managed : await findUnmanagedWindows(x, topLevels);
  const focusedId = isManaged ? (numbersOf(active)[0] ?? 0) : await findFocused(x, ids);
  const windows = await Promise.all(ids.reverse().map((id) => readWindow(x, atoms, id, focusedId)));
  return windows.filter((window) => window !== undefined).map((window, zOrder) => ({ ...window, zOrder }));
}

/** The positions of a process's pop-ups: menus and tooltips that are in no window list. */
export async function listPopupBounds(x: XConnection, pid: number): Promise<Bounds[]> {
  return (await findPopups(x, pid)).map(({ bounds }) => bounds);
}

/** A process's pop-ups, bottom to top. */
export async function findPopups(x: XConnection, pid: number): Promise<{ id: number; bounds: Bounds }[]> {
  const [{ _NET_WM_PID: pidAtom }, topLevels] = await Promise.all([
    internAtoms(x, ["_NET_WM_PID"]),
    queryChildren(x, x.root),
  ]);
  const found = await Promise.all(
    topLevels.map(async (id) => {
      const [attributes, owner, bounds] = await Promise.all([
        getAttributes(x, id),
        getProperty(x, id, pidAtom),
        getScreenGeometry(x, id),
      ]);
      const isPopup = attributes?.isViewable === true && attributes.isUnmanaged && numbersOf(owner)[0] === pid;
      return isPopup && bounds !== undefined ? { id, bounds } : undefined;
    }),
  );
  return found.filter((popup) => popup !== undefined);
}

/** A window's present position, as in the list; undefined if it is gone. */
export async function placeWindow(x: XConnection, id: number): Promise<Bounds | undefined> {
  const atoms = await internAtoms(x, ["_NET_FRAME_EXTENTS", "_GTK_FRAME_EXTENTS"]);
  const [content, frame, shadow] = await Promise.all([
    getScreenGeometry(x, id),
    getProperty(x, id, atoms._NET_FRAME_EXTENTS),
    getProperty(x, id, atoms._GTK_FRAME_EXTENTS),
  ]);
  return content && shrinkBy(growBy(content, marginsOf(frame)), marginsOf(shadow));
}

/** A window manager that ended may leave its lists on the root window (Openbox does); its own window is gone. */
export async function isManagerAlive(x: XConnection, atom: number, check: Property): Promise<boolean> {
  const [window] = numbersOf(check);
  return window !== undefined && numbersOf(await getProperty(x, window, atom))[0] === window;
}

/** Without a window manager the active window is the one that contains the focus. */
async function findFocused(x: XConnection, ids: readonly number[]): Promise<number> {
  let current: number | undefined = await getInputFocus(x);
  while (current !== undefined && current !== 0 && !ids.includes(current)) current = await getParent(x, current);
  return current ?? 0;
}

async function findUnmanagedWindows(x: XConnection, topLevels: readonly number[]): Promise<number[]> {
  const attributes = await Promise.all(topLevels.map((id) => getAttributes(x, id)));
  return topLevels.filter((_id, index) => attributes[index]?.isViewable === true && !attributes[index]?.isUnmanaged);
}

async function readWindow(x: XConnection, atoms: Atoms, id: number, focusedId: number): Promise<XWindow | undefined> {
  const [content, netName, name, owner, netState, frame, shadow, transientFor] = await Promise.all([
    getScreenGeometry(x, id),
    getProperty(x, id, atoms._NET_WM_NAME),
    getProperty(x, id, atoms.WM_NAME),
    readOwnerFacts(x, atoms, id),
    getProperty(x, id, atoms._NET_WM_STATE),
    getProperty(x, id, atoms._NET_FRAME_EXTENTS),
    getProperty(x, id, atoms._GTK_FRAME_EXTENTS),
    getProperty(x, id, atoms.WM_TRANSIENT_FOR),
  ]);
  if (content === undefined) return undefined;
  const shadowMargins = marginsOf(shadow);
  const bounds = shrinkBy(growBy(content, marginsOf(frame)), shadowMargins);
  return {
    id,
    ...nameApplication(owner),
    pid: owner.claimedPid,
    // xterm and other old programs set only WM_NAME, in Latin-1.
    title: cleanText(
      maskSecrets(netName?.bytes.toString("utf8") ?? name?.bytes.toString("latin1") ?? ""),
      maxTitleLength,
    ),
    class: cleanText(owner.className, maxTitleLength),
    bounds,
    isFocused: id === focusedId,
    state: readState(atoms, numbersOf(netState)),
    ownerId: numbersOf(transientFor)[0],
    monitor: "",
    zOrder: 0,
    content,
    shadow: shadowMargins,
  };
}

function readState(atoms: Atoms, present: readonly number[]): WindowState[] {
  const state: WindowState[] = [];
  if (present.includes(atoms._NET_WM_STATE_HIDDEN)) state.push("minimised");
  if (present.includes(atoms._NET_WM_STATE_MAXIMIZED_VERT) && present.includes(atoms._NET_WM_STATE_MAXIMIZED_HORZ)) {
    state.push("maximised");
  }
  if (present.includes(atoms._NET_WM_STATE_FULLSCREEN)) state.push("fullscreen");
  if (present.includes(atoms._NET_WM_STATE_MODAL)) state.push("modal");
  return state;
}

function findMonitor(bounds: Bounds, monitors: readonly Monitor[]): string {
  let best = "";
  let bestArea = 0;
  for (const monitor of monitors) {
    const shared = intersect(bounds, monitor.bounds);
    const area = shared === undefined ? 0 : shared.width * shared.height;
    if (area > bestArea) [best, bestArea] = [monitor.name, area];
  }
  return best;
}

function marginsOf(property: Property | undefined): Margins {
  const [left = 0, right = 0, top = 0, bottom = 0] = numbersOf(property);
  return property === undefined ? noMargins : { left, right, top, bottom };
}

export function growBy(bounds: Bounds, by: Margins): Bounds {
  return {
    x: bounds.x - by.left,
    y: bounds.y - by.top,
    width: bounds.width + by.left + by.right,
    height: bounds.height + by.top + by.bottom,
  };
}

export function shrinkBy(bounds: Bounds, by: Margins): Bounds {
  return growBy(bounds, { left: -by.left, right: -by.right, top: -by.top, bottom: -by.bottom });
}

export const maxTitleLength = 300;

/** A window's own claims, and what the server knows. */
export interface NameFacts {
  readonly instance: string;
  readonly className: string;
  readonly claimedPid: number;
  /** The process that really created the window. */
  readonly actualPid: number | undefined;
}

/**
 * The names of an application. A window may claim any class and pid: the program known to the server is a name too, so
 * that rules for it apply whatever the window claims.
 */
export function nameApplication({ instance, className, claimedPid, actualPid }: NameFacts): {
  readonly app: string;
  readonly aliases: readonly string[];
} {
  const claimed = readProgramNames(claimedPid);
  const actual = actualPid === undefined || actualPid === claimedPid ? [] : readProgramNames(actualPid);
  const clean = (name: string): string => cleanText(name, maxTitleLength);
  return {
    app: clean(className || instance || claimed.at(-1) || actual.at(-1) || "unknown"),
    // The last one identifies the application in the map.
    aliases: [...actual, instance, className, ...claimed].map(clean).filter((name) => name !== ""),
  };
}

export const ownerAtoms = ["WM_CLASS", "_NET_WM_PID"] as const;

/** A window's own claims about its program, and the process known to the server. */
export async function readOwnerFacts(
  x: XConnection,
  atoms: Readonly<Record<(typeof ownerAtoms)[number], number>>,
  id: number,
): Promise<NameFacts> {
  const [classes, claimed, actualPid] = await Promise.all([
    getProperty(x, id, atoms.WM_CLASS),
    getProperty(x, id, atoms._NET_WM_PID),
    findClientPid(x, id),
  ]);
  const [instance = "", className = ""] = (classes?.bytes.toString("utf8") ?? "").split("\0");
  return { instance, className, claimedPid: numbersOf(claimed)[0] ?? 0, actualPid };
}
