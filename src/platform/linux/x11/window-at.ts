import type { Point } from "../../../model/bounds.ts";
import type { XConnection } from "./connection.ts";
import { findOwnSurface, programOf } from "./drawing-surface/recognise.ts";
import { getChildAt, getParent, getProperty, internAtoms, readUint32s } from "./requests.ts";
import type { XWindow } from "./windows.ts";

/** Windows nest: a frame, the application's window, and its inner windows. Nothing goes deeper than this. */
const maxLevels = 24;

/** The window shown at a point; a pop-up counts as its application's front window. */
export async function findXWindowAt(
  x: XConnection,
  windows: readonly XWindow[],
  point: Point,
): Promise<XWindow | undefined> {
  const top = await findTopAt(x, point);
  if (top === undefined) return undefined;
  const chain = [top];
  while (chain.length < maxLevels) {
    const next = await getChildAt(x, chain[chain.length - 1] ?? top, point);
    if (next === undefined) break;
    chain.push(next);
  }
  const hit = windows.find((window) => chain.includes(window.id));
  if (hit !== undefined) return hit;
  return (await findFramed(x, windows, top)) ?? findOwner(x, windows, top);
}

/**
 * The child of the root at a point. The pointer passes through our surface, so the server skips it; the window of a
 * pick is skipped here.
 */
async function findTopAt(x: XConnection, point: Point): Promise<number | undefined> {
  const top = await getChildAt(x, x.root, point);
  if (top === undefined || (await findOwnSurface(x))?.program !== programOf(x, top)) return top;
  const { findBelow } = await import("./drawing-surface/below.ts");
  return findBelow(x, point);
}

/** The window inside a frame. */
async function findFramed(x: XConnection, windows: readonly XWindow[], frame: number): Promise<XWindow | undefined> {
  const tops = await Promise.all(windows.map((window) => findTopLevel(x, window.id)));
  return windows.find((_window, index) => tops[index] === frame);
}

/** The window itself or the frame around it: the child of the root. */
export async function findTopLevel(x: XConnection, window: number): Promise<number> {
  let current = window;
  for (let level = 0; level < maxLevels; level += 1) {
    const parent = await getParent(x, current);
    if (parent === undefined || parent === x.root) return current;
    current = parent;
  }
  return current;
}

async function findOwner(x: XConnection, windows: readonly XWindow[], popup: number): Promise<XWindow | undefined> {
  const atoms = await internAtoms(x, ["_NET_WM_PID", "WM_TRANSIENT_FOR"]);
  const [pid, master] = await Promise.all([
    getProperty(x, popup, atoms._NET_WM_PID),
    getProperty(x, popup, atoms.WM_TRANSIENT_FOR),
  ]);
  const masterId = master?.format === 32 ? readUint32s(master.bytes)[0] : undefined;
  const processId = pid?.format === 32 ? readUint32s(pid.bytes)[0] : undefined;
  return (
    windows.find((window) => window.id === masterId) ??
    windows.find((window) => window.pid === processId && window.pid !== 0)
  );
}
