import type { Bounds } from "../../../model/bounds.ts";
import type { WindowRead } from "../../../model/snapshot.ts";
import { type Bus, DeadlinePassed, ErrorReply, unlessRefused } from "../dbus/bus.ts";
import { ignore } from "../ignore.ts";
import type { XWindow } from "../x11/windows.ts";
import { assembleWindow, describeEnd, describeFailure, type Setting, type Surroundings } from "./assemble.ts";
import { mayOverflowCache } from "./cache.ts";
import { type Collection, collectNodes } from "./collect.ts";
import { coordinatesOf, readDetails } from "./details.ts";
import { matchWindows, type WindowMatch } from "./match-windows.ts";
import { type RawNode, roleNameOf, walkNodes } from "./nodes.ts";
import { dropScrolledAway, findCovered } from "./out-of-view.ts";
import { isInterface, Peer } from "./peer.ts";
import { isShown, type Quirks } from "./quirks.ts";
import { findQuirks } from "./toolkit.ts";
import { warmUpPages } from "./warm-up.ts";

export interface AppReadRequest extends Setting {
  readonly busName: string;
  /** All windows of the process: a frame can be identified only among its siblings. */
  readonly allWindows: readonly XWindow[];
  readonly wantedIds: ReadonlySet<number>;
  /** Asks the display for the positions of the process's pop-ups. */
  readonly listPopupBounds: () => Promise<readonly Bounds[]>;
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
  readonly around: Surroundings;
}

/** Reads the wanted windows of one application. Problems of the application never throw; they become notes. */
export async function readApplication(bus: Bus, request: AppReadRequest): Promise<WindowRead[]> {
  const peer = new Peer(bus, request.busName, request.timeoutMs, request.isForPicture === true ? picturedLength : 0);
  try {
    const { matches, around } = await gatherApplication(peer, request);
    return matches.map((match) => assembleWindow(match, request, around));
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
  const matches = await matchWanted(peer, quirks, collection.windows, request);
  const roots = matches.flatMap(({ frame, popups }) => [frame, ...popups]);
  if (quirks.statesStopAtParent && !request.includeHidden) await dropScrolledAway(peer, quirks, roots);
  await readShownDetails(peer, quirks, roots, request.includeHidden);
  return { quirks, collection, matches, around: await readSurroundings(peer, quirks, collection, matches, request) };
}

export async function matchWanted(
  peer: Peer,
  quirks: Quirks,
  frames: readonly RawNode[],
  { allWindows, wantedIds }: Pick<AppReadRequest, "allWindows" | "wantedIds">,
): Promise<WindowMatch[]> {
  // Positions distinguish windows with equal titles; a single window's position comes with the rest.
  if (frames.length > 1 || allWindows.length > 1) await readFrameExtents(peer, quirks, frames);
  return matchWindows(frames, allWindows, quirks).filter((match) => wantedIds.has(match.window.id));
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
  return { quirks, popups, covered, notes, runtimePrefix: `${peer.bus.guid}${peer.name}` };
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
