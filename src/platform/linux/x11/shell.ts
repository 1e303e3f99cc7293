import { type Bounds, containsBounds } from "../../../model/bounds.ts";
import { shapeKind, unlessGone, type XConnection } from "./connection.ts";
import { encodeRequest } from "./wire.ts";

const [getOverlayWindow, releaseOverlayWindow] = [7, 8];
const shapeSelectInput = 6;

/** What a window manager draws and takes the pointer on, in a window that no list and no tree of windows contains. */
export interface Shell {
  readonly id: number;
  /** Where it takes the pointer. */
  readonly areas: readonly Bounds[];
  /** While one of its menus or dialogs is open, it takes the pointer everywhere and every key. */
  readonly isModal: boolean;
}

/**
 * Cinnamon (and GNOME Shell) draw their panels into the overlay window of COMPOSITE. Other compositors have one too, but
 * let the pointer through everywhere.
 */
export async function findShell(x: XConnection): Promise<Shell | undefined> {
  const [shape, overlay] = [(await x.findExtension("SHAPE"))?.opcode, await findOverlay(x)];
  if (shape === undefined || overlay === undefined) return undefined;
  const [areas, [id], whole] = await Promise.all([
    x.listShape(shape, overlay, shapeKind.input),
    x.queryChildren(overlay),
    x.getScreenGeometry(overlay),
  ]);
  if (id === undefined || areas.length === 0 || whole === undefined) return undefined;
  return { id, areas, isModal: areas.some((area) => containsBounds(area, whole)) };
}

/** The server keeps its id as long as it runs. */
const overlays = new WeakMap<XConnection, number>();

/** Only under a compositor: the request would create it. */
async function findOverlay(x: XConnection): Promise<number | undefined> {
  const known = overlays.get(x);
  if (known !== undefined) return known;
  const [composite, shape] = [await x.findExtension("Composite"), await x.findExtension("SHAPE")];
  if (composite === undefined || shape === undefined || !(await x.hasCompositor())) return undefined;
  const [reply] = await Promise.all([
    x.request(encodeRequest(composite.opcode, getOverlayWindow, [x.root])),
    x.send(encodeRequest(composite.opcode, releaseOverlayWindow, [x.root])),
  ]);
  const overlay = reply.readUInt32LE(8);
  overlays.set(x, overlay);
  // Connections that follow the window list hear of its menus by their ShapeNotify.
  await unlessGone(x.send(encodeRequest(shape.opcode, shapeSelectInput, [overlay, 1])));
  return overlay;
}
