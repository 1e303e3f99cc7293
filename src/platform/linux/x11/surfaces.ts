import { type Bounds, intersect } from "../../../model/bounds.ts";
import { cleanText } from "../../../model/plain-text.ts";
import type { Popup } from "../../../model/window.ts";
import type { ScreenSurface } from "../../port.ts";
import { numbersOf, type XConnection } from "./connection.ts";
import { separateOwnSurface } from "./drawing-surface/recognise.ts";
import { isKeyboardGrabbed } from "./keyboard-grab.ts";
import { findShell } from "./shell.ts";
import { listMapped, type TopLevel } from "./top-levels.ts";
import { findTopLevel } from "./window-at.ts";
import { maxTitleLength, nameApplication, ownerAtoms, readOwnerFacts, type XWindow } from "./windows.ts";

/** Drop-down lists are not included: choosing there only selects. */
const menuTypes = [
  "_NET_WM_WINDOW_TYPE_POPUP_MENU",
  "_NET_WM_WINDOW_TYPE_DROPDOWN_MENU",
  "_NET_WM_WINDOW_TYPE_MENU",
] as const;
/** Surfaces that only show something. */
const silentTypes = ["_NET_WM_WINDOW_TYPE_TOOLTIP", "_NET_WM_WINDOW_TYPE_NOTIFICATION"] as const;
const atomNames = [
  ...ownerAtoms,
  "WM_NAME",
  "_NET_CLIENT_LIST",
  "_NET_WM_WINDOW_TYPE",
  ...menuTypes,
  ...silentTypes,
  "_NET_WM_OPAQUE_REGION",
  "_NET_WM_WINDOW_OPACITY",
] as const;
type Atoms = Readonly<Record<(typeof atomNames)[number], number>>;
const wholeOpacity = 0xffffffff;

interface Display {
  readonly x: XConnection;
  readonly atoms: Atoms;
  /** Only a compositor makes windows translucent. */
  readonly isComposited: boolean;
}

/** Everything mapped on the screen, front to back: windows, and surfaces that are in no window list. */
export async function listXSurfaces(x: XConnection, windows: readonly XWindow[]): Promise<ScreenSurface[]> {
  const atoms = await x.internAtoms(atomNames);
  const [mapped, tops, isComposited, shell] = await Promise.all([
    listMapped(x),
    Promise.all(windows.map(({ id }) => findTopLevel(x, id))),
    x.hasCompositor(),
    findShell(x),
  ]);
  const display = { x, atoms, isComposited };
  const byTop = new Map(windows.map((window, index) => [tops[index] ?? window.id, window]));
  const { others } = await separateOwnSurface(x, mapped);
  const surfaces = await Promise.all(others.map((top) => readSurface(display, top, byTop.get(top.id))));
  const front = windows.filter(({ id }) => id === shell?.id);
  const shown = front.map((window) => ({
    ...window,
    ...toOwner(window),
    windowId: window.id,
    drawn: window.content,
    opaque: shell?.areas ?? [],
  }));
  return [...shown, ...surfaces.filter((surface) => surface !== undefined).reverse()];
}

async function readSurface(
  display: Display,
  { id, attributes }: TopLevel,
  window: XWindow | undefined,
): Promise<ScreenSurface | undefined> {
  const geometry = attributes.isInvisible ? undefined : await display.x.getOuterGeometry(id);
  if (geometry === undefined) return undefined;
  const { x: left, y: top, width, height } = geometry;
  const bounds = window?.bounds ?? { x: left, y: top, width, height };
  const owner = window === undefined ? await findOwner(display, id) : toOwner(window);
  // A surface without owner, such as a compositor's canvas, hides nothing.
  const opaque = owner === undefined ? [] : await findOpaque(display, id, attributes.visual, window, bounds);
  // The content of a window that draws its own frame includes the shadow.
  const drawn = (window && intersect(window.content, bounds)) ?? bounds;
  return { id, bounds, drawn, windowId: window?.id, pid: owner?.pid ?? 0, names: owner?.names ?? [], opaque };
}

interface Owner {
  readonly pid: number;
  readonly names: readonly string[];
}

function toOwner({ app, aliases, class: className, pid }: Pick<XWindow, "app" | "aliases" | "class" | "pid">): Owner {
  return { pid, names: [app, ...aliases, className].filter((name) => name !== "") };
}

/** A surface without properties and without a known process has no owner. */
async function findOwner({ x, atoms }: Display, id: number): Promise<Owner | undefined> {
  const owner = await readOwner(x, atoms, id);
  return owner.pid === 0 && owner.isNameless ? undefined : toOwner(owner);
}

async function readOwner(x: XConnection, atoms: Atoms, id: number) {
  const facts = await readOwnerFacts(x, atoms, id);
  const isNameless = facts.instance === "" && facts.className === "";
  const pid = facts.actualPid ?? facts.claimedPid;
  return { ...nameApplication(facts), class: cleanText(facts.className, maxTitleLength), pid, isNameless };
}

async function findOpaque(
  { x, atoms, isComposited }: Display,
  id: number,
  visual: number,
  window: XWindow | undefined,
  bounds: Bounds,
): Promise<readonly Bounds[]> {
  const own = window?.id ?? id;
  const [isShaped, region, opacity, frameOpacity, inner] = await Promise.all([
    x.hasShape(id),
    x.getProperty(own, atoms._NET_WM_OPAQUE_REGION),
    x.getProperty(own, atoms._NET_WM_WINDOW_OPACITY),
    x.getProperty(id, atoms._NET_WM_WINDOW_OPACITY),
    x.getAttributes(own),
  ]);
  // A frame with rounded corners: the application's content is complete.
  const solid = isShaped ? (window === undefined ? [] : [window.content]) : [bounds];
  if (!isComposited) return solid;
  const isFaint = [opacity, frameOpacity].some((one) => (numbersOf(one)[0] ?? wholeOpacity) < wholeOpacity);
  if (isFaint) return [];
  const hasAlpha = [visual, inner?.visual].some((one) => x.server.visuals.get(one ?? 0)?.depth === 32);
  return hasAlpha ? readRegion(numbersOf(region), window?.content ?? bounds) : solid;
}

/** Rectangles inside the window (EWMH, _NET_WM_OPAQUE_REGION). */
function readRegion(numbers: readonly number[], { x: left, y: top }: Bounds): Bounds[] {
  const rectangles: Bounds[] = [];
  for (let at = 0; at + 3 < numbers.length; at += 4) {
    const [x = 0, y = 0, width = 0, height = 0] = numbers.slice(at, at + 4);
    rectangles.push({ x: left + x, y: top + y, width, height });
  }
  return rectangles;
}

/**
 * Surfaces on the screen that are in no window list, front to back: menus, tooltips, lock screens, window manager
 * frames. They are placed without a window manager, and most describe themselves poorly.
 */
export async function listPopups(x: XConnection): Promise<Popup[]> {
  const [atoms, mapped, isGrabbed] = await Promise.all([x.internAtoms(atomNames), listMapped(x), isKeyboardGrabbed(x)]);
  const { others, picking } = await separateOwnSurface(x, mapped);
  // The surface that grabs pointer and keyboard during a pick covers everything, as an open menu does.
  const isPicking = ({ id }: TopLevel): boolean => picking.some((one) => one.id === id);
  const counted = mapped.filter((one) => isPicking(one) || (others.includes(one) && one.attributes.isUnmanaged));
  const found = await Promise.all(counted.reverse().map((one) => readPopup(x, atoms, one.id, isPicking(one))));
  const popups = found.filter((popup) => popup !== undefined);
  const grabber = isGrabbed ? await findGrabber(x, atoms, popups) : undefined;
  return popups.map(({ types: _, ...popup }, zOrder) => ({ ...popup, zOrder, hasGrab: popup.id === grabber }));
}

type TypedPopup = Popup & { readonly types: readonly number[] };

/**
 * The server does not tell who has grabbed the keyboard. A menu or a launcher is the front surface while it has it, apart
 * from frames of windows and from what only shows something.
 */
async function findGrabber(x: XConnection, atoms: Atoms, popups: readonly TypedPopup[]): Promise<number | undefined> {
  const clients = numbersOf(await x.getProperty(x.root, atoms._NET_CLIENT_LIST));
  const frames = new Set(await Promise.all(clients.map((id) => findTopLevel(x, id))));
  const isSilent = ({ types }: TypedPopup): boolean => silentTypes.some((one) => types.includes(atoms[one]));
  return popups.find((popup) => !frames.has(popup.id) && !isSilent(popup))?.id;
}

async function readPopup(
  x: XConnection,
  atoms: Atoms,
  id: number,
  isPicking: boolean,
): Promise<TypedPopup | undefined> {
  const [bounds, { isNameless: _, ...owner }, name, type] = await Promise.all([
    x.getScreenGeometry(id),
    readOwner(x, atoms, id),
    x.getProperty(id, atoms.WM_NAME),
    x.getProperty(id, atoms._NET_WM_WINDOW_TYPE),
  ]);
  if (bounds === undefined) return undefined;
  const types = numbersOf(type);
  return {
    id,
    ...owner,
    title: cleanText(name?.bytes.toString("latin1") ?? "", maxTitleLength),
    bounds,
    isFocused: false,
    state: [],
    monitor: "",
    zOrder: 0,
    isMenu: isPicking || menuTypes.some((one) => types.includes(atoms[one])),
    types,
  };
}
