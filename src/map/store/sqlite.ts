import { fail, type Result, succeed } from "../../model/failure.ts";
import type { Ref, StoredRef } from "../../model/ref.ts";
import { sources } from "../../model/source.ts";
import { judgeConfidence, type Learned, type Moment } from "../../model/target.ts";
import { describeFailure, MapFile } from "./database.ts";
import { findTempers, readCounter } from "./exchange.ts";
import { findMoments, noteAct } from "./history.ts";
import { describeNoNumbers, isLeasing, takeLeased } from "./leases.ts";
import { listPairs, setObjects } from "./objects.ts";
import {
  type BareTarget,
  type ContainerState,
  type LastInput,
  type Lives,
  type MapStore,
  MapUnavailable,
  type Member,
  type SeenWindow,
  type StoredTarget,
  type TargetQuery,
  type WindowKey,
} from "./port.ts";
import { findChangedRefs, listTargets } from "./query-targets.ts";
import { dropUnusedPlaces, findLayout, recordSeen } from "./record-seen.ts";
import {
  addContainers,
  nowInSeconds,
  readLearned,
  readRef,
  reliabilityBinOf,
  selectTargets,
  targetColumns,
  toContainerRow,
  writeTarget,
} from "./rows.ts";

/** The map in the user's data directory. */
export class SqliteStore implements MapStore {
  /** How many leased numbers were wanted and not available. */
  protected wantedNumbers = 0;

  protected constructor(readonly file: MapFile) {}

  static open(path: string): Result<SqliteStore> {
    try {
      return succeed(new SqliteStore(MapFile.open(path)));
    } catch (error) {
      return fail(describeFailure(path, error));
    }
  }

  static over(file: MapFile): SqliteStore {
    return new SqliteStore(file);
  }

  findMarks(hashes: readonly string[]): ReadonlyMap<string, number> {
    const find = "SELECT key, mark FROM json_each(?) CROSS JOIN evidence ON hash = value";
    return readPairs(this.file.all(find, listNumbers(hashes)), hashes);
  }

  findObjects(hashes: Lives): ReadonlyMap<string, number> {
    const find = "SELECT key, mark FROM json_each(?2) CROSS JOIN objects ON life = ?1 AND hash = value";
    const found = [...hashes].flatMap(([key, own]) => {
      const known = this.file.get("SELECT life FROM lives WHERE key = CAST(? AS INTEGER)", key);
      if (known === undefined) return [];
      return [...readPairs(this.file.all(find, Number(known.life), listNumbers(own)), own)];
    });
    return new Map(found);
  }

  followAlias(mark: number): number {
    return Number(this.file.get("SELECT mark FROM aliases WHERE alias = ?", mark)?.mark ?? mark);
  }

  findRef(mark: number): StoredRef | undefined {
    const row = this.file.get(selectTargets, JSON.stringify([this.followAlias(mark)]));
    return row === undefined ? undefined : readRef(row);
  }

  findNames(marks: readonly number[]): ReadonlyMap<number, string> {
    const find = "SELECT mark, name FROM targets WHERE mark IN (SELECT value FROM json_each(?))";
    return new Map(this.file.all(find, JSON.stringify(marks)).map(({ mark, name }) => [Number(mark), String(name)]));
  }

  findChangedRefs(refs: ReadonlyMap<number, Ref>): readonly number[] {
    return findChangedRefs(this.file, refs);
  }

  findMembers(places: readonly Pick<Ref, "app" | "windows" | "path">[]): readonly Member[] {
    // Most requested containers are unknown: start the joins with the keys.
    const find = `SELECT looks - last_look AS missing, ${targetColumns} FROM places CROSS JOIN targets USING (place)
      WHERE key IN (SELECT value FROM json_each(?)) AND last_look >= looks - ${lastLooks} LIMIT ${maxMembers}`;
    const rows = this.file.all(find, listNumbers(places.map((place) => toContainerRow(place).key)));
    return rows.map((row) => ({ mark: Number(row.mark), ref: readRef(row), missing: Number(row.missing) }));
  }

  findLiving(life: string, marks: readonly number[]): ReadonlySet<number> {
    const find = `SELECT DISTINCT mark FROM objects WHERE life = (SELECT life FROM lives WHERE key = CAST(? AS INTEGER))
      AND mark IN (SELECT value FROM json_each(?))`;
    return new Set(this.file.all(find, life, JSON.stringify(marks)).map(({ mark }) => Number(mark)));
  }

  countMarks(): number {
    return readCounter(this.file);
  }

  /** Numbers are taken in the transaction that uses them; AUTOINCREMENT keeps them from being reused. */
  allotMarks(refs: readonly Ref[]): number[] {
    addContainers(this.file, refs);
    const marks = this.takeNumbers(refs.length);
    const now = nowInSeconds();
    const insert = `INSERT INTO targets (mark, place, first_seen, last_seen, role, name, platform_id, position, alike, owner,
        sister_before, sister_after, twins, has_twin, x, y, width, height)
      VALUES (?, (SELECT place FROM places WHERE key = CAST(? AS INTEGER)), ?, ?, ${Array(14).fill("?").join(", ")})`;
    this.file.runEach(
      insert,
      refs.map((one, index) => [marks[index] ?? 0, toContainerRow(one).key, now, now, ...writeTarget(one)]),
    );
    return marks;
  }

  setEvidence(evidence: ReadonlyMap<string, number>): void {
    if (evidence.size === 0) return;
    const upsert = `INSERT INTO evidence (hash, mark) SELECT value ->> 0, value ->> 1 FROM json_each(?) WHERE true ORDER BY 1
      ON CONFLICT (hash) DO UPDATE SET mark = excluded.mark`;
    this.file.run(upsert, listPairs(evidence));
  }

  setObjects(evidence: ReadonlyMap<string, ReadonlyMap<string, number>>): void {
    setObjects(this.file, evidence);
  }

  dropEvidence(hashes: readonly string[]): void {
    if (hashes.length === 0) return;
    this.file.run("DELETE FROM evidence WHERE hash IN (SELECT value FROM json_each(?))", listNumbers(hashes));
  }

  updateRefs(refs: ReadonlyMap<number, Ref>): void {
    const update = `UPDATE targets SET role = ?, name = ?, platform_id = ?, position = ?, alike = ?, owner = ?, sister_before = ?,
      sister_after = ?, twins = ?, has_twin = ?, x = ?, y = ?, width = ?, height = ?,
      place = (SELECT place FROM places WHERE key = CAST(? AS INTEGER)) WHERE mark = ?`;
    addContainers(this.file, [...refs.values()]);
    this.file.runEach(
      update,
      [...refs].map(([mark, one]) => [...writeTarget(one), toContainerRow(one).key, mark]),
    );
  }

  nameApplications(names: ReadonlyMap<string, ReadonlySet<string>>): void {
    // Only the requested ones: an old map has hundreds, and every read comes through here.
    const find = "SELECT app, name FROM names WHERE app IN (SELECT value FROM json_each(?))";
    const known = groupNames(this.file.all(find, JSON.stringify([...names.keys()])));
    const news = [...names].flatMap(([app, own]) => {
      return [...own].filter((name) => !known.get(app)?.has(name)).map((name) => [app, name]);
    });
    if (news.length === 0) return;
    const insert = "INSERT OR IGNORE INTO names (app, name) SELECT value ->> 0, value ->> 1 FROM json_each(?)";
    this.file.run(insert, JSON.stringify(news));
  }

  listNames(): ReadonlyMap<string, ReadonlySet<string>> {
    return groupNames(this.file.all("SELECT app, name FROM names"));
  }

  listApps(): readonly string[] {
    return this.file.all("SELECT DISTINCT app FROM places ORDER BY app").map(({ app }) => String(app));
  }

  countByApplication(): ReadonlyMap<string, number> {
    // Counts by container first, from the index alone: each container is then looked up once, not once per control.
    const count = `SELECT app, sum(own) AS amount FROM (SELECT place, count(*) AS own FROM targets GROUP BY place)
      JOIN places USING (place) GROUP BY app`;
    return new Map(this.file.all(count).map(({ app, amount }) => [String(app), Number(amount)]));
  }

  findTempers(marks: readonly number[]): ReadonlyMap<number, boolean> {
    return findTempers(this.file, marks);
  }

  setTempers(tempers: ReadonlyMap<number, boolean>): void {
    const upsert = `INSERT INTO tempers (mark, is_calm) SELECT value ->> 0, value ->> 1 FROM json_each(?) WHERE true
      ON CONFLICT (mark) DO UPDATE SET is_calm = min(is_calm, excluded.is_calm)`;
    this.file.run(upsert, JSON.stringify([...tempers].map(([mark, isCalm]) => [mark, Number(isCalm)])));
  }

  findInputs(pids: readonly number[]): readonly LastInput[] {
    const find = `SELECT value ->> 0 AS at, value ->> 1 AS is_confirmed FROM own
      WHERE name IN (SELECT 'input ' || value FROM json_each(?))`;
    const rows = this.file.all(find, JSON.stringify(pids));
    return rows.map(({ at, is_confirmed }) => ({ atMs: Number(at), isConfirmed: is_confirmed === 1 }));
  }

  noteInput(pids: readonly number[], { atMs, isConfirmed }: LastInput): void {
    this.file.run("DELETE FROM own WHERE name GLOB 'input *' AND value ->> 0 < ?", atMs - inputMs);
    const upsert = `INSERT INTO own (name, value) SELECT 'input ' || value, ? FROM json_each(?) WHERE true
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
    this.file.run(upsert, JSON.stringify([atMs, Number(isConfirmed)]), JSON.stringify(pids));
  }

  findContainers(keys: readonly string[]): ReadonlyMap<string, ContainerState> {
    const find = `SELECT CAST(key AS TEXT) AS key, looks, CAST(state AS TEXT) AS state, last_seen FROM places
      WHERE key IN (SELECT value FROM json_each(?))`;
    const rows = this.file.all(find, listNumbers(keys));
    return new Map(
      rows.map(({ key, looks, state, last_seen }) => {
        return [String(key), { looks: Number(looks), state: String(state), lastSeenMs: Number(last_seen) * 1000 }];
      }),
    );
  }

  touchContainers(keys: readonly string[], lives: readonly string[]): void {
    const now = nowInSeconds();
    for (const [table, own] of [["places", keys] as const, ["lives", lives] as const]) {
      const update = `UPDATE ${table} SET last_seen = ? WHERE key IN (SELECT value FROM json_each(?))`;
      this.file.run(update, now, listNumbers(own));
    }
  }

  recordSeen(window: SeenWindow): void {
    recordSeen(this.file, window);
  }

  findLayout(window: WindowKey): number {
    return findLayout(this.file, window);
  }

  findLearned(marks: readonly number[]): ReadonlyMap<number, Learned> {
    const rows = this.file.all(selectTargets, JSON.stringify(marks));
    return new Map(rows.map((row) => [Number(row.mark), readLearned(row)]));
  }

  findMoments(mark: number): readonly Moment[] {
    return findMoments(this.file, this.followAlias(mark));
  }

  countAct(mark: number, isHit: boolean): void {
    const column = isHit ? "hits" : "misses";
    const own = this.followAlias(mark);
    this.file.inTransaction(() => {
      const before = this.findLearned([own]).get(own);
      if (before === undefined) return;
      this.file.run(`UPDATE targets SET ${column} = ${column} + 1 WHERE mark = ?`, own);
      const note = `INSERT INTO reliability (bin, ${column}) VALUES (?, 1)
        ON CONFLICT (bin) DO UPDATE SET ${column} = ${column} + 1`;
      this.file.run(note, reliabilityBinOf(judgeConfidence(before)));
      noteAct(this.file, own);
    });
  }

  teach(mark: number, name: string): void {
    const taught = name === "" ? null : name;
    this.file.run("UPDATE targets SET taught = ? WHERE mark = ?", taught, this.followAlias(mark));
  }

  setFeedback(mark: number, text: string): void {
    this.file.run("UPDATE targets SET feedback = ? WHERE mark = ?", text, this.followAlias(mark));
  }

  setPlace(mark: number, { source, certainty, point, bounds, visualHash }: BareTarget): void {
    const columns = ["source", "certainty", "press_x", "press_y", "x", "y", "width", "height", "visual_hash"];
    const update = `UPDATE targets SET ${columns.join(" = ?, ")} = ? WHERE mark = ?`;
    const box = [point.x, point.y, bounds.x, bounds.y, bounds.width, bounds.height];
    this.file.run(update, sources.indexOf(source), certainty ?? null, ...box, visualHash || null, mark);
  }

  dropUnusedPlaces(app: string, keep: number): void {
    dropUnusedPlaces(this.file, app, keep);
  }

  findTaught(apps: readonly string[]): ReadonlyMap<number, string> {
    // Few controls are taught, and an application may have thousands of containers: join in this order.
    const find = `SELECT mark, taught FROM targets INDEXED BY targets_taught CROSS JOIN places USING (place)
      WHERE taught IS NOT NULL AND app IN (SELECT value FROM json_each(?))`;
    const rows = this.file.all(find, JSON.stringify(apps));
    return new Map(rows.map(({ mark, taught }) => [Number(mark), String(taught)]));
  }

  listTargets(query: TargetQuery): readonly StoredTarget[] {
    return listTargets(this.file, query);
  }

  readVersion(): number {
    return Number(this.file.get("PRAGMA data_version")?.data_version ?? 0);
  }

  countOwnChanges(): number {
    return Number(this.file.get("SELECT total_changes() AS count")?.count ?? 0);
  }

  /** A local map has no server. */
  async settle(): Promise<string | undefined> {
    return undefined;
  }

  inTransaction<T>(work: () => T): T {
    return this.file.inTransaction(work);
  }

  close(): void {
    this.file.close();
  }

  private takeNumbers(count: number): number[] {
    const last = readCounter(this.file);
    if (!isLeasing(this.file)) return Array.from({ length: count }, (_, index) => last + 1 + index);
    const leased = takeLeased(this.file, count);
    if (leased !== undefined) return leased;
    this.wantedNumbers = count;
    throw new MapUnavailable(describeNoNumbers(count));
  }
}

/** A read during start-up, or of a part, does not include everything. */
const lastLooks = 20;
/** For how long the last input to a process is kept. */
const inputMs = 60_000;
const maxMembers = 2000;

/** Hashes exceed the range of JavaScript numbers and are passed as text. */
function listNumbers(hashes: readonly string[]): string {
  return `[${hashes.join(",")}]`;
}

/** Rows refer to a hash by its index in the request, which is shorter than the hash. */
function readPairs(
  rows: readonly Readonly<Record<string, unknown>>[],
  hashes: readonly string[],
): ReadonlyMap<string, number> {
  return new Map(rows.map(({ key, mark }) => [hashes[Number(key)] ?? "", Number(mark)]));
}

function groupNames(rows: readonly Readonly<Record<string, unknown>>[]): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const { app, name } of rows) {
    const key = String(app);
    names.set(key, (names.get(key) ?? new Set()).add(String(name)));
  }
  return names;
}
