import { type Bounds, intersect } from "../../../model/bounds.ts";
import { cleanText } from "../../../model/plain-text.ts";
import { maskSecrets } from "../../../model/secrets-in-text.ts";
import type { Monitor, Window, WindowState } from "../../../model/window.ts";
import { readProgramNames } from "../program-names.ts";
import { numbersOf, type Property, type XConnection } from "./connection.ts";
import { findShell } from "./shell.ts";

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
  "_NET_WM_WINDOW_TYPE",
  "_NET_WM_WINDOW_TYPE_DOCK",
  "_NET_WM_WINDOW_TYPE_DIALOG",
  "_NET_WM_WINDOW_TYPE_NOTIFICATION",
  "_NET_WM_WINDOW_TYPE_NORMAL",
  "_KDE_NET_WM_WINDOW_TYPE_OVERRIDE",
] as const;
type Atoms = Record<(typeof atomNames)[number], number>;

export interface XWindow extends Window {
  /** The application's part: without the window manager's frame, with its own shadow. */
  readonly content: Bounds;
  /** The width of that shadow: left, right, top, bottom. */
  readonly shadow: Margins;
  readonly isDock?: boolean | undefined;
}

interface Margins {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const noMargins: Margins = { left: 0, right: 0, top: 0, bottom: 0 };

async function listMonitors(x: XConnection): Promise<Monitor[]> {
  const monitors = await x.getMonitors();
  const names = await Promise.all(monitors.map((monitor) => x.getAtomName(monitor.nameAtom)));
  return monitors.map(({ x: left, y, width, height, isPrimary }, index) => ({
    name: names[index] ?? "",
    bounds: { x: left, y, width, height },
    isPrimary,
  }));
}

const maxHelperPx = 8;

/** The panel of XFCE keeps one far off the screen. What a person has moved away is larger, and no panel. */
function isHelper({ bounds: { width, height }, monitor, isDock }: XWindow): boolean {
  return monitor === "" && (isDock === true || (width <= maxHelperPx && height <= maxHelperPx));
}

/** All windows a person can switch to, front to back, and the monitors. */
export async function listXWindows(x: XConnection): Promise<{ windows: XWindow[]; monitors: Monitor[] }> {
  const [monitors, placed] = await Promise.all([listMonitors(x), listPlaced(x)]);
  const windows = placed
    .map((window) => ({ ...window, monitor: findMonitor(window.bounds, monitors) }))
    .filter((window) => !isHelper(window))
    .map((window, zOrder) => ({ ...window, zOrder }));
  return { monitors, windows };
}

async function listPlaced(x: XConnection): Promise<XWindow[]> {
  const atoms = await x.internAtoms(atomNames);
  const [check, stacking, clients, active, topLevels, shell] = await Promise.all([
    x.getProperty(x.root, atoms._NET_SUPPORTING_WM_CHECK),
    x.getProperty(x.root, atoms._NET_CLIENT_LIST_STACKING),
    x.getProperty(x.root, atoms._NET_CLIENT_LIST),
    x.getProperty(x.root, atoms._NET_ACTIVE_WINDOW),
    x.queryChildren(x.root),
    findShell(x),
  ]);
  const managed = numbersOf(stacking ?? clients);
  // Without a window manager there is no list: then the top-level windows that are not pop-ups count.
  const isLeftOver = check !== undefined && !(await isManagerAlive(x, atoms._NET_SUPPORTING_WM_CHECK, check));
  const isManaged = !isLeftOver && (stacking !== undefined || clients !== undefined);
  const ids = isManaged ? managed : await findUnmanagedWindows(x, topLevels);
  const focusedId = isManaged ? (numbersOf(active)[0] ?? 0) : await findFocused(x, ids);
  const windows = await Promise.all(ids.reverse().map((id) => readWindow(x, atoms, id, focusedId)));
  const listed = windows.filter((window) => window !== undefined);
  if (!isManaged) return listed;
  const [front, unlisted] = await Promise.all([
    shell && readWindow(x, atoms, shell.id, shell.isModal ? shell.id : 0),
    listUnlisted(x, atoms, topLevels, listed),
  ]);
  const others = shell?.isModal === true ? listed.map((window) => ({ ...window, isFocused: false })) : listed;
  return [...(front === undefined ? [] : [{ ...front, isDock: true }]), ...unlisted, ...others];
}

/**
 * Dialogs and notifications that bypass the window manager, such as XFCE's log-out dialog. Those of a program with
 * listed windows are read as its pop-ups.
 */
async function listUnlisted(
  x: XConnection,
  atoms: Atoms,
  topLevels: readonly number[],
  listed: readonly XWindow[],
): Promise<XWindow[]> {
  const ids = topLevels.filter((id) => listed.every((window) => window.id !== id));
  const [attributes, types] = await Promise.all([
    Promise.all(ids.map((id) => x.getAttributes(id))),
    Promise.all(ids.map((id) => x.getProperty(id, atoms._NET_WM_WINDOW_TYPE))),
  ]);
  const wanted = [
    atoms._NET_WM_WINDOW_TYPE_DIALOG,
    atoms._NET_WM_WINDOW_TYPE_NOTIFICATION,
    atoms._NET_WM_WINDOW_TYPE_NORMAL,
  ];
  const isWanted = (_id: number, index: number): boolean => {
    const one = attributes[index];
    const isUnlisted = one?.isViewable === true && one.isUnmanaged;
    // The first is meant; Qt adds "normal" for window managers that do not know the others, such as a menu's.
    const [type] = numbersOf(types[index]).filter((atom) => atom !== atoms._KDE_NET_WM_WINDOW_TYPE_OVERRIDE);
    return isUnlisted && type !== undefined && wanted.includes(type);
  };
  const found = await Promise.all(
    ids
      .filter(isWanted)
      .reverse()
      .map((id) => readWindow(x, atoms, id, 0)),
  );
  const pids = new Set([0, ...listed.map(({ pid }) => pid)]);
  return found.filter((window) => window !== undefined).filter(({ pid }) => !pids.has(pid));
}

/** The positions of a process's pop-ups: menus and tooltips that are in no window list. */
export async function listPopupBounds(x: XConnection, pid: number): Promise<Bounds[]> {
  return (await findPopups(x, pid)).map(({ bounds }) => bounds);
}

/** A process's pop-ups, bottom to top. */
export async function findPopups(x: XConnection, pid: number): Promise<{ id: number; bounds: Bounds }[]> {
  const [{ _NET_WM_PID: pidAtom }, topLevels] = await Promise.all([
    x.internAtoms(["_NET_WM_PID"]),
    x.queryChildren(x.root),
  ]);
  const found = await Promise.all(
    topLevels.map(async (id) => {
      const [attributes, owner, bounds] = await Promise.all([
        x.getAttributes(id),
        x.getProperty(id, pidAtom),
        x.getScreenGeometry(id),
      ]);
      const isPopup = attributes?.isViewable === true && attributes.isUnmanaged && numbersOf(owner)[0] === pid;
      return isPopup && bounds !== undefined ? { id, bounds } : undefined;
    }),
  );
  return found.filter((popup) => popup !== undefined);
}

/** A window's present position, as in the list; undefined if it is gone. */
export async function placeWindow(x: XConnection, id: number): Promise<Bounds | undefined> {
  const atoms = await x.internAtoms(["_NET_FRAME_EXTENTS", "_GTK_FRAME_EXTENTS"]);
  const [content, frame, shadow] = await Promise.all([
    x.getScreenGeometry(id),
    x.getProperty(id, atoms._NET_FRAME_EXTENTS),
    x.getProperty(id, atoms._GTK_FRAME_EXTENTS),
  ]);
  return content && shrinkBy(growBy(content, marginsOf(frame)), marginsOf(shadow));
}

/** A window manager that ended may leave its lists on the root window (Openbox does); its own window is gone. */
export async function isManagerAlive(x: XConnection, atom: number, check: Property): Promise<boolean> {
  const [window] = numbersOf(check);
  return window !== undefined && numbersOf(await x.getProperty(window, atom))[0] === window;
}

/** Without a window manager the active window is the one that contains the focus. */
async function findFocused(x: XConnection, ids: readonly number[]): Promise<number> {
  for await (const one of x.listAround(await x.getInputFocus())) if (ids.includes(one)) return one;
  return 0;
}

async function findUnmanagedWindows(x: XConnection, topLevels: readonly number[]): Promise<number[]> {
  const attributes = await Promise.all(topLevels.map((id) => x.getAttributes(id)));
  return topLevels.filter((_id, index) => attributes[index]?.isViewable === true && !attributes[index]?.isUnmanaged);
}

async function readWindow(x: XConnection, atoms: Atoms, id: number, focusedId: number): Promise<XWindow | undefined> {
  const [content, netName, name, owner, netState, frame, shadow, transientFor, types] = await Promise.all([
    x.getScreenGeometry(id),
    x.getProperty(id, atoms._NET_WM_NAME),
    x.getProperty(id, atoms.WM_NAME),
    readOwnerFacts(x, atoms, id),
    x.getProperty(id, atoms._NET_WM_STATE),
    x.getProperty(id, atoms._NET_FRAME_EXTENTS),
    x.getProperty(id, atoms._GTK_FRAME_EXTENTS),
    x.getProperty(id, atoms.WM_TRANSIENT_FOR),
    x.getProperty(id, atoms._NET_WM_WINDOW_TYPE),
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
    isDock: numbersOf(types).includes(atoms._NET_WM_WINDOW_TYPE_DOCK),
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
    x.getProperty(id, atoms.WM_CLASS),
    x.getProperty(id, atoms._NET_WM_PID),
    x.findClientPid(id),
  ]);
  const [instance = "", className = ""] = (classes?.bytes.toString("utf8") ?? "").split("\0");
  return { instance, className, claimedPid: numbersOf(claimed)[0] ?? 0, actualPid };
}
