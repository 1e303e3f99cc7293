import type { MarkedElement } from "../../src/model/view.ts";
import type { PeerElement } from "./contestant.ts";

/** For some toolkits the peer's frames are relative to the window, with or without the window manager's frame. */
const nearPx = 60;
const alikePx = 2;

/** Pairs elements of ours and of the peer that are the same control: same size and near, or else same name. */
export function pairElements(
  ours: readonly MarkedElement[],
  theirs: readonly PeerElement[],
): [MarkedElement, PeerElement][] {
  const free = new Set(theirs);
  const pairs: [MarkedElement, PeerElement][] = [];
  for (const element of ours) {
    const alike = [...free].filter((peer) => isSameSize(element, peer));
    const [nearest] = alike.toSorted((a, b) => distance(element, a) - distance(element, b));
    const match =
      nearest !== undefined && distance(element, nearest) <= nearPx
        ? nearest
        : [...free].find((peer) => element.name !== "" && peer.label.trim() === element.name);
    if (match === undefined) continue;
    free.delete(match);
    pairs.push([element, match]);
  }
  return pairs;
}

function isSameSize({ bounds, name }: MarkedElement, { frame, label }: PeerElement): boolean {
  if (bounds === undefined || frame === undefined) return false;
  const isSame = Math.abs(bounds.width - frame.w) <= alikePx && Math.abs(bounds.height - frame.h) <= alikePx;
  return isSame && (name === "" || label.trim() === "" || label.includes(name) || name.includes(label.trim()));
}

function distance({ bounds }: MarkedElement, { frame }: PeerElement): number {
  if (bounds === undefined || frame === undefined) return Number.POSITIVE_INFINITY;
  return Math.hypot(bounds.x - frame.x, bounds.y - frame.y);
}
