import { shapeKind, type XConnection } from "../connection.ts";
import type { TopLevel } from "../top-levels.ts";

/** The process that draws over a display owns this selection with an unmapped window. */
export const surfaceSelection = "_DESKMAP_SURFACE";

/** What a Deskmap process draws over the screen. */
export interface OwnSurface {
  /** Its X client: no other process has resources with this prefix. */
  readonly client: number;
  /** When it started, wall-clock time. */
  readonly sinceMs: number;
}

/**
 * Finds our surface on a display. Anyone can own the selection and claim anything; only a client that the server knows
 * to be the process recorded by this user (record.ts) is trusted.
 */
export async function findOwnSurface(x: XConnection): Promise<OwnSurface | undefined> {
  const owner = await x.getSelectionOwner(await findAtom(x));
  if (owner === 0) return undefined;
  const [pid, { readRecord, isSameProcess }] = await Promise.all([x.findClientPid(owner), import("./record.ts")]);
  if (pid === undefined) return undefined;
  const record = readRecord(x.env);
  if (record === undefined || !isSameProcess(record, pid)) return undefined;
  return { client: x.clientOf(owner), sinceMs: record.sinceMs };
}

const atoms = new WeakMap<XConnection, Promise<number>>();

/** Every picture asks for it: cached per connection. */
function findAtom(x: XConnection): Promise<number> {
  const atom = atoms.get(x) ?? x.internAtoms([surfaceSelection]).then((found) => found[surfaceSelection]);
  atoms.set(x, atom);
  return atom;
}

/** The root's children, separated. */
export interface Separated {
  readonly others: TopLevel[];
  /** The surface's visible windows; the pointer passes through them. */
  readonly shown: TopLevel[];
  /** The invisible windows that receive the pointer during a pick. */
  readonly picking: TopLevel[];
}

/** Separates the surface's windows: only those that cover nothing or show nothing qualify. */
export async function separateOwnSurface(x: XConnection, windows: readonly TopLevel[]): Promise<Separated> {
  const surface = await findOwnSurface(x);
  const own = surface === undefined ? [] : windows.filter(({ id }) => x.clientOf(id) === surface.client);
  if (own.length === 0) return { others: [...windows], shown: [], picking: [] };
  const isPassed = await Promise.all(own.map(({ id }) => passesPointer(x, id)));
  const picking = own.filter(({ attributes }, index) => attributes.isInvisible && isPassed[index] === false);
  const shown = own.filter(({ attributes }, index) => !attributes.isInvisible && isPassed[index] === true);
  return { others: windows.filter((one) => !picking.includes(one) && !shown.includes(one)), shown, picking };
}

async function passesPointer(x: XConnection, window: number): Promise<boolean> {
  const extension = await x.findExtension("SHAPE");
  if (extension === undefined) return false;
  return (await x.listShape(extension.opcode, window, shapeKind.input)).length === 0;
}
