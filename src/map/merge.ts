import { areaOf, centreOf, containsPoint } from "../model/bounds.ts";
import type { Detection } from "../model/detection.ts";
import type { LearnerRole } from "../model/role.ts";
import { judgeConfidence, type Target } from "../model/target.ts";
import { compareAreas, measureGap, type PairScore, pairUp, shareInside, sortByContent } from "./pair.ts";
import { compareTexts, makePreparedText, type PreparedText } from "./resolve/similarity.ts";

/** What each source reports about one window. */
export interface MergeSources {
  /** From the platform or a page, read now. */
  readonly seen: readonly Target[];
  /** Found in a picture taken now. */
  readonly detections: readonly Detection[];
  /** From the map, positioned where the window is now. */
  readonly remembered: readonly Target[];
}

export interface MergeSettings {
  readonly app: string;
  readonly window: string;
  /** Physical pixels per logical pixel on the window's monitor. */
  readonly scale: number;
  readonly nowMs: number;
}

/** Search distances before scaling. Containment and names decide first. */
const visionReachPx = 50;
const memoryReachPx = 30;

const corroboration = 0.1;
const mostConfidence = 0.99;
const reliable = { hits: 3, confidence: 0.7 } as const;
/** Text recognition misreads letters: from this similarity on two labels may be the same. */
const alike = 0.6;
const mostlyInside = 0.7;
const sameSize = 0.5;
/** A text inside a container names it only if it fills a good part of it. */
const fillsContainer = 0.15;

/** Text in these is their value, not their name. */
const fields: ReadonlySet<LearnerRole> = new Set(["input", "textarea", "select", "slider"]);
const containers: ReadonlySet<LearnerRole> = new Set(["window", "dialog", "toolbar", "menu", "image", "unknown"]);

/**
 * Merges what several sources report about a window. Pictures never move or contradict the platform: they raise its
 * confidence, name unnamed elements and add what it does not know; the map adds what was learned. The order of the
 * inputs does not matter. A target seen only in a picture and unknown to the map has the mark 0.
 */
export function mergeSources(sources: MergeSources, settings: MergeSettings): Target[] {
  const known = sortByContent(sources.seen).map(prepare);
  const remembered = sortByContent(sources.remembered).map(prepare);
  const found = corroborate(known, sortByContent(sources.detections).map(prepare), settings);
  const pairs = pairWithMemory(found, remembered, settings.scale);
  const told = found.map((one, at) => recall(one, remembered[pairs.get(at) ?? -1]?.thing, settings.nowMs));
  const used = new Set(pairs.values());
  const unseen = remembered.filter((_, at) => !used.has(at)).map(({ thing }) => thing);
  return sortTargets([...told, ...unseen.filter(isWorthReporting).map(reportStale)]);
}

interface Prepared<T> {
  readonly thing: T;
  readonly text: PreparedText;
}

interface Found extends Prepared<Target> {
  readonly isCorroborated: boolean;
}

function prepare<T extends { readonly label: string; readonly taught?: string }>(thing: T): Prepared<T> {
  return { thing, text: makePreparedText(thing.label === "" ? (thing.taught ?? "") : thing.label) };
}

/** The platform's targets with their detections, followed by the detections that match none. */
function corroborate(
  known: readonly Prepared<Target>[],
  detections: readonly Prepared<Detection>[],
  settings: MergeSettings,
): Found[] {
  const reach = visionReachPx * settings.scale;
  const pairs = new Map(pairUp(known, detections, (target, detection) => judgeVision(target, detection, reach)));
  for (const [at, detectionAt] of findCaptions(known, detections, pairs, reach)) pairs.set(at, detectionAt);
  const used = new Set(pairs.values());
  const confirmed = known.map(({ thing }, at): Found => {
    const detection = detections[pairs.get(at) ?? -1]?.thing;
    const label = thing.label === "" && detection !== undefined ? detection.label : thing.label;
    const source = thing.source === "dom" ? "dom" : detection === undefined ? "a11y" : "a11y+vision";
    return { ...prepare({ ...thing, label, source }), isCorroborated: detection !== undefined };
  });
  const added = detections
    .filter(({ thing }, at) => !used.has(at) && !known.some((target) => isContentOf(thing, target.thing)))
    .map(({ thing }): Found => ({ ...prepare(describeSeen(thing, settings)), isCorroborated: false }));
  return [...confirmed, ...added];
}

function judgeVision(target: Prepared<Target>, detection: Prepared<Detection>, reach: number): PairScore | undefined {
  const { bounds, role } = target.thing;
  const place = detection.thing.bounds;
  if (bounds === undefined || areaOf(bounds) === 0 || areaOf(place) === 0) return undefined;
  const gap = measureGap(bounds, place);
  if (gap > reach) return undefined;
  const likeness = compareTexts(target.text, detection.text);
  const isNamed = target.text.text !== "" && detection.text.text !== "";
  const closeness = compareAreas(bounds, place);
  const isInside = shareInside(place, bounds) >= mostlyInside || shareInside(bounds, place) >= mostlyInside;
  if (!isInside) return isNamed && likeness === 1 ? { rank: 4, closeness: -gap } : undefined;
  const isSame = isNamed && likeness === 1;
  if (containers.has(role) && closeness < (isSame ? fillsContainer : sameSize)) return undefined;
  if (isSame) return { rank: 0, closeness };
  if (isNamed && likeness >= alike) return { rank: 1, closeness };
  if (isNamed) return { rank: 3, closeness };
  return fields.has(role) ? undefined : { rank: 2, closeness };
}

/** Pairs an unnamed control with a text beside it if neither has another candidate. */
function findCaptions(
  known: readonly Prepared<Target>[],
  detections: readonly Prepared<Detection>[],
  pairs: ReadonlyMap<number, number>,
  reach: number,
): [number, number][] {
  const used = new Set(pairs.values());
  const free = detections.flatMap(({ thing, text }, at) => (used.has(at) || text.text === "" ? [] : [{ thing, at }]));
  const leaves = known.flatMap(({ thing, text }, at) =>
    containers.has(thing.role) || thing.bounds === undefined ? [] : [{ thing, bounds: thing.bounds, text, at }],
  );
  const near = free.flatMap((detection) =>
    leaves
      .filter(({ bounds }) => measureGap(bounds, detection.thing.bounds) <= reach)
      .map((leaf) => ({ leaf, detection })),
  );
  const rivals = countRivals(near.flatMap(({ leaf, detection }) => [`leaf ${leaf.at}`, `text ${detection.at}`]));
  const isAlone = (key: string): boolean => rivals.get(key) === 1;
  return near
    .filter(({ leaf, detection }) => isAlone(`leaf ${leaf.at}`) && isAlone(`text ${detection.at}`))
    .filter(({ leaf, detection }) => leaf.text.text === "" && !isContentOf(detection.thing, leaf.thing))
    .filter(({ leaf }) => !pairs.has(leaf.at))
    .map(({ leaf, detection }) => [leaf.at, detection.at]);
}

function countRivals(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Text inside a field is not a separate control. */
function isContentOf({ bounds }: Detection, target: Target): boolean {
  const isLeaf = target.bounds !== undefined && !containers.has(target.role);
  return isLeaf && areaOf(bounds) > 0 && shareInside(bounds, target.bounds) >= mostlyInside;
}

function describeSeen({ role, label, bounds, confidence }: Detection, { app, window, nowMs }: MergeSettings): Target {
  return {
    mark: 0,
    source: "ocr",
    certainty: Math.max(0, Math.min(1, confidence)),
    firstSeenMs: nowMs,
    lastSeenMs: nowMs,
    same: 0,
    moved: 0,
    missing: 0,
    hits: 0,
    misses: 0,
    taught: "",
    parent: undefined,
    depth: 0,
    visualHash: "",
    layoutVersion: 0,
    app,
    window,
    role,
    label,
    bounds,
    clickPoint: centreOf(bounds),
    confidence: 0,
    isLearned: false,
    isStale: false,
  };
}

/** Pairs by mark first, the rest by name and position. */
function pairWithMemory(
  found: readonly Found[],
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

function judgeMemory(one: Found, memory: Prepared<Target>, scale: number): PairScore | undefined {
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
  if (gap > 0 || before.source === "ocr") return undefined;
  if (isNamed && likeness >= alike) return { rank: 2, closeness };
  if (!isNamed && closeness >= sameSize) return { rank: 3, closeness };
  // A taught name need not resemble the label: the person pointed at the control.
  const isPointedAt = isTaughtPlace(before) && before.clickPoint !== undefined && !containers.has(now.role);
  return isPointedAt && containsPoint(now.bounds, before.clickPoint) ? { rank: 4, closeness } : undefined;
}

function isFromPlatform({ source }: Target): boolean {
  return source !== "ocr" && source !== "learned";
}

/** Known only by the place a person pointed at. */
function isTaughtPlace({ source, taught }: Target): boolean {
  return source === "learned" && taught !== "";
}

/** Adds what was learned to what is seen now. */
function recall({ thing, isCorroborated }: Found, memory: Target | undefined, nowMs: number): Target {
  const learned = memory === undefined ? thing : addLearned(thing, memory);
  const target = { ...learned, missing: 0, lastSeenMs: nowMs, isStale: false };
  const taught = memory !== undefined && isTaughtPlace(memory) ? judgeConfidence({ ...memory, missing: 0 }) : 0;
  const judged = Math.max(judgeConfidence(target), taught);
  return {
    ...target,
    confidence: isCorroborated ? Math.min(mostConfidence, judged + corroboration) : judged,
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
    depth: now.source === "ocr" ? before.depth : now.depth,
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
