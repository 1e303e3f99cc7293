import { areaOf, type Bounds, centreOf, containsPoint, intersect } from "../../../model/bounds.ts";
import { type Element, flatten } from "../../../model/element.ts";
import type { Note, WindowRead } from "../../../model/snapshot.ts";
import { DeadlinePassed, ErrorReply } from "../dbus/bus.ts";
import type { XWindow } from "../x11/windows.ts";
import { buildElement } from "./build.ts";
import type { Collection } from "./collect.ts";
import { projectOnto } from "./geometry.ts";
import type { WindowMatch } from "./match-windows.ts";
import { isNodeShown, type RawNode, roleNameOf, walkNodes } from "./nodes.ts";
import type { Extents, Peer } from "./peer.ts";
import type { Quirks } from "./quirks.ts";
import { hideSecretsInSight, makeScrubber } from "./secrets.ts";
import { isGone } from "./toolkit.ts";
import { tooManyNodes } from "./walk.ts";

/** Where an application's windows are, and what is wanted of them. */
export interface Setting {
  readonly appKey: string;
  readonly screen: Bounds;
  readonly monitors: readonly Bounds[];
  readonly includeHidden: boolean;
  readonly isForPicture?: boolean | undefined;
}

/** What is known of an application besides its nodes. */
export interface Surroundings {
  readonly quirks: Quirks;
  /** The positions of its pop-ups, for toolkits that do not know them. */
  readonly popups: readonly Bounds[];
  /** Objects behind a sibling of the same position and size. */
  readonly covered: ReadonlySet<string>;
  /** What holds for the whole application. */
  readonly notes: readonly Note[];
  readonly cuts: Collection["cuts"];
  /** Bus id and application name, which make an object's path unique. */
  readonly runtimePrefix: string;
}

/** Interprets one window without further requests. */
export function assembleWindow(match: WindowMatch, setting: Setting, around: Surroundings): WindowRead {
  const { quirks, popups: places, covered, cuts } = around;
  const { window, frame, popups } = match;
  const notes = [...around.notes, ...describeCuts([frame, ...popups], cuts, window.bounds)];
  const isKept = (child: RawNode): boolean => setting.includeHidden || isNodeShown(quirks, child);
  for (const root of [frame, ...popups]) hideSecretsInSight(root, isKept);
  const context = {
    quirks,
    project: projectOnto(window, measureFrame(frame), quirks, setting.monitors),
    visible: setting.screen,
    screen: setting.screen,
    popups: places,
    isInPopup: false,
    covered,
    includeHidden: setting.includeHidden,
    isForPicture: setting.isForPicture === true,
    scrub: makeScrubber([frame, ...popups]),
    runtimePrefix: around.runtimePrefix,
  };
  const visible = intersect(window.content, setting.screen) ?? setting.screen;
  const frameContext = { ...context, visible, isInDock: window.isDock };
  const root = buildElement(frame, frameContext, !window.state.includes("minimised"));
  const opened: Element[] = popups.map((popup, index) => {
    return buildElement(popup, context, true, { index, count: popups.length, isTop: true });
  });
  const whole = opened.length === 0 ? root : { ...root, children: [...root.children, ...opened] };
  const open = quirks.listsOutlivePopups ? hideClosedLists(whole, places) : whole;
  const onMonitors = keepOnMonitors(open, setting.monitors, frameContext.visible, setting.screen);
  const isMinimised = window.state.includes("minimised");
  return {
    window,
    appKey: setting.appKey,
    root: onMonitors === whole || setting.includeHidden ? onMonitors : dropHidden(onMonitors),
    notes: isMinimised ? [...notes, minimisedNote] : notes,
  };
}

/** What was left out of these trees: an application may have a sheet in one window and a letter in another. */
export function describeCuts(roots: readonly RawNode[], cuts: Collection["cuts"], whole: Bounds): Note[] {
  if (cuts.size === 0) return [];
  const texts = roots.flatMap((root) => [...walkNodes(root)].flatMap(({ path }) => cuts.get(path) ?? []));
  return [...new Set(texts)].map((text) => ({
    code: "TRUNCATED",
    text,
    ...(text === tooManyNodes ? { areas: [whole] } : {}),
  }));
}

/** Swing reports no position for its windows when it scales; their content has one. */
function measureFrame(frame: RawNode): Extents | undefined {
  const { extents } = frame.details;
  if (extents === undefined || extents[2] > 0) return extents;
  return frame.children.find((child) => (child.details.extents?.[2] ?? 0) > 0)?.details.extents;
}

const minimisedNote: Note = { code: "TRUNCATED", text: "the window is minimised: nothing of it is on the screen" };

const pageless =
  "the browser shows no page to accessibility: start it with --force-renderer-accessibility to read what is in its tabs";

export function describeEnd(peer: Peer, quirks: Quirks, collection: Collection): Note[] {
  const notes: Note[] = [];
  if (peer.hasExpired)
    notes.push({ code: "TIMEOUT", text: "the application stopped answering: part of the window is missing" });
  if (!peer.bus.isOpen)
    notes.push({ code: "GONE", text: "the accessibility bus went away: part of the window is missing" });
  const isWhole = notes.length === 0 && collection.cuts.size === 0;
  if (quirks.sleepsUntilAsked && isWhole && collection.windows.some(lacksPage))
    notes.push({ code: "NO_TREE", text: pageless });
  const isEmpty = collection.windows.every(({ children, childCount }) => children.length === 0 && childCount <= 0);
  if (isEmpty && isWhole && notes.length === 0)
    notes.push({ code: "NO_TREE", text: "the application shows no controls to accessibility" });
  return notes;
}

/** Whether a window has tabs but no page. */
function lacksPage(window: RawNode): boolean {
  const roles = new Set([...walkNodes(window)].filter(({ isBrief }) => !isBrief).map(roleNameOf));
  return roles.has("page tab") && !roles.has("document web");
}

/** The result for windows that could not be read at all. */
export function describeFailure(
  error: unknown,
  windows: readonly XWindow[],
  appKey: string,
  timeoutMs: number,
): WindowRead[] {
  const note = noteFor(error, timeoutMs);
  if (note === undefined) throw error;
  return windows.map((window) => ({ window, appKey, root: undefined, notes: [note] }));
}

/** The result for a window that looks like another one of its application. */
export function describeUndecided(window: XWindow, appKey: string): WindowRead {
  const text =
    "another window of this application looks the same, and it does not tell which content is in which; give this one " +
    `the focus: deskmap focus --window-id ${window.id}`;
  return { window, appKey, root: undefined, notes: [{ code: "FAILED", text }] };
}

function noteFor(error: unknown, timeoutMs: number): Note | undefined {
  if (error instanceof DeadlinePassed) {
    return { code: "TIMEOUT", text: `the application does not answer (waited ${timeoutMs} ms)` };
  }
  if (error instanceof ErrorReply) {
    return isGone(error)
      ? { code: "GONE", text: "the application ended while it was being read" }
      : { code: "FAILED", text: `the application refused to be read: ${error.code}` };
  }
  return undefined;
}

/**
 * Qt reports a closed combo box list as showing at its old position. It counts as open only if a pop-up of the
 * application is on the screen there; otherwise a click would hit what is below it.
 */
function hideClosedLists(element: Element, popups: readonly Bounds[]): Element {
  const children = element.children.map((child) => {
    const isClosed = element.role === "select" && child.children.length > 0 && !isOpen(child, popups);
    return isClosed ? hide(child) : hideClosedLists(child, popups);
  });
  return { ...element, children };
}

function isOpen(list: Element, popups: readonly Bounds[]): boolean {
  return flatten(list.children).some(({ bounds }) => {
    return bounds !== undefined && popups.some((popup) => containsPoint(popup, centreOf(bounds)));
  });
}

function hide(element: Element): Element {
  const states = new Set([...element.states, "hidden" as const]);
  return { ...element, states, clickPoint: undefined, children: element.children.map(hide) };
}

/**
 * Monitors of different sizes leave parts of the screen that no monitor shows and no pointer reaches. Elements there
 * are hidden; partly visible ones are clicked where a monitor shows most of them.
 */
export function keepOnMonitors(root: Element, monitors: readonly Bounds[], visible: Bounds, screen: Bounds): Element {
  const isWhole = monitors.length === 0 || monitors.some((monitor) => holds(monitor, visible));
  // A menu may extend beyond its window.
  if (isWhole && root.children.every(({ role }) => role !== "menu")) return root;
  const keep = (element: Element, outer: Bounds): Element => {
    const { bounds, clickPoint, role } = element;
    const seen = role === "menu" ? screen : outer;
    const inner = role === "scroll" && bounds !== undefined ? (intersect(bounds, seen) ?? seen) : seen;
    const children = element.children.map((child) => keep(child, inner));
    if (clickPoint === undefined || bounds === undefined) return { ...element, children };
    if (monitors.some((monitor) => containsPoint(monitor, clickPoint))) return { ...element, children };
    const part = findLargestPart(intersect(bounds, seen), monitors);
    if (part !== undefined) return { ...element, clickPoint: centreOf(part), children };
    return { ...element, clickPoint: undefined, states: new Set([...element.states, "hidden" as const]), children };
  };
  return keep(root, visible);
}

export function dropHidden(element: Element): Element {
  const children = element.children.map(dropHidden);
  return { ...element, children: children.filter((child) => !child.states.has("hidden") || child.children.length > 0) };
}

function findLargestPart(bounds: Bounds | undefined, monitors: readonly Bounds[]): Bounds | undefined {
  if (bounds === undefined) return undefined;
  return monitors.flatMap((monitor) => intersect(bounds, monitor) ?? []).sort((a, b) => areaOf(b) - areaOf(a))[0];
}

function holds(outer: Bounds, inner: Bounds): boolean {
  const shared = intersect(outer, inner);
  return shared?.width === inner.width && shared.height === inner.height;
}
