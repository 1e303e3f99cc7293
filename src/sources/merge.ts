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
 * A window's tree with what its picture shows. The picture only confirms elements and adds what the tree does not have;
 * names and places stay, and so do marks. It adds only in `gaps`, where the tree has nothing; anywhere if those are not
 * known. The order of what it shows does not matter.
 */
export function mergePicture(
  root: Element,
  pictured: readonly Element[],
  scale: number,
  gaps?: readonly Bounds[],
): Element {
  const isBox = ({ bounds }: Element): boolean =>
    bounds !== undefined && gaps?.some((gap) => compareAreas(bounds, gap) >= sameBox) === true;
  const elements = flatten(root.children).filter((one) => !one.states.has("hidden") && !isBox(one));
  const known = sortByContent(elements.map(describeShape)).map(prepare);
  const shown = pictured
    .map(describeShape)
    .flatMap(({ bounds, ...one }) => (bounds === undefined ? [] : [{ ...one, bounds }]));
  const found = sortByContent(shown).map(prepare);
  const isTold = (seen: Seen): boolean => known.some((one) => isContentOf(seen, one.thing));
  const isInGap = ({ bounds }: Seen): boolean => gaps?.some((gap) => shareInside(bounds, gap) >= mostlyInside) === true;
  // What is in a gap is not a second sighting of what stands beside it.
  const isNew = (seen: Seen): boolean => isInGap(seen) && !isTold(seen);
  const rest = found.filter(({ thing }) => !isNew(thing));
  const pairs = [...pairUp(known, rest, (one, seen) => judgeVision(one, seen, visionReachPx * scale))];
  const confirmed = new Set(pairs.flatMap(([at]) => elements[known[at]?.thing.at ?? -1] ?? []));
  const used = new Set(pairs.flatMap(([, at]) => rest[at]?.thing ?? []));
  const added = found
    .filter(({ thing }) => isNew(thing) || (gaps === undefined && !used.has(thing) && !isTold(thing)))
    .flatMap(({ thing }) => pictured[thing.at] ?? []);
  return { ...root, children: [...confirmAll(root.children, confirmed), ...added] };
}

function describeShape({ role, name: label, bounds }: Element, at: number): Shape {
  return { role: learnerRole(role), label, bounds, at };
}

function confirmAll(elements: readonly Element[], confirmed: ReadonlySet<Element>): readonly Element[] {
  return elements.map((element) => {
    const children = confirmAll(element.children, confirmed);
    if (confirmed.has(element) && element.source === "a11y") return { ...element, source: "a11y+vision", children };
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

/** Text inside a field is not a separate control. */
function isContentOf({ bounds }: Seen, target: Shape): boolean {
  const isLeaf = target.bounds !== undefined && !containers.has(target.role);
  return isLeaf && areaOf(bounds) > 0 && shareInside(bounds, target.bounds) >= mostlyInside;
}
