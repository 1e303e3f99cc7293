import { isManager } from "../atspi/collect.ts";
import { coordinatesOf } from "../atspi/details.ts";
import { getStates, isNodeShown, type RawNode, readNode, roleNameOf, type Walk, walkNodes } from "../atspi/nodes.ts";
import { type Extents, nullPath, type Peer } from "../atspi/peer.ts";
import { isShown, type Quirks } from "../atspi/quirks.ts";
import { descend, maxListed } from "../atspi/walk.ts";
import { unlessRefused } from "../dbus/bus.ts";
import { checkNode, type Depth, dropContent, hasContent, isOnlyCounted, isSameExtents } from "./check-node.ts";

/**
 * How much of a node to reread, from least to most: nothing below it; only its descendants; also its child count; also its states; only the
 * positions below it; all facts, name, role and children; the node itself; the node and its children; everything below
 * it. If a fact differs, the node is reread as for "children".
 */
export const levels = ["keep", "pass", "count", "glance", "place", "check", "self", "children", "whole"] as const;
export type Level = (typeof levels)[number];

export interface RereadRequest {
  readonly peer: Peer;
  readonly quirks: Quirks;
  readonly levelOf: (node: RawNode) => Level;
  /** Whether positions are requested too. */
  readonly isPlaced: boolean;
  /** Whether hidden nodes may have become visible anywhere. */
  readonly isSurvey: boolean;
}

export interface Reread {
  /** The present trees. The former ones stay unchanged. */
  readonly frames: readonly RawNode[];
  /** Nodes that were read anew, without details. */
  readonly fresh: ReadonlySet<RawNode>;
  /** Former details by present ones, of nodes that only moved. */
  readonly placed: ReadonlyMap<RawNode["details"], RawNode["details"]>;
  readonly cuts: ReadonlyMap<string, string>;
}

interface Visit extends RereadRequest {
  /** A node may have two parents: Chromium lists a bubble in its window and as a window. It stays one. */
  readonly results: Map<RawNode, Promise<RawNode | undefined>>;
  readonly walk: Walk;
  /** Former nodes; they are in the walk's list so that their descendants find them. */
  readonly old: Set<RawNode>;
  readonly placed: Map<RawNode["details"], RawNode["details"]>;
}

/** Rereads parts of some trees, using the walk that reads whole ones. */
export async function rereadTrees(request: RereadRequest, frames: readonly RawNode[]): Promise<Reread> {
  const { peer, quirks } = request;
  const walk: Walk = { peer, quirks, includeHidden: false, nodes: new Map(), cuts: new Map() };
  const visit: Visit = { ...request, walk, results: new Map(), old: new Set(), placed: new Map() };
  const present = await Promise.all(frames.map((frame) => reread(visit, frame, false, false)));
  const fresh = new Set([...walk.nodes.values()].filter((node) => !visit.old.has(node)));
  const managers = [...fresh].filter(
    (node) => isManager(node) && node.children.length === 0 && isShown(quirks, node.states),
  );
  if (managers.length > 0) {
    const { readCellsInView } = await import("../atspi/cells.ts");
    await Promise.all(managers.map((manager) => readCellsInView(walk, manager)));
    for (const node of walk.nodes.values()) if (!visit.old.has(node)) fresh.add(node);
  }
  return { frames: present.filter((frame) => frame !== undefined), fresh, placed: visit.placed, cuts: walk.cuts };
}

/** Reads a new frame completely; a node that also hangs elsewhere, such as an open list, stays one. */
export async function readFrame(
  { peer, quirks }: Pick<RereadRequest, "peer" | "quirks">,
  known: ReadonlyMap<string, RawNode>,
  path: string,
  parentPath: string,
  index: number,
): Promise<Reread> {
  const walk: Walk = { peer, quirks, includeHidden: false, nodes: new Map(known), cuts: new Map() };
  const states = await unlessRefused(getStates(walk, path));
  const node = states && (await readNode(walk, [peer.name, path], states, parentPath, index));
  if (node !== undefined) await descend(walk, node);
  const isNew = (one: RawNode): boolean => known.get(one.path) !== one;
  const managers = [...walk.nodes.values()].filter(
    (one) => isNew(one) && isManager(one) && isShown(quirks, one.states),
  );
  if (managers.length > 0) {
    const { readCellsInView } = await import("../atspi/cells.ts");
    await Promise.all(managers.map((manager) => readCellsInView(walk, manager)));
  }
  const fresh = new Set([...walk.nodes.values()].filter(isNew));
  return { frames: node === undefined ? [] : [node], fresh, placed: new Map(), cuts: walk.cuts };
}

function reread(visit: Visit, node: RawNode, isInWhole: boolean, isInChoice: boolean): Promise<RawNode | undefined> {
  const result = visit.results.get(node) ?? rereadOnce(visit, node, isInWhole, isInChoice);
  visit.results.set(node, result);
  return result;
}

async function rereadOnce(
  visit: Visit,
  node: RawNode,
  isInWhole: boolean,
  isInChoice: boolean,
): Promise<RawNode | undefined> {
  const level = isInWhole ? "whole" : visit.levelOf(node);
  if (level === "keep") return node;
  if (level === "count") return countAgain(visit, node, isInChoice);
  if (level === "glance") return checkAgain(visit, node, isInChoice, { isClose: false, isPlaced: visit.isPlaced });
  if (level === "check") return checkAgain(visit, node, isInChoice, { isClose: true, isPlaced: true });
  if (level === "place") {
    if (!visit.isSurvey) return placeAgain(visit, node);
    return checkAgain({ ...visit, isPlaced: true }, node, isInChoice, { isClose: false, isPlaced: true });
  }
  const { walk, quirks } = visit;
  const isChoice = isInChoice || roleNameOf(node) === "combo box";
  const isListed = level === "children" || level === "whole";
  // A container that manages its descendants, or has very many, is searched again for the visible ones.
  const isSearched = isListed && (isManager(node) || node.childCount > maxListed);
  register(visit, node);
  if (level === "pass") return register(visit, { ...node, children: await rereadInside(visit, node, false, isChoice) });
  const wasShown = isChoice || isNodeShown(quirks, node);
  const [self, inside] = await Promise.all([
    readSelf(visit, node),
    isSearched || !wasShown
      ? new Map<RawNode, RawNode | undefined>()
      : rereadChildren(visit, node, level === "whole", isChoice, isListed && visit.isSurvey),
  ]);
  if (self === undefined || !(isChoice || isNodeShown(quirks, self))) return self;
  const isLeftOut = !isSearched && wasShown && inside.size < node.children.length;
  const isRead = isListed || isLeftOut || self.childCount !== node.childCount || !wasShown;
  const isSearchedNow = isManager(self) || self.childCount > maxListed;
  if (isRead && isSearchedNow) {
    // Otherwise they would be taken for nodes that were just read.
    for (const inner of walkNodes(node)) if (inner !== node) walk.nodes.delete(inner.path);
    walk.nodes.set(self.path, self);
    if (!isManager(self)) await descend(walk, self, isChoice);
    return self;
  }
  self.isReadInPart = node.isReadInPart === true;
  self.children = isSearched ? [] : [...inside.keys()];
  if (isRead) {
    self.isReadInPart = false;
    await descend(walk, self, isChoice);
  }
  if (isRead && quirks.cache === "filled by asking") return adopt(visit, self, node, inside);
  self.children = self.children
    .map((child) => (inside.has(child) ? inside.get(child) : child))
    .filter((child) => child !== undefined);
  return self;
}

/**
 * GTK 4.8 lists the widgets of a stack as its children, and each names its page as parent. The cache, which a first
 * read uses, places them under the page.
 */
async function adopt(
  visit: Visit,
  self: RawNode,
  before: RawNode,
  inside: ReadonlyMap<RawNode, RawNode | undefined>,
): Promise<RawNode> {
  const { walk } = visit;
  const listed = self.children.map((child) => inside.get(child) ?? child);
  const parents = await Promise.all(listed.map(({ path }) => unlessRefused(walk.peer.getParent(path))));
  const pages = new Map<string, RawNode | undefined>();
  const children: RawNode[] = [];
  for (const [index, child] of listed.entries()) {
    const path = parents[index]?.[1] ?? self.path;
    if (path === self.path || path === nullPath) {
      children.push(child);
      continue;
    }
    const known = before.children.find((page) => page.path === path);
    const page = pages.has(path) ? pages.get(path) : await readPage(visit, known, path, self.path, children.length);
    if (!pages.has(path) && page !== undefined) children.push(page);
    pages.set(path, page);
    child.parentPath = path;
    page?.children.push(child);
  }
  self.children = children;
  return self;
}

async function readPage(
  visit: Visit,
  known: RawNode | undefined,
  path: string,
  parentPath: string,
  index: number,
): Promise<RawNode | undefined> {
  const { walk, old } = visit;
  if (known !== undefined) {
    old.add(known);
    walk.nodes.set(path, known);
  }
  const states = await unlessRefused(getStates(walk, path));
  return states && readNode(walk, [walk.peer.name, path], states, parentPath, known?.indexInParent ?? index);
}

async function rereadInside(visit: Visit, node: RawNode, isInWhole: boolean, isChoice: boolean): Promise<RawNode[]> {
  const inside = await rereadChildren(visit, node, isInWhole, isChoice);
  return [...inside.values()].filter((child) => child !== undefined);
}

async function countAgain(visit: Visit, node: RawNode, isInChoice: boolean): Promise<RawNode | undefined> {
  const [count, passed] = await Promise.all([
    unlessRefused(visit.peer.getProperty(node.path, "Accessible", "ChildCount")),
    rereadOnce(raise(visit, node, "pass"), node, false, isInChoice),
  ]);
  return count === node.childCount ? passed : rereadOnce(raise(visit, node, "children"), node, false, isInChoice);
}

/** Keeps what was already reread below it. */
function raise(visit: Visit, node: RawNode, level: Level): Visit {
  return { ...visit, levelOf: (one) => (one === node ? level : visit.levelOf(one)) };
}

/** Requests a few facts first, and rereads only if one differs. */
async function checkAgain(
  visit: Visit,
  node: RawNode,
  isInChoice: boolean,
  depth: Depth,
): Promise<RawNode | undefined> {
  const { quirks, placed } = visit;
  const rereadClosely = (): Promise<RawNode | undefined> =>
    rereadOnce(raise(visit, node, "children"), node, false, isInChoice);
  register(visit, node);
  const isChoice = isInChoice || roleNameOf(node) === "combo box";
  const isOn = isChoice || isNodeShown(quirks, node);
  const hidden = isChoice || !isOn ? [] : node.children.filter((child) => !isNodeShown(quirks, child));
  const asked = hidden.filter((child) => visit.isSurvey || visit.levelOf(child) !== "keep");
  const [facts, inside] = await Promise.all([
    checkNode(visit, node, asked, depth),
    isOn ? rereadChildren(visit, node, false, isChoice) : new Map<RawNode, RawNode | undefined>(),
  ]);
  if (facts === undefined) return undefined;
  const children = node.children
    .map((child) => (inside.has(child) ? inside.get(child) : child))
    .filter((child) => child !== undefined);
  // If one of the visible children moved, others may be visible now.
  const isScrolled = isOnlyCounted(node) && children.some((child) => placed.has(child.details));
  if (!facts.isSame || isScrolled || isResizedPage(node, facts.extents)) return rereadClosely();
  const now = facts.extents === undefined ? { ...node, children } : move(visit, { ...node, children }, facts.extents);
  return register(visit, depth.isClose && hasContent(now) ? { ...now, details: dropContent(now) } : now);
}

/** A page's actions depend on its size: Chromium's can be scrolled if it does not fit. */
function isResizedPage(node: RawNode, extents: Extents | undefined): boolean {
  if (extents === undefined || roleNameOf(node) !== "document web") return false;
  const [, , width, height] = node.details.extents ?? extents;
  return width !== extents[2] || height !== extents[3];
}

/** Registers a node that was not read anew, so that a parent that lists it finds it. */
function register({ old, walk }: Visit, node: RawNode): RawNode {
  old.add(node);
  walk.nodes.set(node.path, node);
  return node;
}

/** The node at its present position. A node that only moved keeps everything else. */
function move({ placed }: Visit, node: RawNode, extents: Extents): RawNode {
  if (isSameExtents(node.details.extents, extents)) return node;
  const details = { ...node.details, extents };
  placed.set(details, node.details);
  return { ...node, details };
}

async function placeAgain(visit: Visit, node: RawNode): Promise<RawNode> {
  const { peer, quirks } = visit;
  const isPlaced = node.details.extents !== undefined;
  const [extents, children] = await Promise.all([
    isPlaced ? unlessRefused(peer.getExtents(node.path, coordinatesOf(quirks))) : undefined,
    Promise.all(node.children.map((child) => placeAgain(visit, child))),
  ]);
  return extents === undefined ? { ...node, children } : move(visit, { ...node, children }, extents);
}

/** The present children. Hidden ones to be reread are left out: the walk reads them as new. */
async function rereadChildren(
  visit: Visit,
  node: RawNode,
  isInWhole: boolean,
  isChoice: boolean,
  areHiddenAsked = isInWhole,
): Promise<Map<RawNode, RawNode | undefined>> {
  const known = node.children.filter((child) => {
    const isHidden = !isChoice && !isNodeShown(visit.quirks, child);
    return !isHidden || !(isInWhole || areHiddenAsked || visit.levelOf(child) !== "keep");
  });
  const present = await Promise.all(known.map((child) => reread(visit, child, isInWhole, isChoice)));
  return new Map(known.map((child, index) => [child, present[index]]));
}

async function readSelf({ walk }: Visit, node: RawNode): Promise<RawNode | undefined> {
  const states = await unlessRefused(getStates(walk, node.path));
  return states && readNode(walk, [walk.peer.name, node.path], states, node.parentPath, node.indexInParent);
}
