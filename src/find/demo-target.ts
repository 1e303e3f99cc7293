import { countMatches, countResolved, toPortable } from "../map/portable.ts";
import { describeAll } from "../map/recognise.ts";
import type { DemoTarget } from "../model/demo-ref.ts";
import type { SingleElement } from "../model/element.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { Window } from "../model/window.ts";
import { listShells } from "./fold.ts";

/** An element as a demo describes it, with how many elements of its snapshot each way of finding it finds. */
export function makeDemoTarget(snapshot: Snapshot, element: SingleElement, around: Window | undefined): DemoTarget {
  const point = element.clickPoint;
  const shells = new Set(snapshot.windows.flatMap(({ root }) => [...listShells(root)]));
  const all = describeAll(snapshot).filter(({ handle }) => handle === element.handle || !shells.has(handle));
  const own = all.find(({ handle }) => handle === element.handle);
  const window = findWindow(snapshot, element.handle) ?? around;
  // A taught place is in no tree.
  if (own === undefined || window === undefined) return { point };
  const ref = toPortable(own, element, window);
  return { ref, evidence: [...countMatches(own, all), countResolved(ref, own, all, window.title)], point };
}

/** The window that really holds it: a dialog's button is not in the window that the dialog was opened for. */
function findWindow({ windows }: Snapshot, handle: string): Window | undefined {
  if (windows.length === 1) return windows[0]?.window;
  return windows.find(({ root }) => root !== undefined && holds(root, handle))?.window;
}

interface Node {
  readonly handle: string;
  readonly children: readonly Node[];
}

function holds(node: Node, handle: string): boolean {
  return node.handle === handle || node.children.some((child) => holds(child, handle));
}
