import type { StoredRef } from "../../model/ref.ts";
import { sources } from "../../model/source.ts";
import type { Learned } from "../../model/target.ts";
import type { MapFile, Row } from "./database.ts";
import type { StoredTarget } from "./port.ts";
import { addContainers, readTarget, targetColumns, toContainerRow, writeTarget } from "./rows.ts";

/** What one map has counted for one control. The counts of several maps add up, each map once. */
export type Counts = Pick<Learned, "same" | "moved" | "hits" | "misses">;

export function combineCounts(one: Counts, other: Counts, combine: (one: number, other: number) => number): Counts {
  return {
    same: combine(one.same, other.same),
    moved: combine(one.moved, other.moved),
    hits: combine(one.hits, other.hits),
    misses: combine(one.misses, other.misses),
  };
}

export function subtractCounts(all: Counts, part: Counts): Counts {
  return combineCounts(all, part, (one, other) => Math.max(0, one - other));
}

/** The part of a control's counts that was imported from another map, under that map's number. */
export interface Share extends Counts {
  readonly origin: string;
  readonly number: number;
}

export interface KeptTarget extends StoredTarget {
  readonly shares: readonly Share[];
  /** True if it was observed and changes only when acted on; undefined if it was not observed. */
  readonly isCalm: boolean | undefined;
}

const batchSize = 1000;

/** A random id that identifies this map. */
export function readMapId(file: MapFile): string {
  return String(file.get("SELECT value FROM own WHERE name = 'map'")?.value ?? "");
}

/** All targets by ascending number, in batches. */
export function* readTargets(file: MapFile): Generator<readonly KeptTarget[]> {
  const find = `SELECT ${targetColumns} FROM targets JOIN places USING (place) WHERE mark > ? ORDER BY mark LIMIT ${batchSize}`;
  let last = 0;
  while (true) {
    const targets = file.all(find, last).map(readTarget);
    if (targets.length === 0) return;
    const marks = targets.map(({ learned }) => learned.mark);
    const [shares, tempers] = [findShares(file, marks), findTempers(file, marks)];
    yield targets.map((one) => {
      const { mark } = one.learned;
      return { ...one, shares: shares.get(mark) ?? [], isCalm: tempers.get(mark) };
    });
    last = marks.at(-1) ?? last;
  }
}

export function findShares(file: MapFile, marks: readonly number[]): ReadonlyMap<number, readonly Share[]> {
  const find = `SELECT mark, origin, number, same, moved, hits, misses FROM imported
    WHERE mark IN (SELECT value FROM json_each(?)) ORDER BY origin, number`;
  const shares = new Map<number, Share[]>();
  for (const row of file.all(find, JSON.stringify(marks))) {
    const mark = Number(row.mark);
    shares.set(mark, [...(shares.get(mark) ?? []), readShare(row)]);
  }
  return shares;
}

/** What was imported before, by the other map's numbers. */
export function findTaken(
  file: MapFile,
  keys: readonly Pick<Share, "origin" | "number">[],
): ReadonlyMap<string, Share & { readonly mark: number }> {
  const find = `SELECT mark, origin, number, same, moved, hits, misses FROM json_each(?) CROSS JOIN imported
    WHERE origin = value ->> 0 AND number = value ->> 1`;
  const rows = file.all(find, JSON.stringify(keys.map(({ origin, number }) => [origin, number])));
  return new Map(rows.map((row) => [keyOf(readShare(row)), { ...readShare(row), mark: Number(row.mark) }]));
}

export function keyOf({ origin, number }: Pick<Share, "origin" | "number">): string {
  return `${origin} ${number}`;
}

export function setShares(file: MapFile, shares: readonly (Share & { readonly mark: number })[]): void {
  const upsert = `INSERT INTO imported (origin, number, mark, same, moved, hits, misses) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (origin, number) DO UPDATE SET mark = excluded.mark, same = max(same, excluded.same),
      moved = max(moved, excluded.moved), hits = max(hits, excluded.hits), misses = max(misses, excluded.misses)`;
  file.runEach(
    upsert,
    shares.map(({ origin, number, mark, same, moved, hits, misses }) => {
      return [origin, number, mark, same, moved, hits, misses];
    }),
  );
}

/** A control of another map, under its number here. */
export interface NewTarget {
  readonly mark: number;
  readonly ref: StoredRef;
  readonly clickPoint: StoredTarget["clickPoint"];
  readonly learned: Omit<Learned, "mark" | "missing" | "depth" | "parent" | "feedback">;
}

export function addTargets(file: MapFile, targets: readonly NewTarget[]): void {
  const columns = `mark, place, role, name, platform_id, position, alike, owner, sister_before, sister_after, twins, has_twin,
    x, y, width, height, press_x, press_y, source, certainty, first_seen, last_seen, same, moved, hits, misses, taught,
    visual_hash, layout`;
  addContainers(
    file,
    targets.map(({ ref }) => ref),
  );
  const insert = `INSERT INTO targets (${columns})
    VALUES (?, (SELECT place FROM places WHERE key = CAST(? AS INTEGER)), ${Array(27).fill("?").join(", ")})`;
  file.runEach(
    insert,
    targets.map(({ mark, ref, clickPoint, learned }) => [
      ...[mark, toContainerRow(ref).key, ...writeTarget({ ...ref, handle: "", life: "" })],
      ...[clickPoint?.x ?? null, clickPoint?.y ?? null, sources.indexOf(learned.source), learned.certainty ?? null],
      ...[toSeconds(learned.firstSeenMs), toSeconds(learned.lastSeenMs)],
      ...[learned.same, learned.moved, learned.hits, learned.misses],
      ...[learned.taught || null, learned.visualHash || null, learned.layoutVersion],
    ]),
  );
}

/** The increase of another map's counts since the last import. Its taught name is used only if there is none here. */
export interface Addition extends Counts {
  readonly mark: number;
  readonly taught: string;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
}

export function addCounts(file: MapFile, additions: readonly Addition[]): void {
  const update = `UPDATE targets SET same = same + ?, moved = moved + ?, hits = hits + ?, misses = misses + ?,
    taught = coalesce(taught, ?), first_seen = min(first_seen, ?), last_seen = max(last_seen, ?) WHERE mark = ?`;
  file.runEach(
    update,
    additions.map(({ mark, same, moved, hits, misses, taught, firstSeenMs, lastSeenMs }) => {
      return [same, moved, hits, misses, taught || null, toSeconds(firstSeenMs), toSeconds(lastSeenMs), mark];
    }),
  );
}

export function addAliases(file: MapFile, aliases: ReadonlyMap<number, number>): void {
  file.runEach("INSERT OR IGNORE INTO aliases (alias, mark) VALUES (?, ?)", [...aliases]);
}

/** Last-seen times; targets that do not exist are absent. */
export function findLastSeen(file: MapFile, marks: readonly number[]): ReadonlyMap<number, number> {
  const find = "SELECT mark, last_seen FROM targets WHERE mark IN (SELECT value FROM json_each(?))";
  const rows = file.all(find, JSON.stringify(marks));
  return new Map(rows.map(({ mark, last_seen }) => [Number(mark), Number(last_seen) * 1000]));
}

/** The highest number allotted so far. */
export function readCounter(file: MapFile): number {
  return Number(file.get("SELECT seq FROM sqlite_sequence WHERE name = 'targets'")?.seq ?? 0);
}

export function raiseCounter(file: MapFile, last: number): void {
  file.run(
    "INSERT INTO sqlite_sequence (name, seq) SELECT 'targets', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'targets')",
  );
  file.run("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'targets'", last);
}

export function findTempers(file: MapFile, marks: readonly number[]): ReadonlyMap<number, boolean> {
  const find = "SELECT mark, is_calm FROM tempers WHERE mark IN (SELECT value FROM json_each(?))";
  return new Map(file.all(find, JSON.stringify(marks)).map(({ mark, is_calm }) => [Number(mark), is_calm === 1]));
}

function readShare({ origin, number, same, moved, hits, misses }: Row): Share {
  return {
    origin: String(origin),
    number: Number(number),
    same: Number(same),
    moved: Number(moved),
    hits: Number(hits),
    misses: Number(misses),
  };
}

function toSeconds(atMs: number): number {
  return Math.floor(atMs / 1000);
}
