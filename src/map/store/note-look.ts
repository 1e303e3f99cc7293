import { hashText } from "../../model/hash.ts";
import { sources } from "../../model/target.ts";
import type { MapFile } from "./database.ts";
import { noteLooked } from "./history.ts";
import type { LookNote, SeenMember, SeenPlace, WindowKey } from "./port.ts";
import { isFluent, nowInSeconds } from "./rows.ts";

/** In a window with fewer controls than these one that comes or goes is no new layout. */
const fewControls = 5;

interface Known {
  readonly place: number;
  readonly looks: number;
}

interface Present {
  readonly mark: number;
  readonly place: number;
}

/** One round for all containers of a look: a page has hundreds, and a round for each would be most of the time. */
export function noteLook(file: MapFile, look: LookNote): void {
  const now = nowInSeconds();
  const layout = Math.max(1, findLayout(file, look));
  const known = findKnown(file, look.places);
  const was = listPresent(file, known);
  const present = new Set(look.places.flatMap(({ members }) => members.map(({ mark }) => mark)));
  const gone = was.filter(({ mark }) => !present.has(mark));
  const before = look.unchangedCount + was.length;
  notePlaces(file, look.places);
  noteMembers(file, look.places, known, [now, layout]);
  noteWindow(file, look, before >= fewControls && gone.length * 2 > before, now);
  // Where things scroll away nobody is missed, and on a page that is nearly everything.
  const still = look.places.filter(({ ref }) => !isFluent(ref.path));
  const places = new Set(still.map(({ key }) => known.get(key)?.place));
  noteLooked(
    file,
    gone.filter(({ place }) => places.has(place)).map(({ mark }) => mark),
    still.flatMap(({ members }) => members.map(({ mark }) => mark)),
  );
}

/** How often its layout has changed much; 0 for a window that was never looked at. */
export function findLayout(file: MapFile, { app, window }: WindowKey): number {
  const find = "SELECT layout FROM windows WHERE key = CAST(? AS INTEGER)";
  return Number(file.get(find, windowKey({ app, window }))?.layout ?? 0);
}

function findKnown(file: MapFile, places: readonly SeenPlace[]): ReadonlyMap<string, Known> {
  const find = `SELECT CAST(key AS TEXT) AS key, place, looks FROM places
    WHERE key IN (SELECT value FROM json_each(?))`;
  const rows = file.all(find, `[${places.map(({ key }) => key).join(",")}]`);
  return new Map(rows.map(({ key, place, looks }) => [String(key), { place: Number(place), looks: Number(looks) }]));
}

/** What was in them when they were last looked at. */
function listPresent(file: MapFile, known: ReadonlyMap<string, Known>): Present[] {
  const find = `SELECT mark, place FROM json_each(?) CROSS JOIN targets
    WHERE place = value ->> 0 AND last_look = value ->> 1`;
  const looked = [...known.values()].filter(({ looks }) => looks > 0);
  if (looked.length === 0) return [];
  const rows = file.all(find, JSON.stringify(looked.map(({ place, looks }) => [place, looks])));
  return rows.map(({ mark, place }) => ({ mark: Number(mark), place: Number(place) }));
}

function notePlaces(file: MapFile, places: readonly SeenPlace[]): void {
  const update = `UPDATE places SET looks = looks + 1, state = value ->> 1, windows = value ->> 2, last_seen = unixepoch()
    FROM json_each(?) WHERE places.key = value ->> 0`;
  const rows = places.map(({ key, state, ref }) => {
    return `[${key},${state},${JSON.stringify(JSON.stringify(ref.windows))}]`;
  });
  file.run(update, `[${rows.join(",")}]`);
}

const isSame = "(x IS ?2 AND y IS ?3 AND width IS ?4 AND height IS ?5)";

function noteMembers(
  file: MapFile,
  places: readonly SeenPlace[],
  known: ReadonlyMap<string, Known>,
  [now, layout]: readonly [now: number, layout: number],
): void {
  const update = `UPDATE targets SET
      same = same + (last_look IS NOT NULL AND ${isSame}), moved = moved + (last_look IS NOT NULL AND NOT ${isSame}),
      x = ?2, y = ?3, width = ?4, height = ?5, press_x = ?6, press_y = ?7, parent = ?8, source = ?9,
      last_look = ?10, last_seen = ?11, layout = ?12
    WHERE mark = ?1`;
  // Apart, since few ever move: to set what is indexed costs as much as all the rest.
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

function listCells({ mark, bounds, clickPoint, parent, source }: SeenMember): (number | null)[] {
  const box = [bounds?.x, bounds?.y, bounds?.width, bounds?.height];
  const rest = [clickPoint?.x, clickPoint?.y, parent, sources.indexOf(source)];
  return [mark, ...box, ...rest].map((cell) => cell ?? null);
}

function noteWindow(file: MapFile, { app, window }: WindowKey, isNewLayout: boolean, now: number): void {
  const upsert = `INSERT INTO windows (key, app, name, looks, last_seen) VALUES (CAST(? AS INTEGER), ?, ?, 1, ?)
    ON CONFLICT (key) DO UPDATE SET looks = looks + 1, layout = layout + ?, last_seen = excluded.last_seen`;
  file.run(upsert, windowKey({ app, window }), app, window, now, Number(isNewLayout));
}

function windowKey({ app, window }: WindowKey): string {
  return hashText(`${app}\u0004${window}`);
}
