import { compareTexts, makePreparedText } from "../map/resolve/similarity.ts";
import { containsPoint } from "../model/bounds.ts";
import { isPixelSource, isSeenSource } from "../model/source.ts";
import { judgeConfidence, type Target } from "../model/target.ts";
import { alike, containers, type Prepared, prepare, sameSize } from "./merge.ts";
import { compareAreas, measureGap, type PairScore, pairUp, sortByContent } from "./pair.ts";

/** What is known of one window: seen now, and remembered, positioned where the window is now. */
export interface MemorySources {
  readonly seen: readonly Target[];
  readonly remembered: readonly Target[];
}

export interface MemorySettings {
  /** Physical pixels per logical pixel on the window's monitor. */
  readonly scale: number;
  readonly nowMs: number;
}

/** Search distance before scaling. */
const memoryReachPx = 30;
const corroboration = 0.1;
const mostConfidence = 0.99;
const reliable = { hits: 3, confidence: 0.7 } as const;

/** Adds what was learned to what is seen, and what was reliable and is not seen. The order of the inputs does not matter. */
export function mergeMemory({ seen, remembered: memory }: MemorySources, { scale, nowMs }: MemorySettings): Target[] {
  const found = sortByContent(seen).map(prepare);
  const remembered = sortByContent(memory).map(prepare);
  const pairs = pairWithMemory(found, remembered, scale);
  const told = found.map(({ thing }, at) => recall(thing, remembered[pairs.get(at) ?? -1]?.thing, nowMs));
  const used = new Set(pairs.values());
  const unseen = remembered.filter((_, at) => !used.has(at)).map(({ thing }) => thing);
  return sortTargets([...told, ...unseen.filter(isWorthReporting).map(reportStale)]);
}

/** Pairs by mark first, the rest by name and position. */
function pairWithMemory(
  found: readonly Prepared<Target>[],
  remembered: readonly Prepared<Target>[],
  scale: number,
): ReadonlyMap<number, number> {
  const places = new Map(remembered.map(({ thing }, at) => [thing.mark, at]));
  const pairs = new Map<number, number>();
  for (const [at, { thing }] of found.entries()) {
    const memoryAt = places.get(thing.mark);
    if (thing.mark === 0 || memoryAt === undefined) continue;
    pairs.set(at, memoryAt);
    places.delete(thing.mark);
  }
  const left = [...found.keys()].filter((at) => !pairs.has(at));
  const leftPlaces = [...places.values()];
  const more = pairUp(left, leftPlaces, (at, memoryAt) => {
    const [one, memory] = [found[at], remembered[memoryAt]];
    return one && memory && judgeMemory(one, memory, scale);
  });
  for (const [leftAt, placeAt] of more) pairs.set(left[leftAt] ?? -1, leftPlaces[placeAt] ?? -1);
  return pairs;
}

function judgeMemory(one: Prepared<Target>, memory: Prepared<Target>, scale: number): PairScore | undefined {
  const [now, before] = [one.thing, memory.thing];
  // Recognition has already decided that two platform targets are different.
  if (isFromPlatform(now) && isFromPlatform(before)) return undefined;
  if (now.bounds === undefined || before.bounds === undefined) return undefined;
  const gap = measureGap(now.bounds, before.bounds);
  if (gap > memoryReachPx * scale) return undefined;
  const isNamed = one.text.text !== "" && memory.text.text !== "";
  const likeness = Math.max(
    compareTexts(one.text, memory.text),
    before.taught === "" ? 0 : compareTexts(one.text, makePreparedText(before.taught)),
  );
  const closeness = compareAreas(now.bounds, before.bounds) - gap;
  if (isNamed && likeness === 1) return { rank: 1, closeness };
  // "report-1.pdf" and "report-2.pdf" are nearly equal, and two files.
  if (gap > 0 || isSeenSource(before.source)) return undefined;
  if (isNamed && likeness >= alike) return { rank: 2, closeness };
  if (!isNamed && closeness >= sameSize) return { rank: 3, closeness };
  // A taught name need not resemble the label: the person pointed at the control.
  const isPointedAt = isTaughtPlace(before) && before.clickPoint !== undefined && !containers.has(now.role);
  return isPointedAt && containsPoint(now.bounds, before.clickPoint) ? { rank: 4, closeness } : undefined;
}

function isFromPlatform({ source }: Target): boolean {
  return !isPixelSource(source);
}

/** Known only by the place a person pointed at. */
function isTaughtPlace({ source, taught }: Target): boolean {
  return source === "learned" && taught !== "";
}

function recall(thing: Target, memory: Target | undefined, nowMs: number): Target {
  const learned = memory === undefined ? thing : addLearned(thing, memory);
  const target = { ...learned, missing: 0, lastSeenMs: nowMs, isStale: false };
  const taught = memory !== undefined && isTaughtPlace(memory) ? judgeConfidence({ ...memory, missing: 0 }) : 0;
  const judged = Math.max(judgeConfidence(target), taught);
  return {
    ...target,
    confidence: thing.source === "a11y+vision" ? Math.min(mostConfidence, judged + corroboration) : judged,
    isLearned: target.hits > 0 || target.taught !== "",
  };
}

function addLearned(now: Target, before: Target): Target {
  const isSameRecord = now.mark === before.mark;
  // Two records of one control add up; the same record counts once.
  const add = (key: "same" | "moved" | "hits" | "misses"): number => before[key] + (isSameRecord ? 0 : now[key]);
  return {
    ...now,
    mark: now.mark === 0 ? before.mark : now.mark,
    label: now.label === "" ? before.taught || before.label : now.label,
    firstSeenMs: Math.min(now.firstSeenMs, before.firstSeenMs),
    same: add("same"),
    moved: add("moved"),
    hits: add("hits"),
    misses: add("misses"),
    taught: now.taught === "" ? before.taught : now.taught,
    parent: now.parent ?? before.parent,
    depth: isSeenSource(now.source) ? before.depth : now.depth,
    visualHash: now.visualHash === "" ? before.visualHash : now.visualHash,
    layoutVersion: Math.max(now.layoutVersion, before.layoutVersion),
  };
}

/** Targets that are not visible are reported if they were used successfully several times or taught. */
function isWorthReporting(memory: Target): boolean {
  return (memory.hits > reliable.hits || isTaughtPlace(memory)) && judgeConfidence(memory) > reliable.confidence;
}

function reportStale(memory: Target): Target {
  return {
    ...memory,
    source: "learned",
    confidence: judgeConfidence(memory),
    isLearned: memory.hits > 0 || memory.taught !== "",
    isStale: true,
  };
}

/** Highest confidence first, then in reading order. */
function sortTargets(targets: readonly Target[]): Target[] {
  const place = ({ bounds }: Target): [number, number] => [bounds?.y ?? Infinity, bounds?.x ?? Infinity];
  return sortByContent(targets).sort((a, b) => {
    const [[y, x], [otherY, otherX]] = [place(a), place(b)];
    return b.confidence - a.confidence || compareNumbers(y, otherY) || compareNumbers(x, otherX) || a.mark - b.mark;
  });
}

/** Infinity - Infinity is NaN. */
function compareNumbers(a: number, b: number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
