import { compareTexts, makePreparedText, type PreparedText } from "../map/resolve/similarity.ts";
import { areaOf, type Bounds } from "../model/bounds.ts";
import { type Element, flatten } from "../model/element.ts";
import { type LearnerRole, learnerRole } from "../model/role.ts";
import { compareAreas, measureGap, type PairScore, pairUp, shareInside, sortByContent } from "./pair.ts";

/** Search distance before scaling. Containment and names decide first. */
const visionReachPx = 50;

/** Text recognition misreads letters: from this similarity on two labels may be the same. */
export const alike = 0.6;
const mostlyInside = 0.7;
export const sameSize = 0.5;
/** An area that is left out is the visible part of its box. */
const sameBox = 0.9;
/** A text inside a container names it only if it fills a good part of it. */
const fillsContainer = 0.15;

/** Text in these is their value, not their name. */
const fields: ReadonlySet<LearnerRole> = new Set(["input", "textarea", "select", "slider"]);
export const containers: ReadonlySet<LearnerRole> = new Set([
  "window",
  "dialog",
  "toolbar",
  "menu",
  "image",
  "unknown",
]);

/** What is compared: an element of the tree, or one of the picture. */
interface Shape {
  readonly at: number;
  readonly role: LearnerRole;
  readonly label: string;
  readonly bounds: Bounds | undefined;
}

interface Seen extends Shape {
  readonly bounds: Bounds;
}

export interface Prepared<T> {
  readonly thing: T;
  readonly text: PreparedText;
}

export function prepare<T extends { readonly label: string; readonly taught?: string }>(thing: T): Prepared<T> {
  return { thing, text: makePreparedText(thing.label === "" ? (thing.taught ?? "") : thing.label) };
}

/**
 * A window's tree with what its picture shows. The picture never moves or contradicts the tree: it confirms elements,
 * names unnamed ones, and adds what the tree does not have: only in areas that it leaves out, where those are known. The
 * order of what it shows does not matter.
 */
export function mergePicture(
  root: Element,
  pictured: readonly Element[],
  scale: number,
  untold: readonly Bounds[] = [],
): Element {
  const isBox = ({ bounds }: Element): boolean =>
    bounds !== undefined && untold.some((area) => compareAreas(bounds, area) >= sameBox);
  const elements = flatten(root.children).filter((one) => !one.states.has("hidden") && !isBox(one));
  const known = sortByContent(elements.map(describeShape)).map(prepare);
  const shown = pictured
    .map(describeShape)
    .flatMap(({ bounds, ...one }) => (bounds === undefined ? [] : [{ ...one, bounds }]));
  const found = sortByContent(shown).map(prepare);
  const reach = visionReachPx * scale;
  const pairs = new Map(pairUp(known, found, (one, seen) => judgeVision(one, seen, reach)));
  for (const [at, seenAt] of findCaptions(known, found, pairs, reach)) pairs.set(at, seenAt);
  const confirmed = new Map<Element, Element>();
  for (const [at, seenAt] of pairs) {
    const [element, seen] = [elements[known[at]?.thing.at ?? -1], pictured[found[seenAt]?.thing.at ?? -1]];
    if (element !== undefined && seen !== undefined) confirmed.set(element, seen);
  }
  const used = new Set(pairs.values());
  const added = found
    .filter(({ thing }, at) => !used.has(at) && !known.some((one) => isContentOf(thing, one.thing)))
    .filter(
      ({ thing }) => untold.length === 0 || untold.some((area) => shareInside(thing.bounds, area) >= mostlyInside),
    )
    .flatMap(({ thing }) => pictured[thing.at] ?? []);
  return { ...root, children: [...confirmAll(root.children, confirmed), ...added] };
}

function describeShape({ role, name: label, bounds }: Element, at: number): Shape {
  return { role: learnerRole(role), label, bounds, at };
}

function confirmAll(elements: readonly Element[], confirmed: ReadonlyMap<Element, Element>): readonly Element[] {
  return elements.map((element) => {
    const children = confirmAll(element.children, confirmed);
    const seen = confirmed.get(element);
    if (seen !== undefined) {
      const source = element.source === "a11y" ? "a11y+vision" : element.source;
      return { ...element, name: element.name === "" ? seen.name : element.name, source, children };
    }
    return children.every((child, at) => child === element.children[at]) ? element : { ...element, children };
  });
}

function judgeVision(target: Prepared<Shape>, detection: Prepared<Seen>, reach: number): PairScore | undefined {
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
  known: readonly Prepared<Shape>[],
  detections: readonly Prepared<Seen>[],
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
function isContentOf({ bounds }: Seen, target: Shape): boolean {
  const isLeaf = target.bounds !== undefined && !containers.has(target.role);
  return isLeaf && areaOf(bounds) > 0 && shareInside(bounds, target.bounds) >= mostlyInside;
}
