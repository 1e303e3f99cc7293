import { fail, type Result, succeed } from "../../model/failure.ts";
import { hashText } from "../../model/hash.ts";
import type { Ref } from "../../model/ref.ts";
import { type Learned, sources } from "../../model/target.ts";
import { describeFailure, MapFile } from "./database.ts";
import type {
  Lives,
  LookNote,
  MapStore,
  Member,
  PlaceState,
  StoredRef,
  StoredTarget,
  TargetWish,
  WindowKey,
} from "./port.ts";
import { readLearned, readRef, readTarget, targetColumns, writePlace, writeTarget } from "./rows.ts";

/** So many runs of applications are known by their very objects; older ones have ended long since. */
const maxLives = 500;

/** The map in the user's data directory. */
export class SqliteStore implements MapStore {
  private constructor(private readonly file: MapFile) {}

  static open(path: string): Result<SqliteStore> {
    try {
      return succeed(new SqliteStore(MapFile.open(path)));
    } catch (error) {
      return fail(describeFailure(path, error));
    }
  }

  findMarks(hashes: readonly string[]): ReadonlyMap<string, number> {
    const find = "SELECT CAST(hash AS TEXT) AS hash, mark FROM evidence WHERE hash IN (SELECT value FROM json_each(?))";
    return readPairs(this.file.all(find, listNumbers(hashes)));
  }

  findObjects(hashes: Lives): ReadonlyMap<string, number> {
    const find = `SELECT CAST(hash AS TEXT) AS hash, mark FROM objects
      WHERE life = (SELECT life FROM lives WHERE key = CAST(? AS INTEGER)) AND hash IN (SELECT value FROM json_each(?))`;
    const rows = [...hashes].flatMap(([life, own]) => this.file.all(find, life, listNumbers(own)));
    return readPairs(rows);
  }

  followAlias(mark: number): number {
    return Number(this.file.get("SELECT mark FROM aliases WHERE alias = ?", mark)?.mark ?? mark);
  }

  findRef(mark: number): StoredRef | undefined {
    const row = this.file.get(
      `SELECT ${targetColumns} FROM targets JOIN places USING (place) WHERE mark = ?`,
      this.followAlias(mark),
    );
    return row === undefined ? undefined : readRef(row);
  }

  findNames(marks: readonly number[]): ReadonlyMap<number, string> {
    const find = "SELECT mark, name FROM targets WHERE mark IN (SELECT value FROM json_each(?))";
    return new Map(this.file.all(find, JSON.stringify(marks)).map(({ mark, name }) => [Number(mark), String(name)]));
  }

  findMembers(places: readonly Pick<Ref, "app" | "windows" | "path">[]): readonly Member[] {
    // Most of what is asked for was never met: the joins begin with the keys.
    const find = `SELECT looks - last_look AS missing, ${targetColumns} FROM places CROSS JOIN targets USING (place)
      WHERE key IN (SELECT value FROM json_each(?)) AND last_look >= looks - ${lastLooks} LIMIT ${maxMembers}`;
    const rows = this.file.all(find, listNumbers(places.map((place) => writePlace(place).key)));
    return rows.map((row) => ({ mark: Number(row.mark), ref: readRef(row), missing: Number(row.missing) }));
  }

  findLiving(life: string, marks: readonly number[]): ReadonlySet<number> {
    const find = `SELECT DISTINCT mark FROM objects WHERE life = (SELECT life FROM lives WHERE key = CAST(? AS INTEGER))
      AND mark IN (SELECT value FROM json_each(?))`;
    return new Set(this.file.all(find, life, JSON.stringify(marks)).map(({ mark }) => Number(mark)));
  }

  /** How many were ever given out. */
  countMarks(): number {
    return Number(this.file.get("SELECT seq FROM sqlite_sequence WHERE name = 'targets'")?.seq ?? 0);
  }

  /** The counter is read and moved on within one transaction; AUTOINCREMENT keeps it from ever going back. */
  allotMarks(refs: readonly Ref[]): number[] {
    this.addPlaces(refs);
    const last = this.countMarks();
    const now = nowInSeconds();
    const insert = `INSERT INTO targets (mark, place, first_seen, last_seen, role, name, platform_id, position, alike, owner,
        sister_before, sister_after, twins, has_twin, x, y, width, height)
      SELECT value ->> 0, (SELECT place FROM places WHERE key = value ->> 1), value ->> 2, value ->> 2, value ->> 3,
        value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->> 8, value ->> 9, value ->> 10, value ->> 11,
        value ->> 12, value ->> 13, value ->> 14, value ->> 15, value ->> 16 FROM json_each(?)`;
    const marks = refs.map((_, index) => last + 1 + index);
    const rows = refs.map((one, index) => {
      const { key } = writePlace(one);
      return `[${marks[index]},${key},${now},${JSON.stringify(writeTarget(one)).slice(1)}`;
    });
    this.file.run(insert, `[${rows.join(",")}]`);
    return marks;
  }

  setEvidence(evidence: ReadonlyMap<string, number>): void {
    if (evidence.size === 0) return;
    const upsert = `INSERT INTO evidence (hash, mark) SELECT value ->> 0, value ->> 1 FROM json_each(?) WHERE true
      ON CONFLICT (hash) DO UPDATE SET mark = excluded.mark`;
    this.file.run(upsert, listPairs(evidence));
  }

  setObjects(evidence: ReadonlyMap<string, ReadonlyMap<string, number>>): void {
    for (const [life, pairs] of evidence) {
      const upsert = `INSERT INTO objects (life, hash, mark) SELECT ?, value ->> 0, value ->> 1 FROM json_each(?) WHERE true
        ON CONFLICT (life, hash) DO UPDATE SET mark = excluded.mark`;
      this.file.run(upsert, this.openLife(life), listPairs(pairs));
    }
  }

  dropEvidence(hashes: readonly string[]): void {
    if (hashes.length === 0) return;
    this.file.run("DELETE FROM evidence WHERE hash IN (SELECT value FROM json_each(?))", listNumbers(hashes));
  }

  updateRefs(refs: ReadonlyMap<number, Ref>): void {
    const update = `UPDATE targets SET role = ?, name = ?, platform_id = ?, position = ?, alike = ?, owner = ?, sister_before = ?,
      sister_after = ?, twins = ?, has_twin = ?, x = ?, y = ?, width = ?, height = ?,
      place = (SELECT place FROM places WHERE key = CAST(? AS INTEGER)) WHERE mark = ?`;
    this.addPlaces([...refs.values()]);
    for (const [mark, one] of refs) this.file.run(update, ...writeTarget(one), writePlace(one).key, mark);
  }

  nameApplications(names: ReadonlyMap<string, ReadonlySet<string>>): void {
    const known = this.listNames();
    const news = [...names].flatMap(([app, own]) => {
      return [...own].filter((name) => !known.get(app)?.has(name)).map((name) => [app, name]);
    });
    if (news.length === 0) return;
    const insert = "INSERT OR IGNORE INTO names (app, name) SELECT value ->> 0, value ->> 1 FROM json_each(?)";
    this.file.run(insert, JSON.stringify(news));
  }

  listNames(): ReadonlyMap<string, ReadonlySet<string>> {
    const names = new Map<string, Set<string>>();
    for (const { app, name } of this.file.all("SELECT app, name FROM names")) {
      const key = String(app);
      names.set(key, (names.get(key) ?? new Set()).add(String(name)));
    }
    return names;
  }

  /** How many marks of each application are remembered. */
  countByApplication(): ReadonlyMap<string, number> {
    const count = "SELECT app, count(*) AS amount FROM targets JOIN places USING (place) GROUP BY app";
    return new Map(this.file.all(count).map(({ app, amount }) => [String(app), Number(amount)]));
  }

  findTempers(marks: readonly number[]): ReadonlyMap<number, boolean> {
    const find = "SELECT mark, is_calm FROM tempers WHERE mark IN (SELECT value FROM json_each(?))";
    return new Map(
      this.file.all(find, JSON.stringify(marks)).map(({ mark, is_calm }) => [Number(mark), is_calm === 1]),
    );
  }

  setTempers(tempers: ReadonlyMap<number, boolean>): void {
    const upsert = `INSERT INTO tempers (mark, is_calm) SELECT value ->> 0, value ->> 1 FROM json_each(?) WHERE true
      ON CONFLICT (mark) DO UPDATE SET is_calm = min(is_calm, excluded.is_calm)`;
    this.file.run(upsert, JSON.stringify([...tempers].map(([mark, isCalm]) => [mark, Number(isCalm)])));
  }

  findPlaces(keys: readonly string[]): ReadonlyMap<string, PlaceState> {
    const find = `SELECT CAST(key AS TEXT) AS key, looks, CAST(state AS TEXT) AS state FROM places
      WHERE key IN (SELECT value FROM json_each(?))`;
    const rows = this.file.all(find, listNumbers(keys));
    return new Map(rows.map(({ key, looks, state }) => [String(key), { looks: Number(looks), state: String(state) }]));
  }

  noteLook(look: LookNote): void {
    const now = nowInSeconds();
    let [before, gone] = [look.unchangedCount, 0];
    this.insertPlaces(look.places.map(({ ref }) => writePlace(ref)));
    const layout = Math.max(1, this.findLayout(look));
    for (const { key, state, ref, members } of look.places) {
      const place = this.file.get("SELECT place, looks FROM places WHERE key = CAST(? AS INTEGER)", key);
      const [id, looks] = [Number(place?.place), Number(place?.looks)];
      const was = this.file.all("SELECT mark FROM targets WHERE place = ? AND last_look = ?", id, looks);
      const present = new Set(members.map(({ mark }) => mark));
      before += was.length;
      gone += was.filter(({ mark }) => !present.has(Number(mark))).length;
      const note = "UPDATE places SET looks = looks + 1, state = CAST(? AS INTEGER), windows = ? WHERE place = ?";
      this.file.run(note, state, JSON.stringify(ref.windows), id);
      const rows = members.map(({ mark, bounds, clickPoint, parent, source }) => [
        ...[mark, bounds?.x, bounds?.y, bounds?.width, bounds?.height, clickPoint?.x, clickPoint?.y, parent],
        sources.indexOf(source),
      ]);
      const isSame = "(x IS value ->> 1 AND y IS value ->> 2 AND width IS value ->> 3 AND height IS value ->> 4)";
      const update = `UPDATE targets SET
          same = same + (last_look IS NOT NULL AND ${isSame}), moved = moved + (last_look IS NOT NULL AND NOT ${isSame}),
          x = value ->> 1, y = value ->> 2, width = value ->> 3, height = value ->> 4,
          press_x = value ->> 5, press_y = value ->> 6, parent = value ->> 7, source = value ->> 8,
          last_seen = ?, last_look = ?, place = ?, layout = ?
        FROM json_each(?) WHERE mark = value ->> 0`;
      this.file.run(update, now, looks + 1, id, layout, JSON.stringify(rows));
    }
    this.noteWindow(look, before >= fewControls && gone * 2 > before, now);
  }

  findLayout({ app, window }: WindowKey): number {
    const find = "SELECT layout FROM windows WHERE key = CAST(? AS INTEGER)";
    return Number(this.file.get(find, windowKey({ app, window }))?.layout ?? 0);
  }

  findLearned(marks: readonly number[]): ReadonlyMap<number, Learned> {
    const find = `SELECT ${targetColumns} FROM targets JOIN places USING (place) WHERE mark IN (SELECT value FROM json_each(?))`;
    const rows = this.file.all(find, JSON.stringify(marks));
    return new Map(rows.map((row) => [Number(row.mark), readLearned(row)]));
  }

  countAct(mark: number, isHit: boolean): void {
    const column = isHit ? "hits" : "misses";
    this.file.run(`UPDATE targets SET ${column} = ${column} + 1 WHERE mark = ?`, this.followAlias(mark));
  }

  teach(mark: number, name: string): void {
    const taught = name === "" ? null : name;
    this.file.run("UPDATE targets SET taught = ? WHERE mark = ?", taught, this.followAlias(mark));
  }

  listTargets({ marks, apps, roles, isTaught, minHits, limit }: TargetWish): readonly StoredTarget[] {
    const conditions: [boolean, string, string | number][] = [
      [marks !== undefined, "mark IN (SELECT value FROM json_each(?))", JSON.stringify(marks ?? [])],
      [apps !== undefined, "app IN (SELECT value FROM json_each(?))", JSON.stringify(apps ?? [])],
      [roles !== undefined, "role IN (SELECT value FROM json_each(?))", JSON.stringify([...(roles ?? [])])],
      [isTaught === true, "taught IS NOT NULL AND ?", 1],
      [minHits !== undefined, "hits >= ? AND hits > 0", minHits ?? 0],
    ];
    const asked = conditions.filter(([isAsked]) => isAsked);
    const where = asked.length === 0 ? "" : `WHERE ${asked.map(([, sql]) => sql).join(" AND ")}`;
    const find = `SELECT ${targetColumns} FROM targets JOIN places USING (place) ${where}
      ORDER BY hits DESC, targets.last_seen DESC, mark LIMIT ?`;
    const values = asked.map(([, , value]) => value);
    return this.file.all(find, ...values, limit ?? -1).map(readTarget);
  }

  readVersion(): number {
    return Number(this.file.get("PRAGMA data_version")?.data_version ?? 0);
  }

  inTransaction<T>(work: () => T): T {
    return this.file.inTransaction(work);
  }

  close(): void {
    this.file.close();
  }

  private addPlaces(refs: readonly Ref[]): void {
    this.insertPlaces([...new Map(refs.map((ref) => [writePlace(ref).key, writePlace(ref)])).values()]);
  }

  private insertPlaces(places: readonly ReturnType<typeof writePlace>[]): void {
    const insert = `INSERT OR IGNORE INTO places (key, app, windows, path)
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)`;
    const rows = places.map(
      ({ key, app, windows, path }) => `[${key},${JSON.stringify([app, windows, path]).slice(1)}`,
    );
    this.file.run(insert, `[${rows.join(",")}]`);
  }

  /** The number of an application's run; the oldest are dropped, with all that was known of their objects. */
  private openLife(key: string): number {
    const find = "SELECT life FROM lives WHERE key = CAST(? AS INTEGER)";
    const known = this.file.get(find, key);
    if (known !== undefined) return Number(known.life);
    const old = "SELECT life FROM lives ORDER BY last_seen DESC, life DESC LIMIT -1 OFFSET ?";
    this.file.run(`DELETE FROM objects WHERE life IN (${old})`, maxLives - 1);
    this.file.run(`DELETE FROM lives WHERE life IN (${old})`, maxLives - 1);
    this.file.run("INSERT INTO lives (key, last_seen) VALUES (CAST(? AS INTEGER), ?)", key, nowInSeconds());
    return Number(this.file.get(find, key)?.life);
  }

  private noteWindow({ app, window }: WindowKey, isNewLayout: boolean, now: number): void {
    const upsert = `INSERT INTO windows (key, app, name, looks, last_seen) VALUES (CAST(? AS INTEGER), ?, ?, 1, ?)
      ON CONFLICT (key) DO UPDATE SET looks = looks + 1, layout = layout + ?, last_seen = excluded.last_seen`;
    this.file.run(upsert, windowKey({ app, window }), app, window, now, Number(isNewLayout));
  }
}

/** While an application starts, or where a part was asked for, a look does not show everything. */
const lastLooks = 20;
const maxMembers = 2000;

/** In a window with fewer controls than these one that comes or goes is no new layout. */
const fewControls = 5;

function windowKey({ app, window }: WindowKey): string {
  return hashText(`${app}\u0004${window}`);
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** Hashes are whole numbers that no JavaScript number can hold: they go in and out as text. */
function listNumbers(hashes: readonly string[]): string {
  return `[${hashes.join(",")}]`;
}

function listPairs(pairs: ReadonlyMap<string, number>): string {
  return `[${[...pairs].map(([hash, mark]) => `[${hash},${mark}]`).join(",")}]`;
}

function readPairs(rows: readonly Readonly<Record<string, unknown>>[]): ReadonlyMap<string, number> {
  return new Map(rows.map(({ hash, mark }) => [String(hash), Number(mark)]));
}
