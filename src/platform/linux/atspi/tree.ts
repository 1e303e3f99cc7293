import type { Bounds } from "../../../model/bounds.ts";
import type { WindowRead } from "../../../model/snapshot.ts";
import { type Bus, DeadlinePassed, ErrorReply, unlessRefused } from "../dbus/bus.ts";
import { ignore } from "../ignore.ts";
import type { XWindow } from "../x11/windows.ts";
import {
  assembleWindow,
  describeEnd,
  describeFailure,
  describeUndecided,
  type Setting,
  type Surroundings,
} from "./assemble.ts";
import { mayOverflowCache } from "./cache.ts";
import { type Collection, collectNodes } from "./collect.ts";
import { coordinatesOf, readDetails } from "./details.ts";
import { type Focus, type Matching, matchWindows, type WindowMatch } from "./match-windows.ts";
import { type RawNode, roleNameOf, walkNodes } from "./nodes.ts";
import { dropScrolledAway, findCovered } from "./out-of-view.ts";
import { isInterface, Peer } from "./peer.ts";
import { isShown, type Quirks } from "./quirks.ts";
import { findQuirks } from "./toolkit.ts";
import { hasState } from "./vocabulary.ts";
import { warmUpPages } from "./warm-up.ts";

export interface AppReadRequest extends Setting {
  readonly busName: string;
  /** All windows of the process: a frame can be identified only among its siblings. */
  readonly allWindows: readonly XWindow[];
  readonly wantedIds: ReadonlySet<number>;
  /** Asks the display for the positions of the process's pop-ups. */
  readonly listPopupBounds: () => Promise<readonly Bounds[]>;
  /** Asks the display which window has the focus now. */
  readonly findFocused: () => Promise<number | undefined>;
  readonly timeoutMs: number;
}

/** A picture may show any part of a long text. */
const picturedLength = 1_000_000;

/** What was read of an application, before interpretation. */
export interface Gathered {
  readonly quirks: Quirks;
  readonly collection: Collection;
  /** Of the wanted windows. */
  readonly matches: readonly WindowMatch[];
  readonly undecided: readonly XWindow[];
  readonly around: Surroundings;
}

/** Reads the wanted windows of one application. Problems of the application never throw; they become notes. */
export async function readApplication(bus: Bus, request: AppReadRequest): Promise<WindowRead[]> {
  const peer = new Peer(bus, request.busName, request.timeoutMs, request.isForPicture === true ? picturedLength : 0);
  try {
    const { matches, undecided, around } = await gatherApplication(peer, request);
    const read = matches.map((match) => assembleWindow(match, request, around));
    return [...read, ...undecided.map((window) => describeUndecided(window, request.appKey))];
  } catch (error) {
    const wanted = request.allWindows.filter((window) => request.wantedIds.has(window.id));
    return describeFailure(error, wanted, request.appKey, request.timeoutMs);
  } finally {
    peer.close();
  }
}

/** Requests everything the wanted windows consist of. */
export async function gatherApplication(peer: Peer, request: AppReadRequest): Promise<Gathered> {
  const known = avoidOverflow(await findQuirks(peer), request);
  // For a picture only the existence of actions matters; their names would cost a call each.
  const quirks = request.isForPicture === true ? { ...known, hasPlainActionNames: true } : known;
  if (quirks.hasLazyPages) await warmUpPages(peer);
  const collection = await collect(peer, quirks, request.includeHidden);
  const { matches, undecided } = await matchWanted(peer, quirks, collection.windows, request);
  const roots = matches.flatMap(({ frame, popups }) => [frame, ...popups]);
  if (quirks.statesStopAtParent && !request.includeHidden) await dropScrolledAway(peer, quirks, roots);
  await readShownDetails(peer, quirks, roots, request.includeHidden);
  const around = await readSurroundings(peer, quirks, collection, matches, request);
  return { quirks, collection, matches, undecided, around };
}

/** The windows of frames that were matched last, for each application on a bus. */
const decided = new WeakMap<Bus, Map<string, ReadonlyMap<string, number>>>();

export async function matchWanted(
  peer: Peer,
  quirks: Quirks,
  frames: readonly RawNode[],
  { allWindows, wantedIds, findFocused }: Pick<AppReadRequest, "allWindows" | "wantedIds" | "findFocused">,
): Promise<Matching> {
  // Positions distinguish windows with equal titles; a single window's position comes with the rest.
  if (frames.length > 1 || allWindows.length > 1) await readFrameExtents(peer, quirks, frames);
  const byName = decided.get(peer.bus) ?? new Map<string, ReadonlyMap<string, number>>();
  decided.set(peer.bus, byName);
  let { matches, undecided } = matchWindows(frames, allWindows, quirks);
  let known = [...(byName.get(peer.name) ?? [])];
  if (undecided.length > 0) {
    const focus = await findFocus(peer, frames, allWindows, findFocused);
    const sound = known.filter((pair) => focus === undefined || !contradicts(focus, pair));
    // One of the two came late, or the earlier decision was wrong: that is forgotten, and the next read decides.
    if (sound.length === known.length)
      ({ matches, undecided } = matchWindows(frames, allWindows, quirks, { known: new Map(known), focus }));
    known = sound;
  }
  // A list may lack a window or a frame for a moment.
  const isThere = ([path, id]: readonly [string, number]): boolean =>
    frames.some((frame) => frame.path === path) || allWindows.some((window) => window.id === id);
  const isPaired = ([path, id]: readonly [string, number]): boolean =>
    matches.some(({ frame, window }) => frame.path === path || window.id === id);
  const kept = known.filter((pair) => isThere(pair) && !isPaired(pair));
  byName.set(peer.name, new Map([...kept, ...matches.map(({ frame, window }) => [frame.path, window.id] as const)]));
  return {
    matches: matches.filter(({ window }) => wantedIds.has(window.id)),
    undecided: undecided.filter(({ id }) => wantedIds.has(id)),
  };
}

function contradicts(focus: Focus, [frame, window]: readonly [string, number]): boolean {
  return (focus.frame === frame) !== (focus.window === window);
}

/** Undefined if it is in another application, or moves: what display and application then say may not be of one time. */
async function findFocus(
  peer: Peer,
  frames: readonly RawNode[],
  windows: readonly XWindow[],
  findFocused: AppReadRequest["findFocused"],
): Promise<Focus | undefined> {
  const look = async (): Promise<Focus | undefined> => {
    const window = (await findFocused()) ?? 0;
    const states = await Promise.all(frames.map(({ path }) => unlessRefused(peer.getStates(path))));
    const [active, ...others] = frames.filter((_frame, index) => hasState(states[index] ?? [0, 0], "active"));
    const isOwn = windows.some(({ id }) => id === window);
    return isOwn && active !== undefined && others.length === 0 ? { window, frame: active.path } : undefined;
  };
  const first = await look();
  const second = await look();
  return first?.window === second?.window && first?.frame === second?.frame ? second : undefined;
}

/** What the nodes do not report: positions of pop-ups, what covers what, what is missing. */
export async function readSurroundings(
  peer: Peer,
  quirks: Quirks,
  collection: Collection,
  matches: readonly WindowMatch[],
  { listPopupBounds }: Pick<AppReadRequest, "listPopupBounds">,
): Promise<Surroundings> {
  const needsPopups = quirks.extentsFrom === "window" || quirks.listsOutlivePopups;
  const popups = needsPopups ? await listPopupBounds() : [];
  const roots = matches.map((match) => match.frame);
  const covered = quirks.stacksLookAlike ? await findCovered(peer, quirks, roots) : new Set<string>();
  const notes = describeEnd(peer, quirks, collection);
  return { quirks, popups, covered, notes, cuts: collection.cuts, runtimePrefix: `${peer.bus.guid}${peer.name}` };
}

function avoidOverflow(quirks: Quirks, { allWindows }: AppReadRequest): Quirks {
  const isAtRisk = quirks.cacheMayOverflow && mayOverflowCache(allWindows[0]?.pid ?? 0);
  return isAtRisk ? { ...quirks, cache: "none" as const } : quirks;
}

const pageWaitMs = 1500;
const pagePollMs = 50;

/** Reads the tree; for a browser whose accessibility is asleep, repeats until a visible window shows its page. */
async function collect(peer: Peer, quirks: Quirks, includeHidden: boolean): Promise<Collection> {
  const deadline = performance.now() + pageWaitMs;
  for (;;) {
    const collection = await collectNodes(peer, quirks, includeHidden);
    const inView = collection.windows.filter(({ name, states }) => name !== "" && isShown(quirks, states));
    const isAsleep = quirks.sleepsUntilAsked && inView.length > 0 && !inView.some(showsPage);
    if (!isAsleep || performance.now() > deadline) return collection;
    await Promise.all(inView.map(({ path }) => unlessRefused(peer.getRelations(path))));
    await new Promise((resolve) => setTimeout(resolve, pagePollMs));
  }
}

export function showsPage(window: RawNode): boolean {
  for (const node of walkNodes(window))
    if (roleNameOf(node) === "document web" && node.children.length > 0) return true;
  return false;
}

async function readFrameExtents(peer: Peer, quirks: Quirks, frames: readonly RawNode[]): Promise<void> {
  await Promise.all(
    frames.map(async (frame) => {
      if (!isInterface(frame.interfaces, "Component")) return;
      const extents = await peer
        .getExtents(frame.path, coordinatesOf(quirks))
        .catch(ignore(ErrorReply, DeadlinePassed));
      if (extents !== undefined) frame.details.extents = extents;
    }),
  );
}

/** The visible part first: if the deadline passes, only hidden nodes are lost. */
export async function readShownDetails(
  peer: Peer,
  quirks: Quirks,
  roots: readonly RawNode[],
  includeHidden: boolean,
  isAsked?: (node: RawNode) => boolean,
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
  for (const root of roots) sort(root, true);
  await readDetails(peer, quirks, shown, byPath, isAsked);
  if (includeHidden) await readDetails(peer, quirks, hidden, byPath);
}
