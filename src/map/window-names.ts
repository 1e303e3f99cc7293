import type { WindowRead } from "../model/snapshot.ts";
import type { Window } from "../model/window.ts";

/**
 * Names that distinguish each window from others of its application, by window id, best first. The title does; if
 * titles are equal, only the window id does, and its marks last as long as the window. A single window is also known as
 * the only one, so its marks survive a change of title.
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
      return [window.id, [twins.length <= 1 ? window.title : nameVeryWindow(window)]];
    }),
  );
}

/** Tells a window from every other one, as long as it lives. */
export function nameVeryWindow({ title, pid, id }: Pick<Window, "title" | "pid" | "id">): string {
  return `${title}\u0001${pid}:${id}`;
}

/** Cannot be a title. */
const onlyWindow = "\u0001only";
