import type { WindowRead } from "../model/snapshot.ts";
import type { Window } from "../model/window.ts";

/**
 * What tells each window from the others of its application, by window id. Alone, a window needs no name, so its marks
 * survive a change of title. Among several the title tells it; where even titles agree, nothing but the window itself
 * does, and its marks last as long as it.
 */
export function nameWindows(reads: readonly WindowRead[], all: readonly Window[]): ReadonlyMap<number, string> {
  return new Map(
    reads.map(({ window }) => {
      const sisters = all.filter((other) => other.app === window.app && other.class === window.class);
      if (sisters.length <= 1) return [window.id, ""];
      const twins = sisters.filter((sister) => sister.title === window.title);
      return [window.id, twins.length <= 1 ? window.title : `${window.title}\u0001${window.pid}:${window.id}`];
    }),
  );
}
