import { unlessRefused } from "../atspi/cache.ts";
import { isManager } from "../atspi/collect.ts";
import { coordinatesOf } from "../atspi/details.ts";
import { isNodeShown, type RawNode, roleNameOf, walkNodes } from "../atspi/nodes.ts";
import type { Peer } from "../atspi/peer.ts";
import { type Extents, getExtents, getParent, getProperty, getStates, nullPath } from "../atspi/protocol.ts";
import { isShown, type Quirks } from "../atspi/quirks.ts";
import { readNode, type Walk } from "../atspi/read-node.ts";
import { descend, maxListed } from "../atspi/walk.ts";
import { askForFacts, type Depth, dropContent, hasContent, isOnlyCounted, isSameExtents } from "./facts.ts";

/**
 * How closely a node is looked at again: not at all, with everything in it; only at what is in it; that, and how many
 * children it has; that, and its states; only where it is, with everything in it; all these facts, its name and role, and
 * which children it has; at itself; at itself and at which children it has; at everything in it. Where one of the facts is
 * another it is looked at as closely as if its children were asked for.
 */
export type Level = "keep" | "pass" | "count" | "glance" | "place" | "check" | "self" | "children" | "whole";

export interface LookRequest {
  readonly peer: Peer;
  readonly quirks: Quirks;
  readonly levelOf: (node: RawNode) => Level;
  /** Whether what is glanced at is also asked where it is. */
  readonly isPlaced: boolean;
  /** Whether what was hidden may show itself anywhere. */
  readonly isSurvey: boolean;
}

export interface Looked {
  /** The trees as they are now. Those of before stay as they were. */
  readonly frames: readonly RawNode[];
  /** What was read anew: its details have not been asked for. */
  readonly fresh: ReadonlySet<RawNode>;
  /** What the details were before, by what they are, of what is elsewhere and else the same. */
  readonly placed: ReadonlyMap<RawNode["details"], RawNode["details"]>;
  readonly cuts: ReadonlyMap<string, string>;
}

interface Visit extends LookRequest {
  /** A node may hang in two places: Chromium lists a bubble in its window and as a window. It stays one. */
  readonly looks: Map<RawNode, Promise<RawNode | undefined>>;
  readonly walk: Walk;
  /** Nodes of before; they are on the walk's list to be found by what is inside them. */
  readonly old: Set<RawNode>;
  readonly placed: Map<RawNode["details"], RawNode["details"]>;
}

/** Looks again at parts of some trees, with the walk that reads whole ones. */
export async function lookAgain(request: LookRequest, frames: readonly RawNode[]): Promise<Looked> {
  const { peer, quirks } = request;
  const walk: Walk = { peer, quirks, includeHidden: false, nodes: new Map(), cuts: new Map() };
  const visit: Visit = { ...request, walk, looks: new Map(), old: new Set(), placed: new Map() };
  const looked = await Promise.all(frames.map((frame) => lookAt(visit, frame, false, false)));
  const fresh = new Set([...walk.nodes.values()].filter((node) => !visit.old.has(node)));
  const managers = [...fresh].filter(
    (node) => isManager(node) && node.children.length === 0 && isShown(quirks, node.states),
  );
  if (managers.length > 0) {
    const { readCellsInView } = await import("../atspi/cells.ts");
    await Promise.all(managers.map((manager) => readCellsInView(walk, manager)));
    for (const node of walk.nodes.values()) if (!visit.old.has(node)) fresh.add(node);
  }
  return { frames: looked.filter((frame) => frame !== undefined), fresh, placed: visit.placed, cuts: walk.cuts };
}

/** A frame that was not known before, with everything in it; what hangs elsewhere too, such as an open list, stays one. */
export async function readFrame(
  { peer, quirks }: Pick<LookRequest, "peer" | "quirks">,
  known: ReadonlyMap<string, RawNode>,
  path: string,
  parentPath: string,
  index: number,
): Promise<Looked> {
  const walk: Walk = { peer, quirks, includeHidden: false, nodes: new Map(known), cuts: new Map() };
  const states = await unlessRefused(getStates(peer, path));
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

/** Undefined when it is gone. */
function lookAt(visit: Visit, node: RawNode, isInWhole: boolean, isInChoice: boolean): Promise<RawNode | undefined> {
  const look = visit.looks.get(node) ?? lookOnce(visit, node, isInWhole, isInChoice);
  visit.looks.set(node, look);
  return look;
}

async function lookOnce(
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
  // What manages its descendants, or has very many, is searched anew for those in view.
  const isSearched = isListed && (isManager(node) || node.childCount > maxListed);
  know(visit, node);
  if (level === "pass") return know(visit, { ...node, children: await lookInside(visit, node, false, isChoice) });
  const wasShown = isChoice || isNodeShown(quirks, node);
  const [self, inside] = await Promise.all([
    readSelf(visit, node),
    isSearched || !wasShown
      ? new Map<RawNode, RawNode | undefined>()
      : lookAtEach(visit, node, level === "whole", isChoice, isListed && visit.isSurvey),
  ]);
  if (self === undefined || !(isChoice || isNodeShown(quirks, self))) return self;
  const isLeftOut = !isSearched && wasShown && inside.size < node.children.length;
  const isRead = isListed || isLeftOut || self.childCount !== node.childCount || !wasShown;
  const isSearchedNow = isManager(self) || self.childCount > maxListed;
  if (isRead && isSearchedNow) {
    // Else they would be taken for ones that were just read.
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
 * GTK 4.8 lists the widgets of a stack as its children, and each names another as its parent: the page that it is on. The
 * cache, which a first read goes by, hangs them there.
 */
async function adopt(
  visit: Visit,
  self: RawNode,
  before: RawNode,
  inside: ReadonlyMap<RawNode, RawNode | undefined>,
): Promise<RawNode> {
  const { walk } = visit;
  const listed = self.children.map((child) => inside.get(child) ?? child);
  const parents = await Promise.all(listed.map(({ path }) => unlessRefused(getParent(walk.peer, path))));
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
  const states = await unlessRefused(getStates(walk.peer, path));
  return states && readNode(walk, [walk.peer.name, path], states, parentPath, known?.indexInParent ?? index);
}

async function lookInside(visit: Visit, node: RawNode, isInWhole: boolean, isChoice: boolean): Promise<RawNode[]> {
  const inside = await lookAtEach(visit, node, isInWhole, isChoice);
  return [...inside.values()].filter((child) => child !== undefined);
}

async function countAgain(visit: Visit, node: RawNode, isInChoice: boolean): Promise<RawNode | undefined> {
  const [count, passed] = await Promise.all([
    unlessRefused(getProperty(visit.peer, node.path, "Accessible", "ChildCount")),
    lookOnce(raise(visit, node, "pass"), node, false, isInChoice),
  ]);
  return count === node.childCount ? passed : lookOnce(raise(visit, node, "children"), node, false, isInChoice);
}

/** What was looked at inside stays looked at. */
function raise(visit: Visit, node: RawNode, level: Level): Visit {
  return { ...visit, levelOf: (one) => (one === node ? level : visit.levelOf(one)) };
}

/** Asks for a few facts first, and looks closely only where one of them is another. */
async function checkAgain(
  visit: Visit,
  node: RawNode,
  isInChoice: boolean,
  depth: Depth,
): Promise<RawNode | undefined> {
  const { quirks, placed } = visit;
  const lookClosely = (): Promise<RawNode | undefined> =>
    lookOnce(raise(visit, node, "children"), node, false, isInChoice);
  know(visit, node);
  const isChoice = isInChoice || roleNameOf(node) === "combo box";
  const isOn = isChoice || isNodeShown(quirks, node);
  const hidden = isChoice || !isOn ? [] : node.children.filter((child) => !isNodeShown(quirks, child));
  const asked = hidden.filter((child) => visit.isSurvey || visit.levelOf(child) !== "keep");
  const [facts, inside] = await Promise.all([
    askForFacts(visit, node, asked, depth),
    isOn ? lookAtEach(visit, node, false, isChoice) : new Map<RawNode, RawNode | undefined>(),
  ]);
  if (facts === undefined) return undefined;
  const children = node.children
    .map((child) => (inside.has(child) ? inside.get(child) : child))
    .filter((child) => child !== undefined);
  // Of those who are found by their place, others may be in view when one is elsewhere.
  const isScrolled = isOnlyCounted(node) && children.some((child) => placed.has(child.details));
  if (!facts.isSame || isScrolled || isResizedPage(node, facts.extents)) return lookClosely();
  const now = facts.extents === undefined ? { ...node, children } : move(visit, { ...node, children }, facts.extents);
  return know(visit, depth.isClose && hasContent(now) ? { ...now, details: dropContent(now) } : now);
}

/** What can be done with a page goes by its size: Chromium's can be scrolled where it does not fit. */
function isResizedPage(node: RawNode, extents: Extents | undefined): boolean {
  if (extents === undefined || roleNameOf(node) !== "document web") return false;
  const [, , width, height] = node.details.extents ?? extents;
  return width !== extents[2] || height !== extents[3];
}

/** It is found by whoever lists it as its child, and was not read anew. */
function know({ old, walk }: Visit, node: RawNode): RawNode {
  old.add(node);
  walk.nodes.set(node.path, node);
  return node;
}

/** The node where it is now. What only was moved keeps all else. */
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
    isPlaced ? unlessRefused(getExtents(peer, node.path, coordinatesOf(quirks))) : undefined,
    Promise.all(node.children.map((child) => placeAgain(visit, child))),
  ]);
  return extents === undefined ? { ...node, children } : move(visit, { ...node, children }, extents);
}

/** The children as they are now. A hidden one that is to be looked at is left out: the walk reads it as if it were new. */
async function lookAtEach(
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
  const looked = await Promise.all(known.map((child) => lookAt(visit, child, isInWhole, isChoice)));
  return new Map(known.map((child, index) => [child, looked[index]]));
}

async function readSelf({ walk }: Visit, node: RawNode): Promise<RawNode | undefined> {
  const states = await unlessRefused(getStates(walk.peer, node.path));
  return states && readNode(walk, [walk.peer.name, node.path], states, node.parentPath, node.indexInParent);
}
