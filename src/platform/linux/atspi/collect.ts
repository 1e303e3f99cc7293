import { ConnectionLost, DeadlinePassed, ErrorReply } from "../dbus/errors.ts";
import { coordinatesOf } from "./details.ts";
import { linkNodes, nodeFromCache, type RawNode } from "./nodes.ts";
import type { Peer } from "./peer.ts";
import {
  getAccessibleAt,
  getCacheItems,
  getChildAt,
  getChildren,
  getExtents,
  getIndexInParent,
  getInterfaces,
  getProperty,
  getRole,
  getStates,
  isInterface,
  nullPath,
  type ObjectRef,
  rootPath,
} from "./protocol.ts";
import { isRealExtents, isShown, type Quirks } from "./quirks.ts";
import { hasState } from "./vocabulary.ts";

/** A container that manages its descendants may have thousands of millions of them: only those in view are asked for. */
const maxManagedChildren = 600;
const maxNodes = 100_000;

export interface Collection {
  /** The application's windows. */
  readonly windows: readonly RawNode[];
  readonly isTruncated: boolean;
}

interface Walk {
  readonly peer: Peer;
  readonly quirks: Quirks;
  readonly includeHidden: boolean;
  readonly nodes: Map<string, RawNode>;
  isTruncated: boolean;
}

/** All nodes of one application: what its cache gives in one call, then whatever the cache lacks, level by level. */
export async function collectNodes(peer: Peer, quirks: Quirks, includeHidden: boolean): Promise<Collection> {
  const walk: Walk = { peer, quirks, includeHidden, nodes: new Map(), isTruncated: false };
  const [early, topRefs] = await Promise.all([
    quirks.hasCache && !quirks.fillsCacheOnDemand ? readCache(peer) : [],
    getChildren(peer, rootPath),
  ]);
  if (quirks.fillsCacheOnDemand) await keepWhatCame(() => askForAll(peer, topRefs));
  const items = quirks.fillsCacheOnDemand ? await readCache(peer) : early;
  for (const item of items) {
    if (item[0][0] === peer.name) walk.nodes.set(item[0][1], nodeFromCache(item));
  }
  const incomplete = linkNodes(walk.nodes);
  const windows: RawNode[] = [];
  const missing: Promise<RawNode | undefined>[] = [];
  topRefs.forEach((ref, index) => {
    const known = walk.nodes.get(ref[1]);
    if (known !== undefined) windows.push(known);
    else missing.push(readNode(walk, ref, rootPath, index));
  });
  const found = (await Promise.all(missing)).filter((node) => node !== undefined);
  windows.push(...found);
  await keepWhatCame(() => descendAll(walk, [...incomplete.filter((node) => node.path !== rootPath), ...found]));
  await keepWhatCame(() => readManaged(walk));
  return { windows, isTruncated: walk.isTruncated };
}

/** Asks for every object's children, level by level and all at once: from then on the cache knows them. */
async function askForAll(peer: Peer, refs: readonly ObjectRef[]): Promise<void> {
  await Promise.all(
    refs.map(async ([busName, path]) => {
      if (busName !== peer.name || path === nullPath) return;
      await askForAll(peer, (await unlessRefused(getChildren(peer, path))) ?? []);
    }),
  );
}

/** A cache that is missing or speaks another dialect is no failure: the walk reads everything. */
async function readCache(peer: Peer): ReturnType<typeof getCacheItems> {
  try {
    return await getCacheItems(peer);
  } catch (error) {
    if (error instanceof ErrorReply) return [];
    throw error;
  }
}

/** A deadline or a lost application ends the walk; the nodes read so far stay. */
async function keepWhatCame(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DeadlinePassed || error instanceof ConnectionLost)) throw error;
  }
}

async function descendAll(walk: Walk, parents: readonly RawNode[]): Promise<void> {
  await Promise.all(parents.map((parent) => descend(walk, parent)));
}

async function descend(walk: Walk, parent: RawNode): Promise<void> {
  const isLeaf = parent.childCount === 0 || hasState(parent.states, "managesDescendants");
  if (isLeaf || (!walk.includeHidden && !isShown(walk.quirks, parent.states))) return;
  if (walk.nodes.size > maxNodes) {
    walk.isTruncated = true;
    return;
  }
  const refs = await unlessRefused(getChildren(walk.peer, parent.path));
  if (refs === undefined) return;
  const known = new Map(parent.children.map((child) => [child.path, child]));
  const arrived: (RawNode | undefined)[] = refs.map((ref) => known.get(ref[1]) ?? walk.nodes.get(ref[1]));
  try {
    await Promise.all(
      refs.map(async (ref, index) => {
        if (arrived[index] !== undefined) return;
        const node = await readNode(walk, ref, parent.path, index);
        arrived[index] = node;
        if (node !== undefined) await descend(walk, node);
      }),
    );
  } finally {
    // Also when the deadline cuts the walk short: the children that came stay, in order.
    parent.children = arrived.filter((child) => child !== undefined);
  }
}

async function readNode(walk: Walk, ref: ObjectRef, parentPath: string, index: number): Promise<RawNode | undefined> {
  const [busName, path] = ref;
  if (busName !== walk.peer.name || path === nullPath || walk.nodes.has(path)) return undefined;
  const { peer } = walk;
  const replies = await unlessRefused(
    Promise.all([
      getRole(peer, path),
      getStates(peer, path),
      getInterfaces(peer, path),
      getProperty(peer, path, "Accessible", "Name"),
      getProperty(peer, path, "Accessible", "Description"),
      getProperty(peer, path, "Accessible", "ChildCount"),
    ]),
  );
  if (replies === undefined) return undefined;
  const [role, states, interfaces, name, description, childCount] = replies;
  const node: RawNode = {
    path,
    parentPath,
    indexInParent: index,
    childCount: typeof childCount === "number" ? childCount : 0,
    interfaces,
    name: typeof name === "string" ? name : "",
    role,
    description: typeof description === "string" ? description : "",
    states,
    children: [],
    details: {},
  };
  walk.nodes.set(path, node);
  return node;
}

/** Lists, trees and tables that manage their descendants: the cells in view, found by asking what is at their corners. */
async function readManaged(walk: Walk): Promise<void> {
  const managers = [...walk.nodes.values()].filter(
    (node) => hasState(node.states, "managesDescendants") && isShown(walk.quirks, node.states),
  );
  await Promise.all(managers.map((manager) => readCellsInView(walk, manager)));
}

async function readCellsInView(walk: Walk, manager: RawNode): Promise<void> {
  const { peer } = walk;
  const childCount = await unlessRefused(getProperty(peer, manager.path, "Accessible", "ChildCount"));
  if (typeof childCount !== "number" || childCount <= 0) return;
  let first = 0;
  let last = childCount - 1;
  if (childCount > maxManagedChildren) {
    const range = await findRangeInView(walk, manager);
    first = Math.max(0, range?.first ?? 0);
    last = Math.min(childCount - 1, range?.last ?? maxManagedChildren - 1, first + maxManagedChildren - 1);
    walk.isTruncated = true;
  }
  const refs = await Promise.all(
    Array.from({ length: last - first + 1 }, (_, offset) =>
      unlessRefused(getChildAt(peer, manager.path, first + offset)),
    ),
  );
  const nodes = await Promise.all(
    refs.map((ref, offset) => (ref === undefined ? undefined : readNode(walk, ref, manager.path, first + offset))),
  );
  const cells = nodes.filter((node) => node !== undefined);
  manager.children = [...manager.children, ...cells];
  await descendAll(walk, cells);
}

async function findRangeInView(walk: Walk, manager: RawNode): Promise<{ first: number; last: number } | undefined> {
  const { peer } = walk;
  if (!isInterface(manager.interfaces, "Component")) return undefined;
  const coordinates = coordinatesOf(walk.quirks);
  const extents = await unlessRefused(getExtents(peer, manager.path, coordinates));
  if (extents === undefined || !isRealExtents(extents)) return undefined;
  const [x, y, width, height] = extents;
  const corners = [
    [x + 2, y + 2],
    [x + width - 3, y + height - 3],
  ];
  const indexes = await Promise.all(
    corners.map(async ([cornerX = 0, cornerY = 0]) => {
      const ref = await unlessRefused(getAccessibleAt(peer, manager.path, cornerX, cornerY, coordinates));
      return ref === undefined || ref[1] === nullPath ? undefined : unlessRefused(getIndexInParent(peer, ref[1]));
    }),
  );
  const [first, last] = indexes;
  if (first === undefined || first < 0) return undefined;
  return { first, last: last === undefined || last < first ? first + maxManagedChildren : last };
}

/** An error reply means that this one object is gone or does not offer the call; the rest of the tree goes on. */
async function unlessRefused<T>(reply: Promise<T>): Promise<T | undefined> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof ErrorReply) return undefined;
    throw error;
  }
}
