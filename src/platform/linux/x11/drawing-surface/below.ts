import { containsPoint, type Point } from "../../../../model/bounds.ts";
import type { XConnection } from "../connection.ts";
import { getOuterGeometry } from "../requests.ts";
import { listMapped } from "../top-levels.ts";
import { listShape, separateOwnSurface, shapeKind } from "./recognise.ts";

/** The window a click at a point would reach without the pick. */
export async function findBelow(x: XConnection, point: Point): Promise<number | undefined> {
  const { others } = await separateOwnSurface(x, await listMapped(x));
  for (const { id } of others.toReversed()) if (await takesPointer(x, id, point)) return id;
  return undefined;
}

async function takesPointer(x: XConnection, id: number, point: Point): Promise<boolean> {
  const place = await getOuterGeometry(x, id);
  if (place === undefined || !containsPoint(place, point)) return false;
  const inside = { x: point.x - place.x - place.border, y: point.y - place.y - place.border };
  const opcode = (await x.findExtension("SHAPE"))?.opcode;
  if (opcode === undefined) return true;
  const shapes = await Promise.all(Object.values(shapeKind).map((kind) => listShape(x, opcode, id, kind)));
  return shapes.every((places) => places.some((one) => containsPoint(one, inside)));
}
