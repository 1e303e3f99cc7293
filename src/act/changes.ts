import { type Desktop, know } from "../find/read.ts";
import type { Changes } from "../model/effect.ts";
import { type Element, flatten } from "../model/element.ts";
import { attachMarks, type MarkedElement } from "../model/view.ts";
import type { Comparison, Seen } from "./compare.ts";

/** As many as an agent wants to read; a read shows everything. */
const maxListed = 25;

/** A comparison as a client sees it: bounded, and every control in it with its mark. */
export function presentChanges(
  { marks }: Pick<Desktop, "marks">,
  comparison: Comparison,
  before: Seen,
  after: Seen,
): Changes {
  const room = makeRoom(maxListed);
  const changed = comparison.changed.filter(() => room.take());
  const gone = comparison.gone.filter(() => room.take());
  const appeared = comparison.appeared.flatMap((element) => cutTree(element, room));
  const wanted = new Set([...flatten(appeared), ...changed.map(({ element }) => element)].map((one) => one.handle));
  const numbers = know(marks, after.sight, wanted);
  return {
    appeared: appeared.map((element) => attachMarks(element, numbers)),
    // What is gone keeps the number by which it was known; it gets no new one.
    gone: gone.map((element) => attachMarks({ ...element, children: [] }, before.numbers)),
    changed: changed.map(({ element, differences }) => ({
      element: attachMarks({ ...element, children: [] }, numbers),
      differences,
    })),
    openedWindows: comparison.openedWindows,
    closedWindows: comparison.closedWindows,
    changedWindows: comparison.changedWindows,
    leftOut: room.refused(),
  };
}

function makeRoom(size: number) {
  let left = size;
  let refused = 0;
  return {
    take: (): boolean => {
      if (left === 0) refused += 1;
      else left -= 1;
      return left > 0 || refused === 0;
    },
    refused: () => refused,
  };
}

function cutTree(element: Element, room: ReturnType<typeof makeRoom>): Element[] {
  if (!room.take()) return [];
  return [{ ...element, children: element.children.flatMap((child) => cutTree(child, room)) }];
}

/** The same without what fields hold. */
export function leaveOutValues(changes: Changes): Changes {
  const empty = (element: MarkedElement): MarkedElement => ({
    ...element,
    value: "",
    children: element.children.map(empty),
  });
  return {
    ...changes,
    appeared: changes.appeared.map(empty),
    gone: changes.gone.map(empty),
    changed: changes.changed.map(({ element, differences }) => ({
      element: empty(element),
      differences: differences.filter(({ what }) => what !== "value" && what !== "name"),
    })),
  };
}
