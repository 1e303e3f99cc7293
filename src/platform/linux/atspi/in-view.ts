import { unlessRefused } from "./cache.ts";
import { type Clip, findClip, findHits, findTopmost } from "./look-for.ts";
import { type RawNode, roleNameOf } from "./nodes.ts";
import { getChildAt, type ObjectRef } from "./protocol.ts";
import { isShown } from "./quirks.ts";
import { readNode, readStates, type Walk } from "./read-node.ts";
import type { StateBits } from "./vocabulary.ts";

/** How many siblings are requested at once while following a run of visible ones. */
const batchSize = 16;
/** Limits a list that reports everything as showing. */
const maxInView = 1500;

type Descend = (child: RawNode) => Promise<void>;

interface Found {
  readonly ref: ObjectRef;
  readonly states: StateBits;
}

/**
 * The visible children of a container with thousands: those the toolkit's hit test finds, the first that reaches into
 * the view, and from each onwards while siblings are visible. The rest is not touched.
 */
export async function readChildrenInView(walk: Walk, parent: RawNode, descend: Descend): Promise<void> {
  const clip = await findClip(walk, parent);
  const found = new Map<number, Found | undefined>();
  if (clip !== undefined) {
    for (const seed of await findSeeds(walk, parent, clip)) await followRun(walk, parent, seed, found);
  }
  const role = roleNameOf(parent);
  if (!walk.includeHidden)
    walk.cuts.set(parent.path, `of the ${parent.childCount} parts of one ${role} only those in view were read`);
  await readFound(walk, parent, found, descend);
  if (walk.includeHidden) await readRest(walk, parent, found, descend);
}

async function findSeeds(walk: Walk, parent: RawNode, clip: Clip): Promise<readonly number[]> {
  const [hits, topmost] = await Promise.all([findHits(walk, parent, clip), findTopmost(walk, parent, clip)]);
  // What covers the rest is first or last in most pages: a fixed bar, a dialog, a menu.
  return [...new Set([...hits, topmost, 0, parent.childCount - 1])].sort((a, b) => a - b);
}

async function followRun(
  walk: Walk,
  parent: RawNode,
  seed: number,
  found: Map<number, Found | undefined>,
): Promise<void> {
  if (found.has(seed)) return;
  await Promise.all(
    [-1, 1].map(async (step) => {
      let from = step < 0 ? seed - 1 : seed;
      while (from >= 0 && from < parent.childCount && found.size < maxInView) {
        const indexes = Array.from({ length: batchSize }, (_, offset) => from + offset * step);
        const fresh = indexes.filter((index) => index >= 0 && index < parent.childCount && !found.has(index));
        const arrived = await Promise.all(fresh.map((index) => lookAt(walk, parent, index)));
        fresh.forEach((index, place) => {
          found.set(index, arrived[place]);
        });
        if (!arrived.some((one) => one !== undefined && isShown(walk.quirks, one.states))) return;
        from += batchSize * step;
      }
    }),
  );
}

async function lookAt(walk: Walk, parent: RawNode, index: number): Promise<Found | undefined> {
  const ref = await unlessRefused(getChildAt(walk.peer, parent.path, index));
  if (ref === undefined) return undefined;
  const states = walk.nodes.get(ref[1])?.states ?? (await readStates(walk, ref));
  return states && { ref, states };
}

async function readFound(
  walk: Walk,
  parent: RawNode,
  found: ReadonlyMap<number, Found | undefined>,
  descend: Descend,
): Promise<void> {
  const children = new Map(parent.children.map((child) => [child.path, child]));
  try {
    await Promise.all(
      [...found].map(async ([index, one]) => {
        if (one === undefined || !(walk.includeHidden || isShown(walk.quirks, one.states))) return;
        const known = children.get(one.ref[1]) ?? walk.nodes.get(one.ref[1]);
        const node = known ?? (await readNode(walk, one.ref, one.states, parent.path, index));
        if (node === undefined) return;
        node.indexInParent = index;
        children.set(node.path, node);
        if (known === undefined) await descend(node);
      }),
    );
  } finally {
    // Also if the deadline ends the walk: the children read so far are kept, in order.
    parent.children = [...children.values()].sort((a, b) => a.indexInParent - b.indexInParent);
  }
}

/** All others from the first on, as far as time allows. */
async function readRest(
  walk: Walk,
  parent: RawNode,
  seen: ReadonlyMap<number, unknown>,
  descend: Descend,
): Promise<void> {
  for (let first = 0; first < parent.childCount; first += batchSize * 4) {
    const indexes = Array.from({ length: batchSize * 4 }, (_, offset) => first + offset);
    const fresh = indexes.filter((index) => index < parent.childCount && !seen.has(index));
    const arrived = await Promise.all(fresh.map(async (index) => [index, await lookAt(walk, parent, index)] as const));
    await readFound(walk, parent, new Map(arrived), descend);
  }
}
