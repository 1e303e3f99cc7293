import { unlessRefused } from "../dbus/bus.ts";
import { isLong, type RawNode, readNode, readStates, roleNameOf, type Walk } from "./nodes.ts";
import type { ObjectRef } from "./peer.ts";
import { isShown } from "./quirks.ts";
import { hasState } from "./vocabulary.ts";

/** More than can be used, or read in the time allowed. */
const maxNodes = 100_000;
/** Unlike other cuts, this one may leave out what is on the screen. */
export const tooManyNodes = `only the first ${maxNodes} elements were read`;
/** Longer lists are read only where they are visible: Chromium lists children in quadratic time. */
export const maxListed = 1000;
/** The choices of a closed list are hidden, but one of them is its value. */
const maxChoices = 200;
const menuSamples = 4;

export async function descendAll(walk: Walk, parents: readonly RawNode[]): Promise<void> {
  await Promise.all(parents.map((parent) => descend(walk, parent)));
}

/** Reads all requested descendants; hidden ones only as far as needed to distinguish siblings. */
export async function descend(walk: Walk, parent: RawNode, isChoice = isChoiceBox(parent)): Promise<void> {
  const isLeaf = parent.childCount === 0 || hasState(parent.states, "managesDescendants");
  if (isLeaf || !(walk.includeHidden || isChoice || isShown(walk.quirks, parent.states))) return;
  if (walk.nodes.size > maxNodes) {
    walk.cuts.set(parent.path, tooManyNodes);
    return;
  }
  if (parent.childCount > maxListed) {
    const { readChildrenInView } = await import("./in-view.ts");
    return readChildrenInView(walk, parent, (child) => descend(walk, child));
  }
  const refs = await unlessRefused(walk.peer.getChildren(parent.path));
  if (refs === undefined || (await isClosedMenu(walk, parent, refs))) return;
  await readChildren(walk, parent, refs, isChoice && refs.length <= maxChoices);
}

async function readChildren(walk: Walk, parent: RawNode, refs: readonly ObjectRef[], isChoice: boolean): Promise<void> {
  const known = new Map(parent.children.map((child) => [child.path, child]));
  // A part of another program may have the path of an object of this one.
  const arrived = refs.map(([busName, path]) => {
    return busName === walk.peer.name ? (known.get(path) ?? walk.nodes.get(path)) : undefined;
  });
  const hidden: (() => Promise<void>)[] = [];
  try {
    await Promise.all(
      refs.map(async (ref, index) => {
        const old = arrived[index];
        if (old !== undefined) {
          old.indexInParent = index;
          return;
        }
        const states = await readStates(walk, ref);
        if (states === undefined) return;
        if (walk.includeHidden || isChoice || isShown(walk.quirks, states)) {
          const node = await readNode(walk, ref, states, parent.path, index);
          arrived[index] = node;
          if (node !== undefined) await descend(walk, node, isChoice || isChoiceBox(node));
        } else {
          hidden.push(async () => {
            arrived[index] = await readNode(walk, ref, states, parent.path, index, true);
          });
        }
      }),
    );
    // Without visible siblings there is nothing to distinguish; in long lists the position does.
    if (!isLong(parent) && arrived.some((node) => node !== undefined)) await Promise.all(hidden.map((read) => read()));
  } finally {
    // Also if the deadline ends the walk: the children read so far are kept, in order.
    parent.children = arrived.filter((child) => child !== undefined);
  }
}

/** Programs have hundreds of items in closed menus; a few of each show that it is closed. */
async function isClosedMenu(walk: Walk, menu: RawNode, refs: readonly ObjectRef[]): Promise<boolean> {
  const isUnread = roleNameOf(menu) === "menu" && menu.children.length === 0;
  if (walk.includeHidden || !isUnread || refs.length <= menuSamples) return false;
  const places = Array.from({ length: menuSamples }, (_, index) =>
    Math.floor((index * (refs.length - 1)) / (menuSamples - 1)),
  );
  const samples = await Promise.all(
    refs.filter((_, index) => places.includes(index)).map((ref) => readStates(walk, ref)),
  );
  return samples.every((states) => states === undefined || !isShown(walk.quirks, states));
}

function isChoiceBox(node: RawNode): boolean {
  return roleNameOf(node) === "combo box";
}
