import { certify, findObject } from "../map/certify.ts";
import type { Point } from "../model/bounds.ts";
import { type Element, listWithPaths, type Placed } from "../model/element.ts";
import { fail, type Result, succeed } from "../model/failure.ts";
import type { Aim, Order } from "../model/order.ts";
import { kindOfRole, type Role } from "../model/role.ts";
import type { Snapshot, WindowRead } from "../model/snapshot.ts";
import { isSeenSource } from "../model/source.ts";
import { hasTrait } from "../model/trait.ts";
import { applicationKeyOf, isSameApplication, type Window } from "../model/window.ts";
import { findBlocker } from "./blocker.ts";
import { chooseClear, findOwnContainers, listEquals, sureScore, takeNth } from "./choose.ts";
import { findDeepest } from "./hit.ts";
import { isExact, isNamed, isPlainText, type Match, rankMatches, type WordQuery } from "./match.ts";
import { type Desktop, look, lookAt, nameTaught, type ReadOptions, recognise } from "./read.ts";
import {
  describeDoubt,
  describeLostMark,
  describeNoMatch,
  describeNoScrolling,
  describeNothingAt,
  describeOnlyText,
  describeTooFew,
  describeUnknownMark,
  isSilent,
} from "./refuse.ts";
import { chooseWindow, selectWindows, type WindowQuery } from "./select.ts";
import { nameSuccessors } from "./successors.ts";
import { findInnerField, findSuiting } from "./suit.ts";
import { findTaughtPlace } from "./taught-places.ts";
import { findInUntold } from "./untold.ts";

/** One control in a fresh read. */
export interface Sighting {
  readonly read: WindowRead;
  readonly placed: Placed;
  /** The read that found it: at least all windows of its application. */
  readonly snapshot: Snapshot;
  readonly numbers: ReadonlyMap<string, number>;
}

/** Finds the one control that is meant, or refuses. It never guesses. */
export function locateOne(desktop: Desktop, aim: Aim, query: WindowQuery & ReadOptions): Promise<Result<Sighting>> {
  switch (aim.by) {
    case "mark":
      return locateMark(desktop, aim.mark, query);
    case "words":
      return locateWords(desktop, aim, query);
    case "point":
      return locateAt(desktop, aim.point, query);
    case "main":
      return locateMain(desktop, query);
  }
}

/** Keys that are meant for a drop-down list with a field go into the field. */
export function enterField(desktop: Pick<Desktop, "marks">, sighting: Sighting): Sighting {
  const { element, ancestors } = sighting.placed;
  const field = findInnerField(element);
  const inner = listWithPaths(element).find((one) => one.element === field);
  if (inner === undefined) return sighting;
  return giveMarks(desktop, { ...sighting, placed: { ...inner, ancestors: [...ancestors, ...inner.ancestors] } });
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
  let former: string | undefined;
  let last: Snapshot | undefined;
  // Visible controls first: hidden ones are seldom requested and take longer to read.
  for (const includeHidden of searched.size === 0 ? [] : [false, true]) {
    const snapshot = await lookAt(desktop.platform, own, list.value.windows, { ...query, vision, includeHidden });
    if (!snapshot.ok) return snapshot;
    const numbers = recognise(desktop.marks, snapshot.value, new Set());
    last = snapshot.value;
    seen = last.windows.filter(({ window }) => searched.has(window.id));
    former ??= findObject(desktop.marks, snapshot.value, mark);
    for (const read of seen) {
      const placed = listWithPaths(read.root).find(({ element }) => numbers.get(element.handle) === mark);
      if (placed === undefined) continue;
      const certainty = certify(desktop.marks, snapshot.value, placed.element.handle, mark);
      if (certainty.kind === "look" && !includeHidden) continue;
      if (certainty.kind !== "object" && certainty.kind !== "look") {
        const successors = nameSuccessors(desktop, snapshot.value, seen, mark, ref);
        return fail(describeDoubt(mark, ref, certainty, seen, successors));
      }
      return succeed(giveMarks(desktop, { read, placed, snapshot: snapshot.value }));
    }
    if (seen.every(isUnanswered)) break;
  }
  const successors = last === undefined ? [] : nameSuccessors(desktop, last, seen, mark, ref);
  return fail(describeLostMark(mark, ref, searched.size > 0, seen, successors, former));
}

/** A taught place, if it looks as it did. The elements at its point count as its ancestors. */
async function locateTaught(
  desktop: Desktop,
  mark: number,
  query: WindowQuery & ReadOptions,
): Promise<Result<Sighting>> {
  const place = await findTaughtPlace(desktop, mark);
  if (!place.ok) return place;
  const { window, element, all } = place.value;
  const own = all.filter((one) => isSameApplication(one, window));
  const snapshot = await lookAt(desktop.platform, own, all, { ...query, includeHidden: false });
  if (!snapshot.ok) return snapshot;
  const read = snapshot.value.windows.find((one) => one.window.id === window.id);
  if (read === undefined) return fail(describeUnknownMark(mark));
  const under = read.root && element.clickPoint && findDeepest(read.root, element.clickPoint);
  const ancestors = under === undefined ? [] : [...under.ancestors, under.element];
  const numbers = new Map([...recognise(desktop.marks, snapshot.value, new Set()), [element.handle, mark]]);
  return succeed({ read, placed: { element, ancestors }, snapshot: snapshot.value, numbers });
}

/** The one control that matches words clearly better than every other. */
async function locateWords(
  desktop: Desktop,
  { words, roles, within, nth, order }: Aim & { readonly by: "words" },
  query: WindowQuery & ReadOptions,
): Promise<Result<Sighting>> {
  const container = within === undefined ? undefined : await locateMark(desktop, within, query);
  if (container?.ok === false) return container;
  const sought = { words, roles, inside: container?.value.placed.element.handle };
  const isSuited = findSuiting(order);
  const isControl = order !== undefined;
  let last: Snapshot | undefined;
  let text: Match | undefined;
  let loose: Result<Sighting> | undefined;
  // A role alone means one that shows.
  for (const includeHidden of words === "" ? [false] : [false, true]) {
    const withUntold = includeHidden && loose === undefined;
    const snapshot = await look(desktop.platform, query, { ...query, includeHidden, withUntold });
    if (!snapshot.ok) return snapshot;
    last = snapshot.value;
    const seen = last.windows;
    const all = rankMatches(seen, sought, nameTaught(desktop.marks, snapshot.value));
    const meant = isControl && roles === undefined ? all.filter((match) => !isPlainText(match, words)) : all;
    // Behind a dialog nothing can be used: a "Cancel" in front is meant, not the one below it.
    const usable = meant.filter(({ read }) => findBlocker(snapshot.value.all, read.window) === undefined);
    const ranked = preferReachable(preferFields(isControl && usable.length > 0 ? usable : meant, order), order);
    const matches = loose === undefined ? ranked : ranked.filter((one) => isNamedControl(one) && isReachable(one));
    text ??= all[0];
    const [best] = matches;
    if (best === undefined && seen.every(isUnanswered)) break;
    if (best === undefined) continue;
    const found = chooseOne(desktop, snapshot.value, sought, matches, nth, isSuited);
    // The whole name may be that of something out of view: "Row 2" above the visible "Row 20", a closed menu's "List view".
    const isLoose = words !== "" && !includeHidden && !isExact(best);
    if (!isLoose) return found;
    loose = found;
  }
  if (loose !== undefined) return loose;
  // A page behind its own alert is drawn and in no tree: nothing is pressed there unless pictures are asked for.
  const mayLook = words !== "" && !isControl;
  const untold = last && mayLook && (await locateUntold(desktop, last, sought, nth, query));
  const windows = last?.windows ?? [];
  const known = windows.some(isSilent) ? undefined : text;
  return untold || fail(known === undefined ? describeNoMatch(sought, windows) : describeOnlyText(words, known));
}

/** The last resort: what windows draw beside their trees. */
async function locateUntold(
  desktop: Desktop,
  seen: Snapshot,
  sought: WordQuery,
  nth: number | undefined,
  query: ReadOptions,
): Promise<Result<Sighting> | undefined> {
  const untold = await findInUntold(desktop.platform, seen, query, sought);
  if (!untold.ok) return untold;
  if (untold.value === undefined) return undefined;
  const { snapshot, matches } = untold.value;
  return chooseOne(desktop, snapshot, sought, matches, nth);
}

/** The one that is meant among ranked matches: the n-th of those that fit equally well, or the only one. */
function chooseOne(
  desktop: Desktop,
  snapshot: Snapshot,
  sought: WordQuery,
  matches: readonly Match[],
  nth: number | undefined,
  isSuited?: (element: Element) => boolean,
): Result<Sighting> {
  const equals = listEquals(matches);
  const taken = takeNth(matches, nth);
  if (taken.length === 0) return fail(describeTooFew(sought, nth ?? 0, equals));
  const shown = [equals, taken].flatMap((some) => some.slice(0, maxCandidates).map(({ element }) => element.handle));
  const containers = [...findOwnContainers(equals).values()].map(({ handle }) => handle);
  const numbers = recognise(desktop.marks, snapshot, new Set([...shown, ...containers]));
  const chosen = chooseClear(sought.words, taken, numbers, isSuited && (({ element }) => isSuited(element)));
  return chosen.ok ? accept(desktop, snapshot, chosen.value, numbers) : chosen;
}

const writing: ReadonlySet<Order["kind"]> = new Set(["set-value", "type", "fill-secret"] as const);

function isNamedControl(match: Match): boolean {
  return isNamed(match) && kindOfRole(match.element.role) === "control";
}

function isReachable({ element }: Match): boolean {
  return !hasTrait(element, "switched-off");
}

/**
 * The entry of a closed menu is meant, not the button of a tool bar that is switched off, unless there is nothing else. A
 * text is never meant for what is switched off: beside a visible field, a program may keep another with the same label.
 */
function preferReachable(matches: readonly Match[], order: Order["kind"] | undefined): readonly Match[] {
  const reachable = matches.filter(isReachable);
  const isWritten = order !== undefined && writing.has(order);
  return isWritten || reachable.some(({ score }) => score >= sureScore) ? reachable : matches;
}

/** A text can only be meant for a field, even if a button matches better. */
function preferFields(matches: readonly Match[], order: Order["kind"] | undefined): readonly Match[] {
  const isField = order !== undefined && writing.has(order) ? findSuiting(order) : undefined;
  const fields = matches.filter(({ element, score }) => isField?.(element) === true && score >= sureScore);
  return fields.length > 0 ? fields : matches;
}

const scrollingRoles: ReadonlySet<Role> = new Set<Role>([
  "web",
  "document",
  "list",
  "table",
  "tree",
  "terminal",
  "scroll",
]);

export function mayScroll({ role, states }: Element): boolean {
  return scrollingRoles.has(role) || (role === "input" && states.has("multiline"));
}

/** The largest part of a window that may scroll; of the front window if none is chosen. */
async function locateMain(desktop: Desktop, query: WindowQuery & ReadOptions): Promise<Result<Sighting>> {
  const list = await desktop.platform.listWindows();
  if (!list.ok) return list;
  const front = isAnyWindow(query) ? list.value.windows.find(({ isFocused }) => isFocused) : undefined;
  const window = front === undefined ? chooseWindow(list.value, query) : succeed(front);
  if (!window.ok) return window;
  const own = list.value.windows.filter((one) => isSameApplication(one, window.value));
  const snapshot = await lookAt(desktop.platform, own, list.value.windows, { ...query, includeHidden: false });
  if (!snapshot.ok) return snapshot;
  const read = snapshot.value.windows.find((one) => one.window.id === window.value.id);
  const areas = listWithPaths(read?.root).filter(({ element }) => mayScroll(element));
  const [placed] = areas.toSorted((a, b) => areaOf(b.element) - areaOf(a.element));
  if (read === undefined || placed === undefined) {
    return fail(describeNoScrolling(window.value, read === undefined ? [] : [read]));
  }
  return succeed(giveMarks(desktop, { read, placed, snapshot: snapshot.value }));
}

function isAnyWindow({ app, window, windowId, pid, class: className }: WindowQuery): boolean {
  return [app, window, windowId, pid, className].every((one) => one === undefined);
}

function areaOf({ bounds }: Element): number {
  return bounds === undefined ? 0 : bounds.width * bounds.height;
}

/** An application that has not answered in time is not asked for its hidden controls too. */
function isUnanswered(read: WindowRead): boolean {
  return read.root === undefined && isSilent(read);
}

function accept(
  desktop: Desktop,
  snapshot: Snapshot,
  { read, element, ancestors }: Match,
  numbers: ReadonlyMap<string, number>,
): Result<Sighting> {
  acceptWords(desktop, snapshot, element, numbers);
  return succeed({ read, placed: { element, ancestors }, snapshot, numbers });
}

const maxCandidates = 10;

/** The deepest element under a point of the screen. */
async function locateAt(
  { platform, marks }: Desktop,
  point: Point,
  { timeoutMs, vision }: ReadOptions,
): Promise<Result<Sighting>> {
  const list = await platform.listWindows();
  if (!list.ok) return list;
  const window = await platform.findWindowAt(point);
  if (!window.ok) return window;
  const top = window.value;
  if (top === undefined) return fail(describeNothingAt(point, list.value));
  const own = list.value.windows.filter((one) => isSameApplication(one, top));
  const snapshot = await lookAt(platform, own, list.value.windows, { includeHidden: false, timeoutMs, vision });
  if (!snapshot.ok) return snapshot;
  const read = snapshot.value.windows.find((one) => one.window.id === top.id);
  const placed = read?.root && findDeepest(read.root, point);
  if (read === undefined || placed === undefined) return fail(describeNothingAt(point, list.value, top, read));
  const found = giveMarks({ marks }, { read, placed, snapshot: snapshot.value });
  acceptWords({ marks }, snapshot.value, placed.element, found.numbers);
  return succeed(found);
}

/** The client named the control by its words or its place: it knows what it is called now. */
function acceptWords(
  { marks }: Pick<Desktop, "marks">,
  snapshot: Snapshot,
  { handle, name }: Element,
  numbers: ReadonlyMap<string, number>,
): void {
  const mark = numbers.get(handle) ?? 0;
  if ((marks.findNames([mark]).get(mark) ?? name) !== name) recognise(marks, snapshot, new Set([handle]), true);
}

/** Marks the control and its containers. */
function giveMarks({ marks }: Pick<Desktop, "marks">, found: Omit<Sighting, "numbers">): Sighting {
  return { ...found, numbers: recognise(marks, found.snapshot, worthMarking(found.placed)) };
}

/** Unnamed containers without actions need no mark. */
function worthMarking({ element, ancestors }: Placed): ReadonlySet<string> {
  const named = ancestors.filter(({ name, actions }) => name !== "" || actions.length > 0);
  return new Set([element, ...named].map(({ handle }) => handle));
}
