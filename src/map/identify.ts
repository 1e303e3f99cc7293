import { screenSpace } from "../model/bounds.ts";
import { type Element, flatten } from "../model/element.ts";
import type { Ref, Step } from "../model/ref.ts";
import { kindOfRole, type Role } from "../model/role.ts";
import type { WindowRead } from "../model/snapshot.ts";

const maxOwnerTexts = 3;
/** How far up a control's own texts may be: a button, its box, its row. */
const maxOwnerLevels = 3;

const listRoles: ReadonlySet<Role> = new Set<Role>(["list", "table", "tree", "menu", "tablist"]);
const entryRoles: ReadonlySet<Role> = new Set<Role>(["item", "row", "option", "treeitem", "cell"]);

interface Place {
  readonly app: string;
  readonly window: string;
  readonly path: readonly Step[];
  /** The texts of each container on the way, nearest last. */
  readonly texts: readonly string[];
  /** Whether it is below an entry of a list, whose object may show another item at any time. */
  readonly isInEntry: boolean;
}

/**
 * Describes every element of a window so that it can be told from every other, now and after a restart. `windowName`
 * tells the window from others of the same application; it is empty when there are none. Keyed by runtime id.
 */
export function describeRefs(read: WindowRead, windowName: string): ReadonlyMap<string, Ref> {
  const refs = new Map<string, Ref>();
  if (read.root === undefined) return refs;
  const { role, name } = read.root;
  // A frame's title holds the document's name: it changes while the window stays. A dialog's title says which dialog.
  const title = role === "dialog" ? name : windowName;
  const place: Place = { app: read.appKey, window: `${role}:${title}`, path: [], texts: [], isInEntry: false };
  const twins = countLooks(read.root);
  // For the same reason a window's name is not part of what it is.
  refs.set(read.root.runtimeId, { ...makeRef(read.root, place, twins), name: title });
  describeChildren(read.root, place, twins, refs);
  return refs;
}

function describeChildren(
  parent: Element,
  place: Place,
  twins: ReadonlyMap<string, number>,
  refs: Map<string, Ref>,
): void {
  const inside = { ...place, texts: [...place.texts, readTexts(parent)] };
  const entries = nameEntries(parent);
  for (const child of parent.children) {
    const entry = entries.get(child);
    const step = makeStep(child, entry);
    const ref = makeRef(child, inside, twins);
    // An entry is what it says: its object may show another item at any time.
    refs.set(child.runtimeId, entry === undefined ? ref : { ...ref, ...step, hasTwin: true });
    if (child.children.length === 0) continue;
    const path = [...place.path, step];
    const isInEntry = place.isInEntry || entryRoles.has(child.role);
    // Texts outside an entry say nothing about whose controls are inside it.
    const texts = entryRoles.has(child.role) ? [] : inside.texts;
    describeChildren(child, { ...inside, path, texts, isInEntry }, twins, refs);
  }
}

interface Entry {
  readonly text: string;
  /** Whether no other entry says the same: then its words tell more than its place, and hold when the list is sorted anew. */
  readonly isUnique: boolean;
}

/** The entries of a list by what they say. */
function nameEntries(parent: Element): ReadonlyMap<Element, Entry> {
  const isList = listRoles.has(parent.role);
  const entries = parent.children.filter((child) => entryRoles.has(child.role) || (isList && child.alikeCount > 1));
  const named = new Map<Element, Entry>();
  for (const [text, holders] of Map.groupBy(entries, readTexts)) {
    for (const holder of holders) if (text !== "") named.set(holder, { text, isUnique: holders.length === 1 });
  }
  return named;
}

function makeStep(container: Element, entry: Entry | undefined): Step {
  const { role, alikeIndex, alikeCount } = container;
  const name = entry === undefined ? pathNameOf(container) : `${pathNameOf(container)}\u0001${entry.text}`;
  return entry?.isUnique ? { role, name, index: 0, count: 1 } : { role, name, index: alikeIndex, count: alikeCount };
}

/** A page is known by its address, since its title may count unread mails; any other container by its own name. */
function pathNameOf(element: Element): string {
  return element.role === "web" && element.url !== "" ? element.url : element.ownName;
}

/** What a container says by itself: its own words, and those of the texts right inside it. */
function readTexts(container: Element): string {
  const isText = (element: Element): boolean => kindOfRole(element.role) === "text" || entryRoles.has(element.role);
  // An entry's name may be made of everything in it; a text's and a plain item's is its own words.
  const isOwn = kindOfRole(container.role) === "text" || container.role === "item";
  const own = isText(container) ? [isOwn ? container.name : container.ownName] : [];
  const inside = container.children.filter(
    (child) => isText(child) && (container.states.has("hidden") || !child.states.has("hidden")),
  );
  const texts = [...own, ...inside.map((child) => child.name)].filter((text) => text !== "");
  return texts.slice(0, maxOwnerTexts).join("\u0002");
}

function makeRef(element: Element, place: Place, twins: ReadonlyMap<string, number>): Ref {
  const { role, name, platformId, runtimeId, bounds } = element;
  const { app, window, path, texts } = place;
  return {
    app,
    window,
    path,
    role,
    name,
    platformId,
    index: element.alikeIndex,
    count: element.alikeCount,
    owner: texts.slice(-maxOwnerLevels).findLast((text) => text !== "") ?? "",
    hasTwin: place.isInEntry || (twins.get(lookOf(element)) ?? 0) > 1,
    runtimeId,
    bounds,
    space: screenSpace,
  };
}

function countLooks(root: Element): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const element of flatten([root])) counts.set(lookOf(element), (counts.get(lookOf(element)) ?? 0) + 1);
  return counts;
}

function lookOf(element: Element): string {
  return `${element.role}\u0000${element.name}`;
}
