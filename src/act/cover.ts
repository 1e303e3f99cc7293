import { areaOf, type Bounds, containsBounds, containsPoint } from "../model/bounds.ts";
import { type Element, flatten, listWithPaths, type Placed } from "../model/element.ts";
import type { Failure } from "../model/failure.ts";
import { nameElement, quote } from "../model/observed.ts";
import { kindOfRole, type Role } from "../model/role.ts";
import { hasTrait } from "../model/trait.ts";
import type { Attempt } from "./attempt.ts";
import { findOwnPoint } from "./click-point.ts";
import { isInPopup } from "./popups.ts";

const maxButtons = 6;
/** A busy page answers late; until then, a drawing that lets presses through may be taken for a cover. */
const proofMs = 1500;
/** What covers so much of a page is no part of its content. */
const curtainShare = 0.5;
const barShare = 0.9;
const edge = 2;

/** Their text is typed or pointed at, and pages lay hints and icons of their own over them. */
const fieldRoles: ReadonlySet<Role> = new Set<Role>(["input", "spin", "slider", "document", "web"]);

/**
 * Refuses a control of a page that a person could not press, because something else of the page lies over it: its
 * accessible action would go through. The tree tells whether anything may, so that most presses ask nothing; then the
 * page's own hit test decides.
 */
export async function refuseCurtained(attempt: Attempt): Promise<Failure | undefined> {
  const { element, window, desktop, timeoutMs, sighting } = attempt;
  const { ancestors } = sighting.placed;
  const page = ancestors.findLast((one) => hasTrait(one, "proves-places"));
  const { root } = sighting.read;
  if (page?.bounds === undefined || root === undefined || fieldRoles.has(element.role)) return undefined;
  if (element.states.has("hidden") || window.state.includes("minimised")) return undefined;
  const point = findOwnPoint(element, window.bounds);
  if (point === undefined || element.bounds === undefined) return undefined;
  const own = new Set([...ancestors, ...flatten([element])]);
  const all = listWithPaths(root);
  const layers = findLayers(all, element.bounds, page.bounds, own);
  const isOver = (one: Element): boolean => one.bounds !== undefined && containsPoint(one.bounds, point);
  if (!layers.some(isOver) || (await isInPopup(attempt))) return undefined;
  let cover: Element | undefined;
  const isFree = await attempt.waitUntil(proofMs, async () => {
    const asked = await desktop.platform.askWhatIsAt(element, point, timeoutMs);
    const hit = asked.ok ? all.find((one) => one.element.handle === asked.value) : undefined;
    const isOther = hit !== undefined && !own.has(hit.element) && !isLabel(hit, own);
    cover = isOther ? [...hit.ancestors, hit.element].find((one) => layers.includes(one)) : undefined;
    return cover === undefined;
  });
  if (isFree || cover === undefined) return undefined;
  const inside = flatten(cover.children).filter(({ name, states }) => name !== "" && !states.has("hidden"));
  const failure = attempt.describe(
    "COVERED",
    `${nameCover(cover, inside)} covers ${nameElement(element)}`,
    "close what covers it first.",
  );
  const buttons = inside.filter(({ role }) => role === "button");
  return { ...failure, nearest: buttons.slice(-maxButtons).map(nameElement) };
}

/**
 * The outermost elements that may lie over the control: they surround it without containing it. Bars at an edge of the
 * page do not count, since scrolling uncovers what is below them. Neither does a small one that comes before the
 * control: a page may report the place from which an animation moved a control, where other content is now.
 */
function findLayers(all: readonly Placed[], of: Bounds, page: Bounds, own: ReadonlySet<Element>): readonly Element[] {
  const at = all.findIndex(({ element }) => own.has(element) && element.bounds === of);
  const surrounds = (one: Element): boolean =>
    one.bounds !== undefined && !own.has(one) && !one.states.has("hidden") && containsBounds(one.bounds, of);
  const isLayer = ({ element, ancestors }: Placed, index: number): boolean => {
    const { bounds } = element;
    // A box without a size may hold what is laid over the page.
    if (bounds === undefined || !surrounds(element) || ancestors.some(surrounds)) return false;
    const isCurtain = areaOf(bounds) >= curtainShare * areaOf(page);
    return isCurtain || (index > at && areaOf(bounds) > areaOf(of) && !isBar(bounds, page));
  };
  return all.filter(isLayer).map(({ element }) => element);
}

function isBar(bounds: Bounds, page: Bounds): boolean {
  const isWide = bounds.width >= barShare * page.width;
  const isHigh = bounds.height >= barShare * page.height;
  const bottom = page.y + page.height - bounds.y - bounds.height;
  const right = page.x + page.width - bounds.x - bounds.width;
  return (
    (isWide && Math.min(bounds.y - page.y, bottom) <= edge) || (isHigh && Math.min(bounds.x - page.x, right) <= edge)
  );
}

/** The label of a box is often drawn over it, and a press on it presses the box. */
function isLabel({ element, ancestors }: Placed, own: ReadonlySet<Element>): boolean {
  const shared = ancestors.findLastIndex((one) => own.has(one));
  return [...ancestors.slice(shared), element].some(({ platformRole }) => platformRole === "label");
}

/** A box without a name is named by the first words in it. */
function nameCover(cover: Element, inside: readonly Element[]): string {
  const words = cover.name === "" ? inside.find(({ role }) => kindOfRole(role) === "text")?.name : undefined;
  return words === undefined ? nameElement(cover) : `what shows ${quote(words)}`;
}
