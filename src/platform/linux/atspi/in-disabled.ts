import type { Actor } from "../../../model/command.ts";
import { unlessRefused } from "./cache.ts";
import type { RawNode } from "./nodes.ts";
import type { Peer } from "./peer.ts";
import { getParent, getStates, nullPath, rootPath } from "./protocol.ts";
import { isEnabled, type Quirks } from "./quirks.ts";

const maxDepth = 50;

/**
 * Whether an ancestor is disabled, if the toolkit does not propagate that. Only an element read as disabled that looks
 * enabled by itself can be; only its ancestors' states are requested.
 */
export async function isInDisabled(peer: Peer, quirks: Quirks, node: RawNode, element: Actor): Promise<boolean> {
  const isDoubtful = quirks.statesStopAtParent && element.states.has("disabled") && isEnabled(quirks, node.states);
  if (!isDoubtful) return false;
  let path = node.path;
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const parent = await unlessRefused(getParent(peer, path));
    if (parent === undefined || parent[0] !== peer.name || parent[1] === nullPath || parent[1] === rootPath)
      return false;
    path = parent[1];
    const states = await unlessRefused(getStates(peer, path));
    if (states !== undefined && !isEnabled(quirks, states)) return true;
  }
  return false;
}
