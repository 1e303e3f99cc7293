import type { Bounds } from "../../../../model/bounds.ts";
import { findClientPid } from "../client-pid.ts";
import type { XConnection } from "../connection.ts";
import { getSelectionOwner, internAtoms } from "../requests.ts";
import type { TopLevel } from "../top-levels.ts";

/** Who draws over a display holds this selection with a window that is never shown. */
export const sheetSelection = "_DESKMAP_SHEET";

/** What Deskmap itself draws over the screen, in whichever process. */
export interface SheetMark {
  /** Its connection to the display: everything that it makes bears its number, and nothing else can. */
  readonly program: number;
  /** When it began, by the clock. */
  readonly sinceMs: number;
}

/**
 * The sheet on a display, if it is one. Anybody can take the selection, and say anything of himself; believed is only a
 * client of which the server knows that it is the process that this user has written down (record.ts).
 */
export async function findSheet(x: XConnection): Promise<SheetMark | undefined> {
  const owner = await getSelectionOwner(x, await findAtom(x));
  if (owner === 0) return undefined;
  const [pid, { readRecord, isSameProcess }] = await Promise.all([findClientPid(x, owner), import("./record.ts")]);
  if (pid === undefined) return undefined;
  const record = readRecord(x.env);
  if (record === undefined || !isSameProcess(record, pid)) return undefined;
  return { program: programOf(x, owner), sinceMs: record.sinceMs };
}

const atoms = new WeakMap<XConnection, Promise<number>>();

/** Every picture asks for it: once for each connection is enough. */
function findAtom(x: XConnection): Promise<number> {
  const atom = atoms.get(x) ?? internAtoms(x, [sheetSelection]).then((found) => found[sheetSelection]);
  atoms.set(x, atom);
  return atom;
}

export function programOf(x: XConnection, id: number): number {
  return (id & ~x.server.idMask) >>> 0;
}

/** Windows on the root, told apart. */
export interface Apart {
  readonly others: TopLevel[];
  /** What the sheet shows; the pointer goes through it. */
  readonly shown: TopLevel[];
  /** What takes the pointer while a person picks; nothing of it is seen. */
  readonly picking: TopLevel[];
}

/** Which of some windows on the root are the sheet's: only what covers nothing, or shows nothing, can be. */
export async function setSheetApart(x: XConnection, windows: readonly TopLevel[]): Promise<Apart> {
  const sheet = await findSheet(x);
  const own = sheet === undefined ? [] : windows.filter(({ id }) => programOf(x, id) === sheet.program);
  if (own.length === 0) return { others: [...windows], shown: [], picking: [] };
  const isThrough = await Promise.all(own.map(({ id }) => letsThrough(x, id)));
  const picking = own.filter(({ attributes }, index) => attributes.isInvisible && isThrough[index] === false);
  const shown = own.filter(({ attributes }, index) => !attributes.isInvisible && isThrough[index] === true);
  return { others: windows.filter((one) => !picking.includes(one) && !shown.includes(one)), shown, picking };
}

const shapeGetRectangles = 8;
export const shapeKind = { bounding: 0, input: 2 };

/** Whether the pointer goes through a window to what is under it. */
async function letsThrough(x: XConnection, window: number): Promise<boolean> {
  const extension = await x.findExtension("SHAPE");
  if (extension === undefined) return false;
  return (await listShape(x, extension.opcode, window, shapeKind.input)).length === 0;
}

/** Where a window is seen, or takes the pointer, in its own coordinates; a window that has gone is nowhere. */
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
