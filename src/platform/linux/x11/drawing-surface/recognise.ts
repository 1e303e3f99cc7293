import type { Bounds } from "../../../../model/bounds.ts";
import { findClientPid } from "../client-pid.ts";
import type { XConnection } from "../connection.ts";
import { getSelectionOwner, internAtoms } from "../requests.ts";
import type { TopLevel } from "../top-levels.ts";

/** The process that draws over a display owns this selection with an unmapped window. */
export const surfaceSelection = "_DESKMAP_SHEET";

/** What a Deskmap process draws over the screen. */
export interface OwnSurface {
  /** Its X client: the prefix of all its resource ids, which nothing else can have. */
  readonly program: number;
  /** When it started, wall-clock time. */
  readonly sinceMs: number;
}

/**
 * Finds our surface on a display. Anyone can own the selection and claim anything; only a client that the server knows
 * to be the process recorded by this user (record.ts) is trusted.
 */
export async function findOwnSurface(x: XConnection): Promise<OwnSurface | undefined> {
  const owner = await getSelectionOwner(x, await findAtom(x));
  if (owner === 0) return undefined;
  const [pid, { readRecord, isSameProcess }] = await Promise.all([findClientPid(x, owner), import("./record.ts")]);
  if (pid === undefined) return undefined;
  const record = readRecord(x.env);
  if (record === undefined || !isSameProcess(record, pid)) return undefined;
  return { program: programOf(x, owner), sinceMs: record.sinceMs };
}

const atoms = new WeakMap<XConnection, Promise<number>>();

/** Every picture asks for it: cached per connection. */
function findAtom(x: XConnection): Promise<number> {
  const atom = atoms.get(x) ?? internAtoms(x, [surfaceSelection]).then((found) => found[surfaceSelection]);
  atoms.set(x, atom);
  return atom;
}

export function programOf(x: XConnection, id: number): number {
  return (id & ~x.server.idMask) >>> 0;
}

/** The root's children, separated. */
export interface Apart {
  readonly others: TopLevel[];
  /** The surface's visible windows; the pointer passes through them. */
  readonly shown: TopLevel[];
  /** The invisible windows that receive the pointer during a pick. */
  readonly picking: TopLevel[];
}

/** Separates the surface's windows: only those that cover nothing or show nothing qualify. */
export async function separateOwnSurface(x: XConnection, windows: readonly TopLevel[]): Promise<Apart> {
  const surface = await findOwnSurface(x);
  const own = surface === undefined ? [] : windows.filter(({ id }) => programOf(x, id) === surface.program);
  if (own.length === 0) return { others: [...windows], shown: [], picking: [] };
  const isThrough = await Promise.all(own.map(({ id }) => letsThrough(x, id)));
  const picking = own.filter(({ attributes }, index) => attributes.isInvisible && isThrough[index] === false);
  const shown = own.filter(({ attributes }, index) => !attributes.isInvisible && isThrough[index] === true);
  return { others: windows.filter((one) => !picking.includes(one) && !shown.includes(one)), shown, picking };
}

const shapeGetRectangles = 8;
export const shapeKind = { bounding: 0, input: 2 };

/** Whether the pointer passes through a window. */
async function letsThrough(x: XConnection, window: number): Promise<boolean> {
  const extension = await x.findExtension("SHAPE");
  if (extension === undefined) return false;
  return (await listShape(x, extension.opcode, window, shapeKind.input)).length === 0;
}

/** A window's bounding or input shape, in its own coordinates; empty if it is gone. */
export async function listShape(x: XConnection, opcode: number, window: number, kind: number): Promise<Bounds[]> {
  const bytes = Buffer.alloc(12);
  bytes[0] = opcode;
  bytes[1] = shapeGetRectangles;
  bytes.writeUInt32LE(window, 4);
  bytes[8] = kind;
  const reply = await x.request(bytes).catch(() => undefined);
  const places: Bounds[] = [];
  for (let at = 32; reply !== undefined && at + 8 <= reply.length; at += 8) {
    const [left, top] = [reply.readInt16LE(at), reply.readInt16LE(at + 2)];
    places.push({ x: left, y: top, width: reply.readUInt16LE(at + 4), height: reply.readUInt16LE(at + 6) });
  }
  return places;
}
