import { hashText } from "../../model/hash.ts";
import { sources } from "../../model/source.ts";
import type { MapFile } from "./database.ts";
import { recordPresence } from "./history.ts";
import type { SeenContainer, SeenMember, SeenWindow, WindowKey } from "./port.ts";
import { addContainers, isScrolling, nowInSeconds } from "./rows.ts";

/** In a window with fewer controls, a single change is not a new layout. */
const fewControls = 5;

interface Known {
  readonly place: number;
  readonly looks: number;
}

interface Present {
  readonly mark: number;
  readonly place: number;
}

/** Records the containers of a window that changed. One query for all of them: a page has hundreds, and a query for each would take most of the time. */
export function recordSeen(file: MapFile, window: SeenWindow): void {
  addContainers(
    file,
    window.places.map(({ ref }) => ref),
  );
  const now = nowInSeconds();
  const layout = Math.max(1, findLayout(file, window));
  const known = findKnown(file, window.places);
  const was = listFormerMembers(file, known);
  const present = new Set(window.places.flatMap(({ members }) => members.map(({ mark }) => mark)));
  const gone = was.filter(({ mark }) => !present.has(mark));
  const before = window.unchangedCount + was.length;
  recordContainers(file, window.places);
  recordMembers(file, window.places, known, [now, layout]);
  recordWindow(file, window, before >= fewControls && gone.length * 2 > before, now);
  // Controls in scrolling containers are never counted as missing; on a page that is nearly everything.
  const still = window.places.filter(({ ref }) => !isScrolling(ref.path));
  const places = new Set(still.map(({ key }) => known.get(key)?.place));
  recordPresence(
    file,
    gone.filter(({ place }) => places.has(place)).map(({ mark }) => mark),
    still.flatMap(({ members }) => members.map(({ mark }) => mark)),
  );
}

export function findLayout(file: MapFile, { app, window }: WindowKey): number {
  const find = "SELECT layout FROM windows WHERE key = CAST(? AS INTEGER)";
  return Number(file.get(find, windowKey({ app, window }))?.layout ?? 0);
}

function findKnown(file: MapFile, places: readonly SeenContainer[]): ReadonlyMap<string, Known> {
  const find = `SELECT CAST(key AS TEXT) AS key, place, looks FROM places
    WHERE key IN (SELECT value FROM json_each(?))`;
  const rows = file.all(find, `[${places.map(({ key }) => key).join(",")}]`);
  return new Map(rows.map(({ key, place, looks }) => [String(key), { place: Number(place), looks: Number(looks) }]));
}

/** The controls present when the containers were last seen. */
function listFormerMembers(file: MapFile, known: ReadonlyMap<string, Known>): Present[] {
  const find = `SELECT mark, place FROM json_each(?) CROSS JOIN targets
    WHERE place = value ->> 0 AND last_look = value ->> 1`;
  const looked = [...known.values()].filter(({ looks }) => looks > 0);
  if (looked.length === 0) return [];
  const rows = file.all(find, JSON.stringify(looked.map(({ place, looks }) => [place, looks])));
  return rows.map(({ mark, place }) => ({ mark: Number(mark), place: Number(place) }));
}

function recordContainers(file: MapFile, places: readonly SeenContainer[]): void {
  const update = `UPDATE places SET looks = looks + 1, state = value ->> 1, windows = value ->> 2, last_seen = unixepoch()
    FROM json_each(?) WHERE places.key = value ->> 0`;
  const rows = places.map(({ key, state, ref }) => {
    return `[${key},${state},${JSON.stringify(JSON.stringify(ref.windows))}]`;
  });
  file.run(update, `[${rows.join(",")}]`);
}

const isSame = "(x IS ?2 AND y IS ?3 AND width IS ?4 AND height IS ?5)";

function recordMembers(
  file: MapFile,
  places: readonly SeenContainer[],
  known: ReadonlyMap<string, Known>,
  [now, layout]: readonly [now: number, layout: number],
): void {
  const update = `UPDATE targets SET
      same = same + (last_look IS NOT NULL AND ${isSame}), moved = moved + (last_look IS NOT NULL AND NOT ${isSame}),
      x = ?2, y = ?3, width = ?4, height = ?5, press_x = ?6, press_y = ?7, parent = ?8, source = ?9,
      certainty = ?10, last_look = ?11, last_seen = ?12, layout = ?13
    WHERE mark = ?1`;
  // A separate statement: few controls move, and updating an indexed column costs as much as all others.
  const move = "UPDATE targets SET place = ?1 WHERE mark = ?2 AND place <> ?1";
  for (const { key, members } of places) {
    const { place = 0, looks = 0 } = known.get(key) ?? {};
    file.runEach(
      update,
      members.map((member) => [...listCells(member), looks + 1, now, layout]),
    );
    file.runEach(
      move,
      members.map(({ mark }) => [place, mark]),
    );
  }
}

function listCells({ mark, bounds, clickPoint, parent, source, certainty }: SeenMember): (number | null)[] {
  const box = [bounds?.x, bounds?.y, bounds?.width, bounds?.height];
  const rest = [clickPoint?.x, clickPoint?.y, parent, sources.indexOf(source), certainty];
  return [mark, ...box, ...rest].map((cell) => cell ?? null);
}

function recordWindow(file: MapFile, { app, window }: WindowKey, isNewLayout: boolean, now: number): void {
  const upsert = `INSERT INTO windows (key, app, name, looks, last_seen) VALUES (CAST(? AS INTEGER), ?, ?, 1, ?)
    ON CONFLICT (key) DO UPDATE SET looks = looks + 1, layout = layout + ?, last_seen = excluded.last_seen`;
  file.run(upsert, windowKey({ app, window }), app, window, now, Number(isNewLayout));
}

function windowKey({ app, window }: WindowKey): string {
  return hashText(`${app}\u0004${window}`);
}

/** All but the latest of what only pictures showed and nobody used or named, with all that leads to it. */
export function dropUnusedPlaces(file: MapFile, app: string, keep: number): void {
  const find = `SELECT mark FROM targets WHERE source IN (3, 1) AND source = 1 AND hits = 0 AND misses = 0 AND taught IS NULL
      AND place IN (SELECT place FROM places WHERE app = ?) ORDER BY last_seen DESC, mark DESC LIMIT -1 OFFSET ?`;
  const marks = file.all(find, app, keep).map(({ mark }) => Number(mark));
  for (const table of marks.length === 0 ? [] : ["targets", "evidence", "objects", "tempers", "history"]) {
    file.run(`DELETE FROM ${table} WHERE mark IN (SELECT value FROM json_each(?))`, JSON.stringify(marks));
  }
}
