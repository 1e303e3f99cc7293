import { judgeConfidence, type Learned, type Moment } from "../../model/target.ts";
import type { MapFile } from "./database.ts";
import { nowInSeconds, readLearned, selectTargets } from "./rows.ts";

/** Smaller changes get no row: a second sighting adds 0.04 to almost every control. */
const leastChange = 0.05;
const hourSeconds = 3600;
const daySeconds = 86_400;
/** For how long hourly rows are kept; older ones are thinned to one per day. */
const hourlyDays = 7;
const maxMoments = 60;
const thousand = 1000;

/** A control's confidence over time, oldest first: after actions and whenever it changed. */
export function findMoments(file: MapFile, mark: number): readonly Moment[] {
  const rows = file.all("SELECT at, confidence, hits, misses FROM history WHERE mark = ? ORDER BY at", mark);
  return rows.map(({ at, confidence, hits, misses }) => ({
    atMs: Number(at) * thousand,
    confidence: Number(confidence) / thousand,
    hits: Number(hits),
    misses: Number(misses),
  }));
}

/** Records an action: the control gets a row for this hour whatever its confidence. */
export function noteAct(file: MapFile, mark: number): void {
  for (const learned of readAll(file, [mark])) write(file, learned);
}

/**
 * Records changed containers; `gone` marks are no longer in them. Controls that came back are found by their existing
 * history, so all others cost one index lookup each.
 */
export function recordPresence(file: MapFile, gone: readonly number[], present: readonly number[]): void {
  const find = "SELECT DISTINCT mark FROM json_each(?) CROSS JOIN history ON mark = value";
  const back = present.length === 0 ? [] : file.all(find, JSON.stringify(present)).map(({ mark }) => Number(mark));
  for (const learned of readAll(file, [...gone, ...back])) {
    if (Math.abs(judgeConfidence(learned) - findLast(file, learned)) >= leastChange) write(file, learned);
  }
}

function readAll(file: MapFile, marks: readonly number[]): Learned[] {
  return marks.length === 0 ? [] : file.all(selectTargets, JSON.stringify(marks)).map(readLearned);
}

/** Without a row, the confidence as of when it was last present. */
function findLast(file: MapFile, learned: Learned): number {
  const row = file.get("SELECT confidence FROM history WHERE mark = ? ORDER BY at DESC LIMIT 1", learned.mark);
  return row === undefined ? judgeConfidence({ ...learned, missing: 0 }) : Number(row.confidence) / thousand;
}

/** One row per hour: a later one replaces it. */
function write(file: MapFile, learned: Learned): void {
  const { mark, hits, misses } = learned;
  const now = nowInSeconds();
  file.run("DELETE FROM history WHERE mark = ? AND at >= ?", mark, now - (now % hourSeconds));
  const insert = "INSERT INTO history (mark, at, confidence, hits, misses) VALUES (?, ?, ?, ?, ?)";
  file.run(insert, mark, now, Math.round(judgeConfidence(learned) * thousand), hits, misses);
  const count = Number(file.get("SELECT count(*) AS amount FROM history WHERE mark = ?", mark)?.amount ?? 0);
  if (count > maxMoments) thin(file, mark, now);
}

function thin(file: MapFile, mark: number, now: number): void {
  const lastOfDays = `SELECT max(at) FROM history WHERE mark = ?1 GROUP BY at / ${daySeconds}`;
  const old = `DELETE FROM history WHERE mark = ?1 AND at < ?2 AND at NOT IN (${lastOfDays})`;
  file.run(old, mark, now - hourlyDays * daySeconds);
  const newest = `SELECT at FROM history WHERE mark = ?1 ORDER BY at DESC LIMIT ${maxMoments}`;
  file.run(`DELETE FROM history WHERE mark = ?1 AND at NOT IN (${newest})`, mark);
}
