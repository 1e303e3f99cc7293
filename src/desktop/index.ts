import { listEquals, takeNth } from "../find/choose.ts";
import { type ElementQuery, selectElements } from "../find/filter.ts";
import { locateOne, type Sighting } from "../find/locate.ts";
import { isExact, rankMatches, type WordQuery } from "../find/match.ts";
import { type Desktop, findTaught, look, nameTaught, type ReadOptions, recognise, withMap } from "../find/read.ts";
import { describeNoMatch, describeTooFew } from "../find/refuse.ts";
import { selectWindows, type WindowQuery } from "../find/select.ts";
import { findInUntold } from "../find/untold.ts";
import type { MapStore } from "../map/store/port.ts";
import type { Point } from "../model/bounds.ts";
import { flatten, type Placed } from "../model/element.ts";
import { fail, type Result, succeed } from "../model/failure.ts";
import type { Aim } from "../model/order.ts";
import type { Snapshot, WindowRead } from "../model/snapshot.ts";
import {
  attachMarks,
  type Findings,
  type Located,
  type TaughtNames,
  type TextView,
  type View,
  type WindowView,
} from "../model/view.ts";
import type { Application, Window } from "../model/window.ts";
import type { Platform } from "../platform/port.ts";
import { knowAgain } from "./view-cache.ts";

/**
 * Deskmap's main job, in order:
 *
 *   look   sources → snapshot        read what is on the screen now
 *   find   snapshot + query → chosen  the requested elements, or a refusal that says what is there instead
 *   know   chosen + map → marks      recognise controls met before
 *   show   marked elements → text    in src/show
 */
export { act } from "../act/act.ts";
export type { ActingDesktop, ActRequest } from "../act/desktop.ts";
export type { Desktop } from "../find/read.ts";

export interface ReadQuery extends WindowQuery, ElementQuery, ReadOptions {
  readonly includeHidden: boolean;
}

export interface FindQuery extends WindowQuery, ReadOptions, Omit<WordQuery, "inside"> {
  /** Only inside the control with this mark. */
  readonly within?: number | undefined;
  /** Which of those that match best, in the order of a read: 1 is the first, −1 the last. */
  readonly nth?: number | undefined;
  /** Include what is not on the screen; otherwise only if nothing visible matches. */
  readonly includeHidden: boolean;
  readonly max: number;
}

export async function listWindows(platform: Platform, query: WindowQuery): Promise<Result<readonly Window[]>> {
  const list = await platform.listWindows();
  return list.ok ? selectWindows(list.value, query) : list;
}

export async function listApplications(
  platform: Platform,
  query: WindowQuery,
): Promise<Result<readonly Application[]>> {
  const windows = await listWindows(platform, query);
  if (!windows.ok) return windows;
  const covered = await platform.covers(windows.value);
  if (!covered.ok) return covered;
  return succeed(
    [...Map.groupBy(windows.value, ({ pid }) => pid)].map(([pid, own]) => ({
      app: own[0]?.app ?? "unknown",
      pid,
      windowCount: own.length,
      isFocused: own.some(({ isFocused }) => isFocused),
      hasTree: own.some(({ id }) => covered.value.has(id)),
    })),
  );
}

export function read(desktop: Desktop, query: ReadQuery): Promise<Result<View>> {
  return withMap(async () => {
    const snapshot = await look(desktop.platform, query, { ...query, withUntold: true });
    return snapshot.ok ? succeed(knowChosen(desktop.marks, snapshot.value, query)) : snapshot;
  });
}

export function find(desktop: Desktop, query: FindQuery): Promise<Result<Findings>> {
  return withMap(async () => {
    const { words, roles, nth, within } = query;
    const container = within === undefined ? undefined : await locateOne(desktop, { by: "mark", mark: within }, query);
    if (container?.ok === false) return container;
    const sought = { words, roles, inside: container?.value.placed.element.handle };
    const first = await look(desktop.platform, query, { ...query, withUntold: query.includeHidden });
    if (!first.ok) return first;
    let snapshot = first.value;
    let matches = rankSeen(desktop, snapshot, sought);
    // The whole name may be that of something out of view, as for an action.
    const withUntold = matches.length === 0;
    if (!query.includeHidden && (withUntold || (words !== "" && !matches.some(isExact)))) {
      const whole = await look(desktop.platform, query, { ...query, includeHidden: true, withUntold });
      if (!whole.ok) return whole;
      const all = rankSeen(desktop, whole.value, sought);
      if (withUntold || all.some(isExact)) [snapshot, matches] = [whole.value, all];
    }
    if (matches.length === 0) {
      const untold = await findInUntold(desktop.platform, snapshot, query, sought);
      if (!untold.ok) return untold;
      ({ snapshot, matches } = untold.value ?? { snapshot, matches });
    }
    const { windows } = snapshot;
    if (matches.length === 0) return fail(describeNoMatch(sought, windows));
    const chosen = takeNth(matches, nth);
    if (nth !== undefined && chosen.length === 0) return fail(describeTooFew(sought, nth, listEquals(matches)));
    const best = chosen.slice(0, query.max);
    const numbers = recognise(desktop.marks, snapshot, new Set(best.map(({ element }) => element.handle)), true);
    const names = findTaught(desktop.marks, snapshot);
    return succeed({
      found: best.map(({ read, score, reason, ...placed }) => ({
        ...markFound(read, placed, numbers, names),
        score,
        reason,
      })),
      leftOut: chosen.length - best.length,
      gaps: windows.filter(({ notes }) => notes.length > 0),
    });
  });
}

/** The one control that is meant, in a fresh read, or a refusal. A mark never leads to another control. */
export function locate(desktop: Desktop, aim: Aim, query: WindowQuery & ReadOptions): Promise<Result<Located>> {
  return withMap(async () => markSighted(desktop, await locateOne(desktop, aim, query)));
}

/** The deepest element at a point of the screen, with its ancestors. */
export function findAt(desktop: Desktop, point: Point, { timeoutMs, vision }: ReadOptions): Promise<Result<Located>> {
  return locate(desktop, { by: "point", point }, { timeoutMs, vision });
}

export interface TextQuery extends WindowQuery, ReadOptions {
  readonly aim: Aim;
  readonly start: number;
  readonly end: number | undefined;
  readonly withCaret?: boolean | undefined;
}

/** The text of one element, as its application reports it; secret text is refused. */
export async function readText(desktop: Desktop, query: TextQuery): Promise<Result<TextView>> {
  const located = await locate(desktop, query.aim, query);
  if (!located.ok) return located;
  const { element } = located.value;
  const { start, end, timeoutMs } = query;
  const text = await desktop.platform.readText({ element, start, end, timeoutMs });
  if (!text.ok || query.withCaret !== true) return text.ok ? succeed({ ...text.value, element }) : text;
  const glimpse = await desktop.platform.glimpse(element, timeoutMs);
  return glimpse.ok ? succeed({ ...text.value, element, caret: glimpse.value?.caret }) : glimpse;
}

function rankSeen({ marks }: Desktop, snapshot: Snapshot, sought: WordQuery) {
  return rankMatches(snapshot.windows, sought, nameTaught(marks, snapshot));
}

export function knowChosen(marks: MapStore, snapshot: Snapshot, query: ReadQuery): View {
  const windows = knowAgain(marks, snapshot, describeSelection(query), () => markChosen(marks, snapshot, query));
  return { takenAtMs: snapshot.takenAtMs, windows };
}

/** A key of everything a query selects; only views of the same selection can be compared or reused. */
export function describeSelection(query: ReadQuery & { readonly withPlaces?: boolean | undefined }): string {
  const { app, window, windowId, pid, class: className, roles, bbox, depth, isInteractive, isWhole, max } = query;
  const named = roles === undefined ? undefined : [...roles].sort();
  const { includeHidden, withPlaces, isSemantic, vision = "auto" } = query;
  return JSON.stringify([
    [app?.toLowerCase(), window?.toLowerCase(), windowId, pid, className?.toLowerCase()],
    [named, bbox, depth, isInteractive ?? false, isWhole ?? false, max, includeHidden, withPlaces ?? false, vision],
    ...(isSemantic === true ? ["semantic"] : []),
  ]);
}

function markChosen(marks: MapStore, snapshot: Snapshot, query: ReadQuery): readonly WindowView[] {
  const chosen = snapshot.windows.map((one) => choose(one, query));
  const wanted = new Set(flatten(chosen.flatMap(({ elements }) => elements)).map((element) => element.handle));
  const numbers = recognise(marks, snapshot, wanted, true);
  const names = findTaught(marks, snapshot);
  return chosen.map(({ window, notes, elements }) => ({
    window,
    notes,
    elements: elements.map((element) => attachMarks(element, numbers, names)),
  }));
}

function choose({ window, root, notes }: WindowRead, query: ReadQuery) {
  if (root === undefined) return { window, notes, elements: [] };
  const { elements, leftOut } = selectElements(root, query);
  const cut = { code: "TRUNCATED" as const, text: `${leftOut} more elements: raise --max` };
  return { window, notes: leftOut === 0 ? notes : [...notes, cut], elements };
}

export function markSighted({ marks }: Desktop, sighting: Result<Sighting>): Result<Located> {
  if (!sighting.ok) return sighting;
  const { read, placed, numbers, snapshot } = sighting.value;
  return succeed(markFound(read, placed, numbers, findTaught(marks, snapshot)));
}

function markFound(
  { window, notes }: WindowRead,
  { element, ancestors }: Placed,
  numbers: ReadonlyMap<string, number>,
  names?: TaughtNames,
): Located {
  return {
    window,
    notes,
    element: attachMarks(element, numbers, names),
    ancestors: ancestors.map((one) => attachMarks({ ...one, children: [] }, numbers)),
  };
}
