import { containsPoint, type Point } from "../../../model/bounds.ts";
import { numbersOf, shapeKind, type XConnection } from "./connection.ts";
import { findOwnSurface, separateOwnSurface } from "./drawing-surface/recognise.ts";
import { listMapped } from "./top-levels.ts";
import type { XWindow } from "./windows.ts";

/** The window shown at a point; a pop-up counts as its application's front window. */
export async function findXWindowAt(
  x: XConnection,
  windows: readonly XWindow[],
  point: Point,
): Promise<XWindow | undefined> {
  const top = await findTopAt(x, point);
  if (top === undefined) return undefined;
  const chain = [top, ...(await x.listUnder(top, point))];
  const hit = windows.find((window) => chain.includes(window.id));
  if (hit !== undefined) return hit;
  return (await findFramed(x, windows, top)) ?? findOwner(x, windows, top);
}

/**
 * The child of the root at a point. The pointer passes through our surface, so the server skips it; the window of a
 * pick is skipped here.
 */
async function findTopAt(x: XConnection, point: Point): Promise<number | undefined> {
  const top = await x.getChildAt(x.root, point);
  if (top === undefined || (await findOwnSurface(x))?.client !== x.clientOf(top)) return top;
  return findBelow(x, point);
}

async function findFramed(x: XConnection, windows: readonly XWindow[], frame: number): Promise<XWindow | undefined> {
  const tops = await Promise.all(windows.map((window) => findTopLevel(x, window.id)));
  return windows.find((_window, index) => tops[index] === frame);
}

/** The window itself or the frame around it: the child of the root. */
export async function findTopLevel(x: XConnection, window: number): Promise<number> {
  let top = window;
  for await (const one of x.listAround(window)) top = one;
  return top;
}

async function findOwner(x: XConnection, windows: readonly XWindow[], popup: number): Promise<XWindow | undefined> {
  const atoms = await x.internAtoms(["_NET_WM_PID", "WM_TRANSIENT_FOR"]);
  const [pid, master] = await Promise.all([
    x.getProperty(popup, atoms._NET_WM_PID),
    x.getProperty(popup, atoms.WM_TRANSIENT_FOR),
  ]);
  const [masterId] = numbersOf(master);
  const [processId] = numbersOf(pid);
  return (
    windows.find((window) => window.id === masterId) ??
    windows.find((window) => window.pid === processId && window.pid !== 0)
  );
}

/** The window a click at a point would reach without the pick. */
async function findBelow(x: XConnection, point: Point): Promise<number | undefined> {
  const { others } = await separateOwnSurface(x, await listMapped(x));
  for (const { id } of others.toReversed()) if (await takesPointer(x, id, point)) return id;
  return undefined;
}

async function takesPointer(x: XConnection, id: number, point: Point): Promise<boolean> {
  const place = await x.getOuterGeometry(id);
  if (place === undefined || !containsPoint(place, point)) return false;
  const inside = { x: point.x - place.x - place.border, y: point.y - place.y - place.border };
  const opcode = (await x.findExtension("SHAPE"))?.opcode;
  if (opcode === undefined) return true;
  const shapes = await Promise.all(Object.values(shapeKind).map((kind) => x.listShape(opcode, id, kind)));
  return shapes.every((places) => places.some((one) => containsPoint(one, inside)));
}
