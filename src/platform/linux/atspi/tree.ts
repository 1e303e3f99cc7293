import { type Bounds, intersect } from "../../../model/bounds.ts";
import type { Element } from "../../../model/element.ts";
import type { Note, WindowRead } from "../../../model/snapshot.ts";
import type { Bus } from "../dbus/bus.ts";
import { DeadlinePassed, ErrorReply } from "../dbus/errors.ts";
import type { XWindow } from "../x11/windows.ts";
import { buildElement } from "./build.ts";
import { unlessRefused } from "./cache.ts";
import { hideClosedLists } from "./closed-lists.ts";
import { type Collection, collectNodes } from "./collect.ts";
import { findCovered } from "./covered.ts";
import { coordinatesOf, readDetails } from "./details.ts";
import { projectOnto } from "./geometry.ts";
import { isGone, knowToolkit } from "./know-toolkit.ts";
import { matchWindows, type WindowMatch } from "./match-windows.ts";
import { mayOverflowCache } from "./memory.ts";
import { isNodeShown, type RawNode, roleNameOf, walkNodes } from "./nodes.ts";
import { dropHidden, keepOnMonitors } from "./on-monitors.ts";
import { dropScrolledAway } from "./out-of-view.ts";
import { Peer } from "./peer.ts";
import { type Extents, getExtents, getRelations, isInterface } from "./protocol.ts";
import { isShown, type Quirks } from "./quirks.ts";
import { hideSecretsInSight, makeScrubber } from "./secrets.ts";
import { warmUpPages } from "./warm-up.ts";

export interface AppReadRequest {
  readonly busName: string;
  readonly appKey: string;
  /** All windows of the process: a frame is told from its sisters only in their company. */
  readonly allWindows: readonly XWindow[];
  readonly wantedIds: ReadonlySet<number>;
  readonly screen: Bounds;
  readonly monitors: readonly Bounds[];
  /** Asks the display where the process's pop-ups are. */
  readonly listPopups: () => Promise<readonly Bounds[]>;
  readonly includeHidden: boolean;
  readonly timeoutMs: number;
  readonly isForPicture?: boolean | undefined;
}

/** A picture may show any part of a long text. */
const picturedLength = 1_000_000;

/** Reads the wanted windows of one application. It never throws for what the application does: it says so in a note. */
export async function readApplication(bus: Bus, request: AppReadRequest): Promise<WindowRead[]> {
  const peer = new Peer(bus, request.busName, request.timeoutMs, request.isForPicture === true ? picturedLength : 0);
  try {
    const known = avoidOverflow(await knowToolkit(peer), request);
    // For a picture it matters that there are actions, not what they are called: that would be a call for each.
    const quirks = request.isForPicture === true ? { ...known, hasPlainActionNames: true } : known;
    if (quirks.hasLazyPages) await warmUpPages(peer);
    const collection = await collect(peer, quirks, request.includeHidden);
    // Places tell windows apart where titles may not; alone, a window's place comes with the rest.
    if (collection.windows.length > 1 || request.allWindows.length > 1)
      await readFrameExtents(peer, quirks, collection);
    const matches = matchWindows(collection.windows, request.allWindows, quirks);
    const wanted = matches.filter((match) => request.wantedIds.has(match.window.id));
    if (quirks.statesStopAtParent && !request.includeHidden) {
      await dropScrolledAway(
        peer,
        quirks,
        wanted.flatMap(({ frame, popups }) => [frame, ...popups]),
      );
    }
    await readShownDetails(peer, quirks, wanted, request.includeHidden);
    const needsPopups = quirks.extentsFrom === "window" || quirks.listsOutlivePopups;
    const popups = needsPopups ? await request.listPopups() : [];
    const roots = wanted.map((match) => match.frame);
    const covered = quirks.stacksLookAlike ? await findCovered(peer, quirks, roots) : new Set<string>();
    const notes = describeEnd(peer, quirks, collection, bus.isOpen);
    return wanted.map((match) => buildWindow(peer, quirks, match, request, popups, covered, notes));
  } catch (error) {
    return describeFailure(error, request);
  } finally {
    peer.close();
  }
}

function avoidOverflow(quirks: Quirks, { allWindows }: AppReadRequest): Quirks {
  const isAtRisk = quirks.cacheMayOverflow && mayOverflowCache(allWindows[0]?.pid ?? 0);
  return isAtRisk ? { ...quirks, cache: "none" as const } : quirks;
}

const pageWaitMs = 1500;
const pagePollMs = 50;

/** Reads the tree; of a browser that is asleep, again until it shows the page of a window in view. */
async function collect(peer: Peer, quirks: Quirks, includeHidden: boolean): Promise<Collection> {
  const deadline = performance.now() + pageWaitMs;
  for (;;) {
    const collection = await collectNodes(peer, quirks, includeHidden);
    const inView = collection.windows.filter(({ name, states }) => name !== "" && isShown(quirks, states));
    const isAsleep = quirks.sleepsUntilAsked && inView.length > 0 && !inView.some(showsPage);
    if (!isAsleep || performance.now() > deadline) return collection;
    await Promise.all(inView.map(({ path }) => unlessRefused(getRelations(peer, path))));
    await new Promise((resolve) => setTimeout(resolve, pagePollMs));
  }
}

function showsPage(window: RawNode): boolean {
  for (const node of walkNodes(window))
    if (roleNameOf(node) === "document web" && node.children.length > 0) return true;
  return false;
}

async function readFrameExtents(peer: Peer, quirks: Quirks, collection: Collection): Promise<void> {
  await Promise.all(
    collection.windows.map(async (frame) => {
      if (!isInterface(frame.interfaces, "Component")) return;
      try {
        frame.details.extents = await getExtents(peer, frame.path, coordinatesOf(quirks));
      } catch (error) {
        if (!(error instanceof ErrorReply || error instanceof DeadlinePassed)) throw error;
      }
    }),
  );
}

/** What is on the screen comes first: the deadline, if it strikes, takes what is hidden. */
async function readShownDetails(
  peer: Peer,
  quirks: Quirks,
  matches: readonly WindowMatch[],
  includeHidden: boolean,
): Promise<void> {
  const byPath = new Map<string, RawNode>();
  const shown: RawNode[] = [];
  const hidden: RawNode[] = [];
  const sort = (node: RawNode, isParentShown: boolean): void => {
    const isOn = isParentShown && isShown(quirks, node.states);
    byPath.set(node.path, node);
    (isOn ? shown : hidden).push(node);
    if (isOn || includeHidden) for (const child of node.children) sort(child, isOn);
  };
  for (const { frame, popups } of matches) for (const root of [frame, ...popups]) sort(root, true);
  await readDetails(peer, quirks, shown, byPath);
  if (includeHidden) await readDetails(peer, quirks, hidden, byPath);
}

function buildWindow(
  peer: Peer,
  quirks: Quirks,
  match: WindowMatch,
  request: AppReadRequest,
  places: readonly Bounds[],
  covered: ReadonlySet<string>,
  notes: readonly Note[],
): WindowRead {
  const { window, frame, popups } = match;
  const isKept = (child: RawNode): boolean => request.includeHidden || isNodeShown(quirks, child);
  for (const root of [frame, ...popups]) hideSecretsInSight(root, isKept);
  const context = {
    quirks,
    project: projectOnto(window, measureFrame(frame), quirks, request.monitors),
    visible: request.screen,
    screen: request.screen,
    popups: places,
    isInPopup: false,
    covered,
    includeHidden: request.includeHidden,
    isForPicture: request.isForPicture === true,
    scrub: makeScrubber([frame, ...popups]),
    runtimePrefix: `${peer.bus.guid}${peer.name}`,
  };
  const frameContext = { ...context, visible: intersect(window.content, request.screen) ?? request.screen };
  const root = buildElement(frame, frameContext, !window.state.includes("minimised"));
  const opened: Element[] = popups.map((popup, index) => {
    return buildElement(popup, context, true, { index, count: popups.length, isTop: true });
  });
  const whole = opened.length === 0 ? root : { ...root, children: [...root.children, ...opened] };
  const open = quirks.listsOutlivePopups ? hideClosedLists(whole, places) : whole;
  const onMonitors = keepOnMonitors(open, request.monitors, frameContext.visible, request.screen);
  return {
    window,
    appKey: request.appKey,
    root: onMonitors === whole || request.includeHidden ? onMonitors : dropHidden(onMonitors),
    notes: window.state.includes("minimised") ? [...notes, minimisedNote] : notes,
  };
}

/** Swing gives its windows no place when it scales; what fills them has one. */
function measureFrame(frame: RawNode): Extents | undefined {
  const { extents } = frame.details;
  if (extents === undefined || extents[2] > 0) return extents;
  return frame.children.find((child) => (child.details.extents?.[2] ?? 0) > 0)?.details.extents;
}

const minimisedNote: Note = { code: "TRUNCATED", text: "the window is minimised: nothing of it is on the screen" };

const pageless =
  "the browser shows no page to accessibility: start it with --force-renderer-accessibility to read what is in its tabs";

function describeEnd(peer: Peer, quirks: Quirks, collection: Collection, isBusOpen: boolean): Note[] {
  const notes: Note[] = [];
  if (peer.hasExpired)
    notes.push({ code: "TIMEOUT", text: "the application stopped answering: part of the window is missing" });
  if (!isBusOpen) notes.push({ code: "GONE", text: "the accessibility bus went away: part of the window is missing" });
  for (const text of collection.cuts) notes.push({ code: "TRUNCATED", text });
  if (quirks.sleepsUntilAsked && notes.length === 0 && collection.windows.some(lacksPage))
    notes.push({ code: "NO_TREE", text: pageless });
  const isEmpty = collection.windows.every(({ children, childCount }) => children.length === 0 && childCount <= 0);
  if (isEmpty && notes.length === 0)
    notes.push({ code: "NO_TREE", text: "the application shows no controls to accessibility" });
  return notes;
}

/** A window with tabs, and none of them with a page. */
function lacksPage(window: RawNode): boolean {
  const roles = new Set([...walkNodes(window)].filter(({ isBrief }) => !isBrief).map(roleNameOf));
  return roles.has("page tab") && !roles.has("document web");
}

function describeFailure(error: unknown, request: AppReadRequest): WindowRead[] {
  const note = noteFor(error, request.timeoutMs);
  if (note === undefined) throw error;
  return request.allWindows
    .filter((window) => request.wantedIds.has(window.id))
    .map((window) => ({ window, appKey: request.appKey, root: undefined, notes: [note] }));
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
