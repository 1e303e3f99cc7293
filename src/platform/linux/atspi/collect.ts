import { ConnectionLost, DeadlinePassed } from "../dbus/bus.ts";
import { ignore } from "../ignore.ts";
import { askForAll, readCache } from "./cache.ts";
import { linkNodes, nodeFromCache, type RawNode, readNode, readStates, type Walk } from "./nodes.ts";
import { type CacheItem, type ObjectRef, type Peer, rootPath } from "./peer.ts";
import type { Quirks } from "./quirks.ts";
import { hasState } from "./vocabulary.ts";
import { descendAll } from "./walk.ts";

export interface Collection {
  readonly windows: readonly RawNode[];
  /** Descriptions of what was left out, by the path of its container. */
  readonly cuts: ReadonlyMap<string, string>;
}

/**
 * Collects the nodes of one application. If its cache is cheap, one call returns all of them, and a walk adds what is
 * missing. Otherwise the visible part is walked, and the rest is added only on request.
 */
export async function collectNodes(peer: Peer, quirks: Quirks, includeHidden: boolean): Promise<Collection> {
  const walk: Walk = { peer, quirks, includeHidden, nodes: new Map(), cuts: new Map() };
  const [items, topRefs] = await Promise.all([
    quirks.cache === "whole" ? readCache(peer) : [],
    peer.getChildren(rootPath),
  ]);
  addItems(walk, items);
  if (quirks.cache === "filled by asking") {
    await askForAll(peer, topRefs).catch(keepWhatCame);
    addItems(walk, await readCache(peer));
  }
  const incomplete = linkNodes(walk.nodes).filter((node) => node.path !== rootPath);
  const { windows, added } = await readFrames(walk, topRefs);
  const isWalk = walk.nodes.size === added.length;
  // The visible part first: if the deadline passes, only hidden nodes are lost.
  if (isWalk && includeHidden)
    await descendAll({ ...walk, includeHidden: false, cuts: new Map() }, windows).catch(keepWhatCame);
  if (isWalk && includeHidden) await addHidden(walk).catch(keepWhatCame);
  else await descendAll(walk, [...incomplete, ...added]).catch(keepWhatCame);
  if ([...walk.nodes.values()].some(isManager)) {
    const { readManaged } = await import("./cells.ts");
    await readManaged(walk).catch(keepWhatCame);
  }
  return { windows, cuts: walk.cuts };
}

export function isManager(node: RawNode): boolean {
  return hasState(node.states, "managesDescendants");
}

function addItems({ peer, nodes }: Walk, items: readonly CacheItem[]): void {
  for (const item of items) {
    const [busName, path] = item[0];
    if (busName === peer.name && !nodes.has(path)) nodes.set(path, nodeFromCache(item));
  }
}

/** The application's windows, and those that were not known yet. */
async function readFrames(walk: Walk, refs: readonly ObjectRef[]): Promise<{ windows: RawNode[]; added: RawNode[] }> {
  const known = refs.map((ref) => walk.nodes.get(ref[1])).filter((node) => node !== undefined);
  const read = await Promise.all(
    refs.map(async (ref, index) => {
      const states = await readStates(walk, ref);
      return states && readNode(walk, ref, states, rootPath, index);
    }),
  );
  const added = read.filter((node) => node !== undefined);
  return { windows: [...known, ...added], added };
}

/** Completes a walk of the visible part: from the cache, then by walking. */
async function addHidden(walk: Walk): Promise<void> {
  const { nodes, quirks, peer } = walk;
  const items = quirks.cache === "costly" ? await readCache(peer) : [];
  for (const node of nodes.values()) {
    node.children = [];
    if (node.isBrief) nodes.delete(node.path);
  }
  addItems(walk, items);
  await descendAll(walk, linkNodes(nodes));
}

/** A deadline or a lost application ends the walk; the nodes read so far are kept. */
const keepWhatCame = ignore(DeadlinePassed, ConnectionLost);
