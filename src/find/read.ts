import { recognise } from "../map/recognise.ts";
import { type MapStore, MapUnavailable } from "../map/store/port.ts";
import { fail, type Result, succeed } from "../model/failure.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { VisionMode } from "../model/source.ts";
import { traced } from "../model/trace.ts";
import type { TaughtNames } from "../model/view.ts";
import type { Window } from "../model/window.ts";
import type { Mirror, Platform } from "../platform/port.ts";
import { selectWindows, type WindowQuery } from "./select.ts";

export { recognise } from "../map/recognise.ts";

/** What is read, and the map. */
export interface Desktop {
  readonly platform: Platform;
  readonly marks: MapStore;
}

/** A desktop that can be followed. */
export interface LiveDesktop {
  /** As the policy allows it to be read now. */
  readonly desktop: Desktop;
  readonly mirror: Mirror;
}

export interface ReadOptions {
  /** Time allowed for each application. */
  readonly timeoutMs: number;
  /** Read everything from the application, even what the mirror has. */
  readonly isAnew?: boolean | undefined;
  /** Whether pictures are read; auto by default. */
  readonly vision?: VisionMode | undefined;
  /** Note where a window draws what its tree does not tell. */
  readonly withUntold?: boolean | undefined;
}

type Look = ReadOptions & Pick<Snapshot, "includeHidden">;

/** Reads the windows that a query selects. */
export async function look(platform: Platform, query: WindowQuery, how: Look): Promise<Result<Snapshot>> {
  const list = await platform.listWindows();
  if (!list.ok) return list;
  const wanted = selectWindows(list.value, query);
  return wanted.ok ? lookAt(platform, wanted.value, list.value.windows, how) : wanted;
}

/** Reads the windows that satisfy a condition. */
export async function lookWhere(
  platform: Platform,
  isWanted: (window: Window) => boolean,
  how: Look,
): Promise<Result<Snapshot>> {
  const list = await platform.listWindows();
  return list.ok ? lookAt(platform, list.value.windows.filter(isWanted), list.value.windows, how) : list;
}

export async function lookAt(
  platform: Platform,
  windows: readonly Window[],
  all: readonly Window[],
  { includeHidden, timeoutMs, isAnew, vision, withUntold }: Look,
): Promise<Result<Snapshot>> {
  const reads = await traced(
    "read",
    () => ["read windows", describeWindows(windows)],
    () => platform.readWindows({ windows, includeHidden, timeoutMs, isAnew, vision, withUntold }),
  );
  if (!reads.ok) return reads;
  return succeed({ takenAtMs: Date.now(), windows: reads.value, all, includeHidden, vision });
}

/** By their ids: a title may be a secret. */
function describeWindows(windows: readonly Window[]): string {
  return windows.map(({ id }) => `0x${id.toString(16)}`).join(" ");
}

/** Taught names of elements, by handle. Usually there are none, and then nothing is recognised. */
export function nameTaught(marks: MapStore, snapshot: Snapshot): ReadonlyMap<string, string> {
  const names = findTaught(marks, snapshot);
  if (names.size === 0) return new Map();
  const numbers = recognise(marks, snapshot, new Set());
  const taught = new Map<string, string>();
  for (const [id, mark] of numbers) {
    const name = names.get(mark);
    if (name !== undefined) taught.set(id, name);
  }
  return taught;
}

/** Taught names in the applications of a snapshot, by mark. */
export function findTaught(marks: MapStore, { windows }: Snapshot): TaughtNames {
  return marks.findTaught([...new Set(windows.map(({ appKey }) => appKey))]);
}

/** Turns a failure of the map into a result. */
export async function withMap<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MapUnavailable) return fail(error.failure);
    throw error;
  }
}
