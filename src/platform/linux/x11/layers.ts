import type { Bounds } from "../../../model/bounds.ts";
import type { Layer } from "../../port.ts";
import type { XConnection } from "./connection.ts";
import { getAttributes, getOuterGeometry, getProperty, getSelectionOwner, internAtoms } from "./requests.ts";
import { setSheetApart } from "./sheet/recognise.ts";
import { listMapped, numbersOf, ownerAtoms, readOwnerFacts, type TopLevel } from "./top-levels.ts";
import { findTopLevel } from "./window-at.ts";
import { nameApplication } from "./window-names.ts";
import type { XWindow } from "./windows.ts";

const atomNames = [...ownerAtoms, "_NET_WM_OPAQUE_REGION", "_NET_WM_WINDOW_OPACITY", "_NET_WM_CM_S0"] as const;
type Atoms = Readonly<Record<(typeof atomNames)[number], number>>;
const wholeOpacity = 0xffffffff;
const shapeQueryExtents = 5;

interface Display {
  readonly x: XConnection;
  readonly atoms: Atoms;
  /** Only a compositor makes windows translucent. */
  readonly isComposited: boolean;
}

/** Everything mapped on the screen, front to back: windows, and surfaces that are in no window list. */
export async function listXLayers(x: XConnection, windows: readonly XWindow[]): Promise<Layer[]> {
  const atoms = await internAtoms(x, atomNames);
  const [mapped, tops, compositor] = await Promise.all([
    listMapped(x),
    Promise.all(windows.map(({ id }) => findTopLevel(x, id))),
    getSelectionOwner(x, atoms._NET_WM_CM_S0),
  ]);
  const display = { x, atoms, isComposited: compositor !== 0 };
  const byTop = new Map(windows.map((window, index) => [tops[index] ?? window.id, window]));
  const { others } = await setSheetApart(x, mapped);
  const layers = await Promise.all(others.map((top) => readLayer(display, top, byTop.get(top.id))));
  return layers.filter((layer) => layer !== undefined).reverse();
}

async function readLayer(
  display: Display,
  { id, attributes }: TopLevel,
  window: XWindow | undefined,
): Promise<Layer | undefined> {
  const geometry = attributes.isInvisible ? undefined : await getOuterGeometry(display.x, id);
  if (geometry === undefined) return undefined;
  const { x: left, y: top, width, height } = geometry;
  const bounds = window?.bounds ?? { x: left, y: top, width, height };
  const owner = window === undefined ? await findOwner(display, id) : nameWindow(window);
  // A surface without owner, such as a compositor's canvas, hides nothing.
  const opaque = owner === undefined ? [] : await findOpaque(display, id, attributes.visual, window, bounds);
  return { id, bounds, windowId: window?.id, pid: owner?.pid ?? 0, names: owner?.names ?? [], opaque };
}

interface Owner {
  readonly pid: number;
  readonly names: readonly string[];
}

function nameWindow({ app, aliases, class: className, pid }: XWindow): Owner {
  return { pid, names: [app, ...aliases, className].filter((name) => name !== "") };
}

/** A surface without properties and without a known process has no owner. */
async function findOwner({ x, atoms }: Display, id: number): Promise<Owner | undefined> {
  const facts = await readOwnerFacts(x, atoms, id);
  const pid = facts.knownPid ?? facts.saidPid;
  if (pid === 0 && facts.instance === "" && facts.className === "") return undefined;
  const { app, aliases } = nameApplication(facts);
  return { pid, names: [app, ...aliases] };
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
    hasShape(x, id),
    getProperty(x, own, atoms._NET_WM_OPAQUE_REGION),
    getProperty(x, own, atoms._NET_WM_WINDOW_OPACITY),
    getProperty(x, id, atoms._NET_WM_WINDOW_OPACITY),
    getAttributes(x, own),
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

async function hasShape(x: XConnection, id: number): Promise<boolean> {
  const extension = await x.findExtension("SHAPE");
  if (extension === undefined) return false;
  const bytes = Buffer.alloc(8);
  bytes[0] = extension.opcode;
  bytes[1] = shapeQueryExtents;
  bytes.writeUInt32LE(id, 4);
  // A window that is gone covers nothing.
  const reply = await x.request(bytes).catch(() => undefined);
  return reply === undefined || reply[8] === 1;
}
