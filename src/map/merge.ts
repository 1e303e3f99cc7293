import { centreOf, containsPoint } from "../model/bounds.ts";
import type { Detection } from "../model/detection.ts";
import type { LearnerRole } from "../model/role.ts";
import { judgeConfidence, type Target } from "../model/target.ts";
import { areaOf, type Bond, compareAreas, measureGap, pairUp, putInOrder, shareInside } from "./pair.ts";
import { compareTexts, makePreparedText, type PreparedText } from "./resolve/similarity.ts";

/** What tells of one window. */
export interface MergeSources {
  /** What the platform or a page tells of now. */
  readonly seen: readonly Target[];
  /** What was found in a picture that was taken now. */
  readonly detections: readonly Detection[];
  /** What the map has of this window, placed where the window is now. */
  readonly remembered: readonly Target[];
}

export interface MergeSettings {
  readonly app: string;
  readonly window: string;
  /** Physical pixels for one that people count in, on the monitor where the window is. */
  readonly scale: number;
  readonly nowMs: number;
}

/** As far as anything is looked for, before scaling. What lies in or on a control, and what it is called, decide first. */
const visionReachPx = 50;
const memoryReachPx = 30;

const corroboration = 0.1;
const mostConfidence = 0.99;
const reliable = { hits: 3, confidence: 0.7 } as const;
/** Letters are misread: from here on two labels may be one. */
const alike = 0.6;
const mostlyInside = 0.7;
const sameSize = 0.5;
/** A text in a container names it only where it fills a good part of it. */
const fillsContainer = 0.15;

/** What is written in these is what they hold, not their name. */
const fields: ReadonlySet<LearnerRole> = new Set(["input", "textarea", "select", "slider"]);
const containers: ReadonlySet<LearnerRole> = new Set(["window", "dialog", "toolbar", "menu", "image", "unknown"]);

/**
 * One list of what several sources tell of a window. The platform is never moved or contradicted: pictures make it surer,
 * name what has no name and add what it does not know; the map adds what was learned. The order of the lists does not
 * matter. A target that only a picture has shown, and that the map does not know, has the mark 0.
 */
export function mergeSources(sources: MergeSources, settings: MergeSettings): Target[] {
  const known = putInOrder(sources.seen).map(prepare);
  const remembered = putInOrder(sources.remembered).map(prepare);
  const found = corroborate(known, putInOrder(sources.detections).map(prepare), settings);
  const pairs = pairWithMemory(found, remembered, settings.scale);
  const told = found.map((one, at) => recall(one, remembered[pairs.get(at) ?? -1]?.thing, settings.nowMs));
  const used = new Set(pairs.values());
  const unseen = remembered.filter((_, at) => !used.has(at)).map(({ thing }) => thing);
  return sortTargets([...told, ...unseen.filter(isWorthTelling).map(tellStale)]);
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

/** The platform's targets with what a picture says to them, and what only the picture has. */
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

function judgeVision(target: Prepared<Target>, detection: Prepared<Detection>, reach: number): Bond | undefined {
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

/** A text beside a control without a name, where neither has another neighbour that it could belong to. */
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

/** Words in a field are not a control of their own. */
function isContentOf({ bounds }: Detection, target: Target): boolean {
  const isLeaf = target.bounds !== undefined && !containers.has(target.role);
  return isLeaf && areaOf(bounds) > 0 && shareInside(bounds, target.bounds) >= mostlyInside;
}

function describeSeen({ role, label, bounds, confidence }: Detection, { app, window, nowMs }: MergeSettings): Target {
  return {
    mark: 0,
    source: "vision",
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

/** By their marks; and what is left, by what it is called and where it is. */
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

function judgeMemory(one: Found, memory: Prepared<Target>, scale: number): Bond | undefined {
  const [now, before] = [one.thing, memory.thing];
  // Of what the platform told both times, recognition has said already that they are two.
  if (isPlatforms(now) && isPlatforms(before)) return undefined;
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
  // "report-1.pdf" and "report-2.pdf" are nearly the same word, and two files.
  if (gap > 0 || before.source === "vision") return undefined;
  if (isNamed && likeness >= alike) return { rank: 2, closeness };
  if (!isNamed && closeness >= sameSize) return { rank: 3, closeness };
  // A person may call a control anything, and pointed at it.
  const isPointedAt = isTaughtPlace(before) && before.clickPoint !== undefined && !containers.has(now.role);
  return isPointedAt && containsPoint(now.bounds, before.clickPoint) ? { rank: 4, closeness } : undefined;
}

function isPlatforms({ source }: Target): boolean {
  return source !== "vision" && source !== "learned";
}

/** Known by its place alone, because a person pointed there. */
function isTaughtPlace({ source, taught }: Target): boolean {
  return source === "learned" && taught !== "";
}

/** What is seen now, with what was learned about it before. */
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
  // Two records of one control add up; one that came both ways counts once.
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
    depth: now.source === "vision" ? before.depth : now.depth,
    visualHash: now.visualHash === "" ? before.visualHash : now.visualHash,
    layoutVersion: Math.max(now.layoutVersion, before.layoutVersion),
  };
}

/** What was used with success several times, and what a person pointed at, is told of though it is not seen. */
function isWorthTelling(memory: Target): boolean {
  return (memory.hits > reliable.hits || isTaughtPlace(memory)) && judgeConfidence(memory) > reliable.confidence;
}

function tellStale(memory: Target): Target {
  return {
    ...memory,
    source: "learned",
    confidence: judgeConfidence(memory),
    isLearned: memory.hits > 0 || memory.taught !== "",
    isStale: true,
  };
}

/** The surest first; then as people read. */
function sortTargets(targets: readonly Target[]): Target[] {
  const place = ({ bounds }: Target): [number, number] => [bounds?.y ?? Infinity, bounds?.x ?? Infinity];
  return putInOrder(targets).sort((a, b) => {
    const [[y, x], [otherY, otherX]] = [place(a), place(b)];
    return b.confidence - a.confidence || compareNumbers(y, otherY) || compareNumbers(x, otherX) || a.mark - b.mark;
  });
}

/** Two infinities have no difference. */
function compareNumbers(a: number, b: number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
