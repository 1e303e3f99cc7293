import { screenSpace } from "../model/bounds.ts";
import type { Element } from "../model/element.ts";
import type { Ref, Step } from "../model/ref.ts";
import type { WindowRead } from "../model/snapshot.ts";

/** Texts taken from a container to tell it from its look-alikes. */
const maxOwnerTexts = 3;
const maxOwnerNodes = 30;

interface Place {
  readonly app: string;
  readonly window: string;
  readonly path: readonly Step[];
  readonly owner: string;
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
  const place: Place = { app: read.appKey, window: `${role}:${title}`, path: [], owner: "" };
  // For the same reason a window's name is not part of what it is.
  refs.set(read.root.runtimeId, { ...makeRef(read.root, place), name: title });
  describeChildren(read.root, place, refs);
  return refs;
}

function describeChildren(parent: Element, place: Place, refs: Map<string, Ref>): void {
  const owners = readOwners(parent);
  for (const child of parent.children) {
    refs.set(child.runtimeId, makeRef(child, place));
    if (child.children.length === 0) continue;
    const owner = owners.get(child);
    const path = [...place.path, makeStep(child, owner)];
    describeChildren(child, { ...place, path, owner: owner?.text ?? place.owner }, refs);
  }
}

interface Owner {
  readonly text: string;
  /** Whether no look-alike holds the same texts: then they say more than a position in the list. */
  readonly isUnique: boolean;
}

/** What tells apart the containers among a parent's children that look alike, such as the rows of a list. */
function readOwners(parent: Element): ReadonlyMap<Element, Owner> {
  const owners = new Map<Element, Owner>();
  const containers = parent.children.filter((child) => child.alikeCount > 1 && child.children.length > 0);
  const byText = Map.groupBy(containers, readTexts);
  for (const [text, holders] of byText) {
    for (const holder of holders) owners.set(holder, { text, isUnique: text !== "" && holders.length === 1 });
  }
  return owners;
}

function makeStep(container: Element, owner: Owner | undefined): Step {
  const name = pathNameOf(container);
  if (owner?.isUnique) return { role: container.role, name: `${name}\u0001${owner.text}`, index: 0, count: 1 };
  return { role: container.role, name, index: container.alikeIndex, count: container.alikeCount };
}

/** A page is known by its address, since its title may count unread mails; any other container by its own name. */
function pathNameOf(element: Element): string {
  return element.role === "web" && element.url !== "" ? element.url : element.ownName;
}

function readTexts(container: Element): string {
  const texts: string[] = [];
  let left = maxOwnerNodes;
  const visit = (element: Element): void => {
    left -= 1;
    if (left < 0 || texts.length >= maxOwnerTexts) return;
    if (element.name !== "" && element !== container) texts.push(element.name);
    for (const child of element.children) visit(child);
  };
  visit(container);
  return texts.join("\u0002");
}

function makeRef(element: Element, place: Place): Ref {
  const { role, name, platformId, runtimeId, bounds, alikeIndex, alikeCount } = element;
  return {
    ...place,
    role,
    name,
    platformId,
    index: alikeIndex,
    count: alikeCount,
    runtimeId,
    bounds,
    space: screenSpace,
  };
}
