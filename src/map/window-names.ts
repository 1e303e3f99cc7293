import type { WindowRead } from "../model/snapshot.ts";
import type { Window } from "../model/window.ts";

/**
 * What tells each window from the others of its application, by window id, best first. Its title does; where titles agree,
 * nothing but the window itself, and its marks last as long as it. A window without sisters may also be known by being the
 * only one, so that its marks survive a change of title.
 */
export function nameWindows(
  reads: readonly Pick<WindowRead, "window">[],
  all: readonly Window[],
): ReadonlyMap<number, readonly string[]> {
  return new Map(
    reads.map(({ window }) => {
      const sisters = all.filter((other) => other.app === window.app && other.class === window.class);
      if (sisters.length <= 1) return [window.id, [window.title, onlyWindow]];
      const twins = sisters.filter((sister) => sister.title === window.title);
      return [window.id, [twins.length <= 1 ? window.title : `${window.title}\u0001${window.pid}:${window.id}`]];
    }),
  );
}

/** No title is called so. */
const onlyWindow = "\u0001only";
