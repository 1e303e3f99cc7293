import { recognise } from "../map/recognise.ts";
import { type MapStore, MapUnavailable } from "../map/store/port.ts";
import { fail, type Result, succeed } from "../model/failure.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { traced } from "../model/trace.ts";
import type { TaughtNames } from "../model/view.ts";
import type { Window } from "../model/window.ts";
import type { Mirror, Platform } from "../platform/port.ts";
import type { VisionMode } from "../sources/port.ts";
import { selectWindows, type WindowQuery } from "./select.ts";

/** What can be looked at, and what remembers it. */
export interface Desktop {
  readonly platform: Platform;
  readonly marks: MapStore;
}

/** The desktop as it goes on, for whoever stays with it. */
export interface LiveDesktop {
  /** As a person allows it to be looked at now. */
  readonly desktop: Desktop;
  readonly mirror: Mirror;
}

export interface ReadOptions {
  /** Time allowed for each application. */
  readonly timeoutMs: number;
  /** Read from the application also what a mirror knows. */
  readonly isAnew?: boolean | undefined;
  /** Whether pictures are read; auto where it is undefined. */
  readonly vision?: VisionMode | undefined;
}

/** What was seen at one moment. */
export interface Sight {
  readonly snapshot: Snapshot;
  /** Every window that is open, read or not. */
  readonly all: readonly Window[];
  /** Whether what is not on the screen was read too. */
  readonly includeHidden: boolean;
  /** How it was read: only what was read alike can be compared. */
  readonly vision?: VisionMode | undefined;
}

export interface Look extends ReadOptions {
  readonly includeHidden: boolean;
}

/** Reads the windows that a query names. */
export async function look(platform: Platform, query: WindowQuery, how: Look): Promise<Result<Sight>> {
  const list = await platform.listWindows();
  if (!list.ok) return list;
  const wanted = selectWindows(list.value, query);
  return wanted.ok ? lookAt(platform, wanted.value, list.value.windows, how) : wanted;
}

export async function lookAt(
  platform: Platform,
  windows: readonly Window[],
  all: readonly Window[],
  { includeHidden, timeoutMs, isAnew, vision }: Look,
): Promise<Result<Sight>> {
  const reads = await traced(
    "read",
    () => ["read windows", describeWindows(windows)],
    () => platform.readWindows({ windows, includeHidden, timeoutMs, isAnew, vision }),
  );
  if (!reads.ok) return reads;
  return succeed({ snapshot: { takenAtMs: Date.now(), windows: reads.value }, all, includeHidden, vision });
}

/** By their ids: a title may be a secret. */
function describeWindows(windows: readonly Window[]): string {
  return windows.map(({ id }) => `0x${id.toString(16)}`).join(" ");
}

/**
 * The marks of what was seen: those that were given before, and new ones for what is wanted. Whoever shows all of that to the
 * one who asked says so: a control with new words is followed only then.
 */
export function know(
  marks: MapStore,
  { snapshot, all }: Sight,
  wanted: ReadonlySet<string>,
  isShown = false,
): ReadonlyMap<string, number> {
  return recognise(marks, snapshot, all, wanted, { isShown });
}

/** What elements that were seen were taught to be called, by handle. Mostly nothing was, and then nothing is looked up. */
export function nameTaught(marks: MapStore, sight: Sight): ReadonlyMap<string, string> {
  const names = findTaught(marks, sight);
  if (names.size === 0) return new Map();
  const numbers = know(marks, sight, new Set());
  const taught = new Map<string, string>();
  for (const [id, mark] of numbers) {
    const name = names.get(mark);
    if (name !== undefined) taught.set(id, name);
  }
  return taught;
}

/** What controls of the applications that were seen were taught to be called. */
export function findTaught(marks: MapStore, { snapshot }: Sight): TaughtNames {
  return marks.findTaught([...new Set(snapshot.windows.map(({ appKey }) => appKey))]);
}

/** A map that fails while it is in use is an answer, not a fault. */
export async function withMap<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MapUnavailable) return fail(error.failure);
    throw error;
  }
}
