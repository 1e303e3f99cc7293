import { certify } from "../map/certify.ts";
import type { Point } from "../model/bounds.ts";
import { listWithPaths, type Placed } from "../model/element.ts";
import { fail, type Result, succeed } from "../model/failure.ts";
import type { Aim } from "../model/order.ts";
import type { Role } from "../model/role.ts";
import type { WindowRead } from "../model/snapshot.ts";
import { isSeenSource } from "../model/source.ts";
import { applicationKeyOf, type Window } from "../model/window.ts";
import { chooseClear } from "./choose.ts";
import { findDeepest } from "./hit.ts";
import { rankMatches } from "./match.ts";
import { type Desktop, know, look, lookAt, nameTaught, type ReadOptions, type Sight } from "./read.ts";
import { describeDoubt, describeLostMark, describeNoMatch, describeNothingAt, describeUnknownMark } from "./refuse.ts";
import { selectWindows, type WindowQuery } from "./select.ts";
import { findTaughtPlace } from "./taught-places.ts";

/** One control in a fresh view, and the view. */
export interface Sighting {
  readonly read: WindowRead;
  readonly placed: Placed;
  /** What was read at that moment: every window of the control's application, or more. */
  readonly sight: Sight;
  readonly numbers: ReadonlyMap<string, number>;
}

/** Finds the one control that is meant, or refuses. It never guesses. */
export function locateOne(desktop: Desktop, aim: Aim, query: WindowQuery & ReadOptions): Promise<Result<Sighting>> {
  switch (aim.by) {
    case "mark":
      return locateMark(desktop, aim.mark, query);
    case "words":
      return locateWords(desktop, aim.words, aim.roles, query);
    case "point":
      return locateAt(desktop, aim.point, query);
  }
}

/** The control that a mark means; a mark never leads to another one. */
async function locateMark(
  desktop: Desktop,
  given: number,
  query: WindowQuery & ReadOptions,
): Promise<Result<Sighting>> {
  const mark = desktop.marks.followAlias(given);
  const ref = desktop.marks.findRef(mark);
  const source = desktop.marks.findLearned([mark]).get(mark)?.source ?? "a11y";
  if (ref === undefined) return fail(describeUnknownMark(given));
  if (source === "learned") return locateTaught(desktop, mark, query);
  const vision = isSeenSource(source) ? (query.vision ?? "on") : query.vision;
  const list = await desktop.platform.listWindows();
  if (!list.ok) return list;
  const chosen = selectWindows(list.value, query);
  if (!chosen.ok) return chosen;
  const isOwn = (window: Window): boolean => applicationKeyOf(window) === ref.app;
  const searched = new Set(chosen.value.filter(isOwn).map(({ id }) => id));
  const own = list.value.windows.filter(isOwn);
  let seen: readonly WindowRead[] = [];
  // What is on the screen first: a mark is seldom asked for that is not, and everything hidden takes longer to read.
  for (const includeHidden of searched.size === 0 ? [] : [false, true]) {
    const sight = await lookAt(desktop.platform, own, list.value.windows, { ...query, vision, includeHidden });
    if (!sight.ok) return sight;
    const numbers = know(desktop.marks, sight.value, new Set());
    seen = sight.value.snapshot.windows.filter(({ window }) => searched.has(window.id));
    for (const read of seen) {
      const placed = listWithPaths(read.root).find(({ element }) => numbers.get(element.handle) === mark);
      if (placed === undefined) continue;
      const { snapshot, all } = sight.value;
      const certainty = certify(desktop.marks, snapshot, all, placed.element.handle, mark);
      if (certainty.kind === "look" && !includeHidden) continue;
      if (certainty.kind !== "object" && certainty.kind !== "look") {
        return fail(describeDoubt(mark, ref, certainty, seen));
      }
      return succeed(giveMarks(desktop, { read, placed, sight: sight.value }));
    }
  }
  return fail(describeLostMark(mark, ref, searched.size > 0, seen));
}

/** A place that a person pointed at, while it looks as it did. What is there otherwise counts as what it is in. */
async function locateTaught(
  desktop: Desktop,
  mark: number,
  query: WindowQuery & ReadOptions,
): Promise<Result<Sighting>> {
  const place = await findTaughtPlace(desktop, mark);
  if (!place.ok) return place;
  const { window, element, all } = place.value;
  const own = all.filter(({ id, pid }) => id === window.id || (pid === window.pid && pid !== 0));
  const sight = await lookAt(desktop.platform, own, all, { ...query, includeHidden: false });
  if (!sight.ok) return sight;
  const read = sight.value.snapshot.windows.find((one) => one.window.id === window.id);
  if (read === undefined) return fail(describeUnknownMark(mark));
  const under = read.root && element.clickPoint && findDeepest(read.root, element.clickPoint);
  const ancestors = under === undefined ? [] : [...under.ancestors, under.element];
  const numbers = new Map([...know(desktop.marks, sight.value, new Set()), [element.handle, mark]]);
  return succeed({ read, placed: { element, ancestors }, sight: sight.value, numbers });
}

/** The one control that fits words clearly better than every other. */
async function locateWords(
  desktop: Desktop,
  words: string,
  roles: ReadonlySet<Role> | undefined,
  query: WindowQuery & ReadOptions,
): Promise<Result<Sighting>> {
  let seen: readonly WindowRead[] = [];
  for (const includeHidden of [false, true]) {
    const sight = await look(desktop.platform, query, { ...query, includeHidden });
    if (!sight.ok) return sight;
    seen = sight.value.snapshot.windows;
    const matches = rankMatches(seen, words, roles, nameTaught(desktop.marks, sight.value));
    if (matches.length === 0) continue;
    const wanted = new Set(matches.slice(0, maxCandidates).map(({ element }) => element.handle));
    const numbers = know(desktop.marks, sight.value, wanted);
    const chosen = chooseClear(words, matches, numbers);
    if (!chosen.ok) return chosen;
    const { read, element, ancestors } = chosen.value;
    return succeed({ read, placed: { element, ancestors }, sight: sight.value, numbers });
  }
  return fail(describeNoMatch(words, roles, seen));
}

const maxCandidates = 10;

/** The deepest element under a point of the screen. */
async function locateAt({ platform, marks }: Desktop, point: Point, options: ReadOptions): Promise<Result<Sighting>> {
  const list = await platform.listWindows();
  if (!list.ok) return list;
  const window = await platform.findWindowAt(point);
  if (!window.ok) return window;
  const top = window.value;
  if (top === undefined) return fail(describeNothingAt(point, list.value));
  const own = list.value.windows.filter(({ pid, id }) => id === top.id || (pid === top.pid && pid !== 0));
  const sight = await lookAt(platform, own, list.value.windows, {
    includeHidden: false,
    timeoutMs: options.timeoutMs,
    vision: options.vision,
  });
  if (!sight.ok) return sight;
  const read = sight.value.snapshot.windows.find((one) => one.window.id === top.id);
  const placed = read?.root && findDeepest(read.root, point);
  if (read === undefined || placed === undefined) return fail(describeNothingAt(point, list.value, top, read));
  return succeed(giveMarks({ marks }, { read, placed, sight: sight.value }));
}

/** Gives the control, and what it is inside of, their marks. */
function giveMarks({ marks }: Pick<Desktop, "marks">, found: Omit<Sighting, "numbers">): Sighting {
  return { ...found, numbers: know(marks, found.sight, worthMarking(found.placed)) };
}

/** A nameless box on the way needs no number: nobody will ask for it. */
function worthMarking({ element, ancestors }: Placed): ReadonlySet<string> {
  const named = ancestors.filter(({ name, actions }) => name !== "" || actions.length > 0);
  return new Set([element, ...named].map(({ handle }) => handle));
}
