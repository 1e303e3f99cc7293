import { areaOf, type Bounds, intersect } from "../model/bounds.ts";
import { type Element, flatten } from "../model/element.ts";
import type { Result } from "../model/failure.ts";
import type { WindowRead } from "../model/snapshot.ts";
import { applicationKeyOf, type Window } from "../model/window.ts";
import { describeFailure } from "./fill.ts";

/** Puts the pages of added sources into the trees of their windows, each in place of the tree's own view of it. */
export function graftPages(
  windows: readonly Window[],
  trees: Result<readonly WindowRead[]>,
  pages: readonly WindowRead[],
): readonly WindowRead[] {
  const byWindow = Map.groupBy(pages, ({ window }) => window.id);
  const reads = trees.ok
    ? trees.value
    : windows.map((window): WindowRead => {
        return { window, appKey: applicationKeyOf(window), root: undefined, notes: [describeFailure(trees.failure)] };
      });
  return reads.map((read) => (byWindow.get(read.window.id) ?? []).reduce(graftPage, read));
}

function graftPage(read: WindowRead, page: WindowRead): WindowRead {
  const { root } = page;
  const notes = [...read.notes, ...page.notes];
  if (root === undefined) return { ...read, notes };
  if (read.root === undefined) return { ...read, notes: notes.filter(({ code }) => code !== "NO_TREE"), root };
  return { ...read, notes, root: graftOnce(read.root, root) };
}

/** A mirror gives the same objects as long as nothing changed: so does this. */
const grafted = new WeakMap<Element, { readonly page: Element; readonly whole: Element }>();

function graftOnce(root: Element, page: Element): Element {
  const known = grafted.get(root);
  if (known?.page === page) return known.whole;
  const area = findArea(root, page);
  const whole = area === undefined ? { ...root, children: [...root.children, page] } : replace(root, area, page);
  grafted.set(root, { page, whole });
  return whole;
}

/** Half of the page must lie in it: of several tabs only one is shown, and a frame is smaller than its page. */
const minOverlap = 0.5;

/** The tree's own view of a page: the web area of the same address, else the outermost one at the same place. */
function findArea(root: Element, page: Element): Element | undefined {
  const areas = flatten([root]).filter(({ role, source }) => role === "web" && source !== page.source);
  const isSameAddress = ({ url }: Element): boolean => url !== "" && url === page.url;
  return areas.find(isSameAddress) ?? areas.find(({ bounds }) => overlaps(bounds, page.bounds));
}

function overlaps(area: Bounds | undefined, page: Bounds | undefined): boolean {
  const common = area && page && intersect(area, page);
  return common !== undefined && areaOf(common) >= minOverlap * areaOf(page ?? common);
}

function replace(root: Element, old: Element, page: Element): Element {
  if (root === old) return page;
  const children = root.children.map((child) => replace(child, old, page));
  return children.every((child, at) => child === root.children[at]) ? root : { ...root, children };
}
