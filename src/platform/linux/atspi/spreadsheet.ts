import { parseCell, showCell } from "../../../model/cell-address.ts";
import { quoteText } from "../../../model/plain-text.ts";
import { type Bus, unlessRefused } from "../dbus/bus.ts";
import { coordinatesOf } from "./details.ts";
import { findCellAt, measureView } from "./in-view.ts";
import { makeNode, type RawNode, type Walk } from "./nodes.ts";
import { type Extents, isInterface, type Peer } from "./peer.ts";
import { hasState } from "./vocabulary.ts";

/** A screen of the smallest cells on the largest display. */
const maxCells = 6000;
/** The minimum cell size: with more rows or columns than fit, some are not visible (frozen panes). */
const minCellSize = 8;
const columnsOfSheet = 16_384;
const maxAddressLength = 24;
/** How many cells whose text is not told are named. */
const maxUntold = 5;

interface Place {
  readonly row: number;
  readonly column: number;
}

/**
 * The visible cells of a spreadsheet with content, and the one with the cursor; with hidden parts, the empty ones too. A
 * sheet has billions of cells, and LibreOffice creates an object for each requested one: invisible ones are never requested.
 */
export async function readSpreadsheet(walk: Walk, sheet: RawNode): Promise<void> {
  await forgetDead(walk, sheet);
  const view = await measureView(walk, sheet);
  const first = view && (await findPlace(walk, sheet, view[0] + 2, view[1] + 2));
  const last = view && (await findLast(walk, sheet, view));
  if (view === undefined || first === undefined || last === undefined) {
    walk.cuts.set(sheet.path, `of ${quoteText(sheet.name)} no cell is in view`);
    return;
  }
  const [rows, columns] = await Promise.all([
    listInView(walk, sheet, view, first.place.row, last.place.row, "row"),
    listInView(walk, sheet, view, first.place.column, last.place.column, "column"),
  ]);
  const places = rows.flatMap((row) => columns.map((column) => ({ row, column }))).slice(0, maxCells);
  const sample = await Promise.all([walk.peer.getRole(first.path), walk.peer.getInterfaces(first.path)]);
  const cursor = await findCursor(walk);
  const read = await Promise.all(places.map((place) => readCell(walk, sheet, place, sample, cursor)));
  const cells = read.filter((cell) => cell !== undefined);
  sheet.children = cells.map(({ node }) => node);
  const untold = cells.filter(({ isUntold }) => isUntold).map(({ node }) => node.name);
  const range = `${addressOf(first.place)}:${addressOf(last.place)}`;
  walk.cuts.set(
    sheet.path,
    `of ${quoteText(sheet.name)} only ${range} is in view${walk.includeHidden ? "" : "; empty cells are left out"}${describeUntold(untold)}`,
  );
}

interface Cell {
  readonly node: RawNode;
  /** Whether it has a formula and no text: LibreOffice does not tell which error it shows, if any. */
  readonly isUntold: boolean;
}

function describeUntold(names: readonly string[]): string {
  if (names.length === 0) return "";
  const shown = names.slice(0, maxUntold).join(", ");
  const more = names.length > maxUntold ? ` and ${names.length - maxUntold} more` : "";
  return `; what the formula shows in ${shown}${more}, an error or nothing, is not told`;
}

interface KnownCell {
  readonly path: string;
  /** What its content is known by, as its object last told; undefined if that was empty. */
  readonly sign: string | undefined;
}

const knownCells = new WeakMap<Bus, Map<string, Map<string, KnownCell>>>();
const maxKnownCells = 50_000;

/**
 * LibreOffice 7.4 creates a new object for each request of a cell and keeps it, 6 kB, until it exits. An object stands
 * for its address whatever its content, so a connection requests each cell once.
 */
function knownCellsOf({ peer }: Walk, sheet: RawNode): Map<string, KnownCell> {
  const sheets = knownCells.get(peer.bus) ?? new Map<string, Map<string, KnownCell>>();
  knownCells.set(peer.bus, sheets);
  const key = `${peer.name}${sheet.path}`;
  const cells = sheets.get(key) ?? new Map<string, KnownCell>();
  sheets.set(key, cells);
  return cells;
}

/** The objects of a sheet that was left, or of a closed document, no longer answer. */
async function forgetDead(walk: Walk, sheet: RawNode): Promise<void> {
  const known = knownCellsOf(walk, sheet);
  const [first] = known.values();
  if (first === undefined) return;
  const states = await unlessRefused(walk.peer.getStates(first.path));
  if (states === undefined || hasState(states, "defunct") || known.size > maxKnownCells) known.clear();
}

const maxFields = 12;

/**
 * The cell with the cursor, from the field beside the formula. Otherwise each visible cell would have to be asked for
 * its states, and only the active window's cell reports it.
 */
async function findCursor({ peer, nodes }: Walk): Promise<Place | undefined> {
  const fields = [...nodes.values()].filter(({ states, interfaces, children, isBrief }) => {
    return !isBrief && hasState(states, "editable") && children.length === 0 && isInterface(interfaces, "Text");
  });
  const texts = await Promise.all(
    fields.slice(0, maxFields).map(({ path }) => unlessRefused(peer.getText(path, 0, maxAddressLength))),
  );
  return texts.map((text) => parseAddress((text ?? "").split(":")[0] ?? "")).find((place) => place !== undefined);
}

interface FoundCell {
  readonly path: string;
  /** Of its text. */
  readonly length: unknown;
}

/**
 * The known object of a cell, or a new one if that no longer answers (leaving a chart ends all but the current cell's) or
 * may hold on to a former text: LibreOffice 7.4 does not tell an object that its cell shows an error or nothing now.
 */
async function findCell(walk: Walk, sheet: RawNode, place: Place): Promise<FoundCell | undefined> {
  const { peer } = walk;
  const known = knownCellsOf(walk, sheet);
  const address = addressOf(place);
  const measure = async (path: string): Promise<Omit<FoundCell, "path"> & Pick<KnownCell, "sign">> => {
    const length = await unlessRefused(peer.getProperty(path, "Text", "CharacterCount"));
    return { length, sign: typeof length === "number" && length > 0 ? await signContent(peer, path) : undefined };
  };
  const old = known.get(address);
  const seen = old && (await measure(old.path));
  const isFormer = old?.sign !== undefined && seen?.sign !== undefined && seen.sign !== old.sign;
  if (old !== undefined && seen?.length !== undefined && !isFormer) {
    known.set(address, { path: old.path, sign: seen.sign });
    return { path: old.path, length: seen.length };
  }
  const path = (await unlessRefused(peer.getCellAt(sheet.path, place.row, place.column)))?.[1];
  if (path === undefined) return undefined;
  const { length, sign } = await measure(path);
  known.set(address, { path, sign });
  return { path, length };
}

/** What an object tells of its cell as it is now, whatever its text: the formula, and whether there is a number. */
async function signContent(peer: Peer, path: string): Promise<string> {
  const [attributes, value] = await Promise.all([
    unlessRefused(peer.getAttributes(path)),
    unlessRefused(peer.getProperty(path, "Value", "CurrentValue")),
  ]);
  return JSON.stringify([attributes?.get("Formula") ?? "", value !== undefined && value !== 0]);
}

async function readCell(
  walk: Walk,
  sheet: RawNode,
  place: Place,
  [role, interfaces]: readonly [number, readonly string[]],
  cursor: Place | undefined,
): Promise<Cell | undefined> {
  const { peer, nodes } = walk;
  const found = await findCell(walk, sheet, place);
  if (found === undefined) return undefined;
  const { path, length } = found;
  const hasCursor = place.row === cursor?.row && place.column === cursor.column;
  const isUntold = length === 0 && ((await unlessRefused(peer.getAttributes(path)))?.get("Formula") ?? "") !== "";
  if (length === 0 && !isUntold && !hasCursor && !walk.includeHidden) return undefined;
  const states = await unlessRefused(peer.getStates(path));
  if (states === undefined) return undefined;
  const indexInParent = place.row * columnsOfSheet + place.column;
  const name = addressOf(place);
  const node = makeNode({ path, parentPath: sheet.path, indexInParent, interfaces, name, role, states });
  nodes.set(path, node);
  return { node, isUntold };
}

/** The sheet may end before the view: then the last cell is further in. */
async function findLast(walk: Walk, sheet: RawNode, [x, y, width, height]: Extents): Promise<Hit | undefined> {
  for (const part of [1, 0.75, 0.5, 0.25, 0]) {
    const hit = await findPlace(
      walk,
      sheet,
      x + 2 + Math.floor((width - 5) * part),
      y + 2 + Math.floor((height - 5) * part),
    );
    if (hit !== undefined) return hit;
  }
  return undefined;
}

interface Hit {
  readonly path: string;
  readonly place: Place;
}

async function findPlace(walk: Walk, sheet: RawNode, x: number, y: number): Promise<Hit | undefined> {
  const path = await findCellAt(walk, sheet, x, y);
  const name = path && (await unlessRefused(walk.peer.getProperty(path, "Accessible", "Name")));
  const place = typeof name === "string" ? parseAddress(name) : undefined;
  return path === undefined || place === undefined ? undefined : { path, place };
}

/** The visible rows or columns; step by step if some in between are scrolled away. */
async function listInView(
  walk: Walk,
  sheet: RawNode,
  view: Extents,
  first: number,
  last: number,
  what: "row" | "column",
): Promise<number[]> {
  const [x, y, width, height] = view;
  const room = what === "row" ? height : width;
  if (last - first < room / minCellSize) return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
  const listed = new Set<number>();
  for (let at = 2; at < room; ) {
    const hit = await findPlace(walk, sheet, what === "row" ? x + 2 : x + at, what === "row" ? y + at : y + 2);
    const box = hit && (await unlessRefused(walk.peer.getExtents(hit.path, coordinatesOf(walk.quirks))));
    if (hit === undefined || box === undefined) break;
    listed.add(hit.place[what]);
    const end = what === "row" ? box[1] + box[3] - y : box[0] + box[2] - x;
    at = Math.max(end + 2, at + minCellSize);
  }
  return [...listed];
}

/** "AB12" → row 11, column 27 */
function parseAddress(address: string): Place | undefined {
  const cell = parseCell(address);
  return cell && { row: cell.row - 1, column: cell.column - 1 };
}

function addressOf({ row, column }: Place): string {
  return showCell({ row: row + 1, column: column + 1 });
}
