import { compare } from "../act/compare.ts";
import type { DemoEffect, NamedPart } from "../model/demo.ts";
import type { Element } from "../model/element.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { isSameApplication, type Window } from "../model/window.ts";
import type { Moment } from "./moment.ts";

/** When an input came; of a key, also when the press or key before it did. */
export interface Times {
  readonly atMs: number;
  readonly afterPressMs?: number | undefined;
}

/** How many parts of a kind a step tells; a page that opens has thousands. */
const mostParts = 8;
const longestText = 200;

/**
 * What an input changed in the application of a window, and in the list of windows; undefined if nothing changed. Where the
 * effect of the input before it may have come meanwhile, only windows are told: what else changed may be of either.
 */
export function describeEffect(
  before: Moment,
  after: Moment,
  window: Window | undefined,
  { way, ...times }: Times & { readonly way: string },
) {
  const isConcerned = (one: Window): boolean => window !== undefined && isSameApplication(one, window);
  const numbers = new Map<string, number>();
  const changes = compare(
    { snapshot: takeSnapshot(before, isConcerned), numbers },
    { snapshot: takeSnapshot(after, isConcerned), numbers },
  );
  const changed = changes.changed.flatMap(({ element, differences }) =>
    differences
      .filter(({ what }) => what !== "focus")
      .map((difference) => ({ ...nameOf(element), what: difference.what, after: cut(difference.after) })),
  );
  const windows = {
    opened: changes.openedWindows.map(({ title }) => cut(title)),
    closed: changes.closedWindows.map(({ title }) => cut(title)),
  };
  const parts = isCrossed(before, window, times)
    ? windows
    : { ...windows, appeared: changes.appeared.map(nameOf), gone: changes.gone.map(nameOf), changed };
  const told = Object.entries(parts).filter(([, list]) => list.length > 0);
  if (told.length === 0) return undefined;
  const short = Object.fromEntries(told.map(([name, list]) => [name, list.slice(0, mostParts)]));
  return { verdict: isTelling(parts) ? "confirmed" : "unverified", way, ...short } satisfies DemoEffect;
}

/** An effect that comes later is no longer waited for. */
const lateMs = 1500;

/**
 * Whether the input before a key may still have been taking effect: it was not read yet, or nothing had come of it. What a
 * press changes is told by its control.
 */
function isCrossed({ unread, changed }: Moment, window: Window | undefined, { atMs, afterPressMs }: Times): boolean {
  if (window === undefined || afterPressMs === undefined || atMs - afterPressMs > lateMs) return false;
  const isUnread = (unread.get(window.id) ?? Number.POSITIVE_INFINITY) < atMs;
  return isUnread || (changed.get(window.id) ?? 0) < afterPressMs;
}

type Parts = Pick<DemoEffect, "opened" | "closed" | "appeared" | "gone" | "changed">;

/** A menu closes after any of its entries, whatever that does. */
function isTelling({ opened = [], closed = [], appeared = [], gone = [], changed = [] }: Parts): boolean {
  const isMore = ({ role }: NamedPart): boolean => role !== "menu" && role !== "menuitem";
  return [opened, closed, appeared].some((list) => list.length > 0) || [...gone, ...changed].some(isMore);
}

function takeSnapshot(moment: Moment, isOwn: (window: Window) => boolean): Snapshot {
  const windows = moment.windows.filter(isOwn).flatMap(({ id }) => moment.reads.get(id) ?? []);
  return { takenAtMs: moment.atMs, windows, all: moment.windows, includeHidden: false };
}

function nameOf({ role, name }: Element): NamedPart {
  return { role, name: cut(name) };
}

function cut(text: string): string {
  return text.length <= longestText ? text : text.slice(0, longestText).toWellFormed();
}
