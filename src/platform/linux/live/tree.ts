import type { Bounds } from "../../../model/bounds.ts";
import { type Element, flatten } from "../../../model/element.ts";
import type { WindowRead } from "../../../model/snapshot.ts";
import type { DrawnArea, Shift } from "../../port.ts";
import { assembleWindow, describeUndecided, type Setting, type Surroundings } from "../atspi/assemble.ts";
import { type Collection, isManager } from "../atspi/collect.ts";
import type { Matching } from "../atspi/match-windows.ts";
import { isLong, type RawNode, roleNameOf, walkNodes } from "../atspi/nodes.ts";
import { dropScrolledAway } from "../atspi/out-of-view.ts";
import { type Peer, rootPath } from "../atspi/peer.ts";
import { isShown, type Quirks } from "../atspi/quirks.ts";
import {
  type AppReadRequest,
  type Gathered,
  gatherApplication,
  matchWanted,
  readShownDetails,
  readSurroundings,
  showsPage,
} from "../atspi/tree.ts";
import { hasState } from "../atspi/vocabulary.ts";
import { maxListed } from "../atspi/walk.ts";
import { warmUpPage } from "../atspi/warm-up.ts";
import { unlessRefused } from "../dbus/bus.ts";
import { addDrawnAreas, DirtyNodes } from "./dirty-nodes.ts";
import { planReread, type Scope, widenPlan } from "./plan.ts";
import { type Level, type Reread, type RereadRequest, readFrame, rereadTrees } from "./reread.ts";
import { isSame, share } from "./share.ts";

export interface RereadPlan extends Scope {
  readonly dirty: DirtyNodes;
  /** Where something was drawn. */
  readonly areas: readonly Bounds[];
  readonly hasOtherFrames: boolean;
  /** Whether the application reports everything that becomes visible. */
  readonly isReliable: boolean;
  readonly isReporting: boolean;
}

interface WindowChange {
  readonly before: Element | undefined;
  readonly after: Element | undefined;
}

/** The windows that changed; unchanged parts are the same objects before and after. */
export type WindowChanges = ReadonlyMap<number, WindowChange>;

/** How many children of the focused node are checked with it. */
const maxFocused = 4;
/** With more unknown objects, everything is reread. */
const maxUnknown = 100;

/** The last known nodes of one application, and the windows built from them. */
/** What is known of an application now. */
export interface KnownApplication {
  readonly reads: ReadonlyMap<number, WindowRead>;
  /** Infinite if everything that was reported is read. */
  readonly unreadSinceMs: number;
  readonly shifted: Shift;
  readonly moved: Shift;
  readonly drawn: readonly DrawnArea[];
}

export class LiveTree {
  readonly reads = new Map<number, WindowRead>();
  /** The frames that appeared with the last reread. */
  addedFrames: readonly string[] = [];
  /** Whether a browser shows no page although one of its windows is visible. */
  isAsleep = false;
  private frames: readonly RawNode[] = [];
  private cuts = new Map<string, string>();
  private around: Surroundings | undefined;
  /** Nodes whose details were requested. */
  private asked = new WeakSet<RawNode["details"]>();

  /** Reads everything from scratch. Returns the windows that changed. */
  async readWhole(peer: Peer, request: AppReadRequest): Promise<WindowChanges> {
    const gathered: Gathered = await gatherApplication(peer, request);
    const { collection, around } = gathered;
    this.frames = collection.windows;
    this.cuts = new Map(collection.cuts);
    this.asked = new WeakSet();
    return this.keep(gathered, request, around);
  }

  /** A page that was never requested must be woken, and is read once it answers. */
  private async wakePages(request: RereadRequest, before: readonly RawNode[], reread: Reread): Promise<Reread> {
    const pages = request.quirks.hasLazyPages ? findNewPages(before, reread.fresh) : [];
    if (pages.length === 0) return reread;
    await Promise.all(pages.map(({ path }) => unlessRefused(warmUpPage(request.peer, path))));
    const dirty = new DirtyNodes();
    for (const { path } of pages) dirty.add(path, "whole");
    const { frames } = reread;
    const known = { frames, quirks: request.quirks, isReliable: true, isReporting: true, inView: new Set<string>() };
    const again = await rereadTrees({ ...request, levelOf: planReread(known, dirty), isSurvey: false }, reread.frames);
    return {
      frames: again.frames,
      fresh: reread.fresh.union(again.fresh),
      placed: new Map([...reread.placed, ...again.placed]),
      cuts: new Map([...reread.cuts, ...again.cuts]),
    };
  }

  async readParts(peer: Peer, request: AppReadRequest, plan: RereadPlan): Promise<WindowChanges | "lost"> {
    const { around } = this;
    if (around === undefined) return "lost";
    const { quirks } = around;
    const dirty = new DirtyNodes();
    dirty.addAll(plan.dirty);
    for (const { root } of this.reads.values()) {
      if (root !== undefined) addDrawnAreas(dirty, root, plan.areas, around.runtimePrefix);
    }
    if (!plan.isReporting) for (const { path } of this.frames) dirty.add(path, "check");
    if (!plan.isReliable) this.addFocused(dirty);
    await this.findUnknown(peer, quirks, dirty);
    const levelOf = this.plan(quirks, dirty, plan);
    const before = this.frames;
    // Pop-ups are moved and resized without drawing: a survey requests positions too.
    const isPlaced = plan.hasMoved || plan.isSurvey;
    const asked = { peer, quirks, levelOf, isPlaced, isSurvey: plan.isSurvey };
    const reread = await this.wakePages(asked, before, await rereadTrees(asked, before));
    const added = plan.hasOtherFrames ? await this.readFrames(peer, quirks, reread.frames) : undefined;
    this.frames = added?.frames ?? reread.frames;
    this.addedFrames = this.frames.map(({ path }) => path).filter((path) => before.every((one) => one.path !== path));
    this.joinCuts(new Map([...reread.cuts, ...(added?.cuts ?? [])]), reread.fresh);
    for (const [now, old] of reread.placed) if (this.asked.has(old)) this.asked.add(now);
    this.forgetLabels(before, reread.fresh);
    return this.finish(peer, quirks, request);
  }

  /** Where each of these nodes and its siblings are shown: in its parent, or in what holds that. Undefined if one is unknown. */
  findAreas(paths: ReadonlySet<string>): readonly Bounds[] | undefined {
    const prefix = this.around?.runtimePrefix ?? "";
    const shown = new Map<string, Bounds | undefined>();
    for (const { root } of this.reads.values()) {
      for (const { handle, bounds } of root === undefined ? [] : flatten([root])) shown.set(handle, bounds);
    }
    const areas = new Map<string, Bounds | undefined>();
    const visit = ({ path, children }: RawNode, around: Bounds | undefined): void => {
      if (paths.has(path)) areas.set(path, around);
      const own = shown.get(`${prefix}${path}`) ?? around;
      for (const child of children) visit(child, own);
    };
    for (const frame of this.frames) visit(frame, undefined);
    const found = [...paths].map((path) => areas.get(path));
    return found.includes(undefined) ? undefined : found.filter((area) => area !== undefined);
  }

  private plan(quirks: Quirks, dirty: DirtyNodes, plan: RereadPlan): (node: RawNode) => Level {
    const { isReliable, isReporting, hasMoved, isSurvey } = plan;
    if (dirty.isOverfull) return () => "whole";
    if (dirty.isEmpty && hasMoved && !isSurvey) return () => "place";
    const inView = new Set<string>();
    const prefix = this.around?.runtimePrefix.length ?? 0;
    for (const { root } of this.reads.values())
      for (const { handle } of flatten(root === undefined ? [] : [root])) inView.add(handle.slice(prefix));
    const known = { frames: this.frames, quirks, isReliable, isReporting, inView };
    return widenPlan(planReread(known, dirty), known, plan);
  }

  private async finish(peer: Peer, quirks: Quirks, request: AppReadRequest): Promise<WindowChanges | "lost"> {
    const inView = this.frames.filter(({ name, states }) => name !== "" && isShown(quirks, states));
    this.isAsleep = quirks.sleepsUntilAsked && inView.length > 0 && !inView.some(showsPage);
    // Requesting the relations of a browser's window wakes it; its page comes later.
    if (this.isAsleep) await Promise.all(inView.map(({ path }) => unlessRefused(peer.getRelations(path))));
    const matching = await matchWanted(peer, quirks, this.frames, request);
    const { matches } = matching;
    const roots = matches.flatMap(({ frame, popups }) => [frame, ...popups]);
    const isAsked = (node: RawNode): boolean => !this.asked.has(node.details);
    const hasLong = roots.some((root) => [...walkNodes(root)].some((node) => isLong(node) && isAsked(node)));
    if (quirks.statesStopAtParent && hasLong) await dropScrolledAway(peer, quirks, roots);
    await readShownDetails(peer, quirks, roots, false, isAsked);
    return this.keep(matching, request, await readSurroundings(peer, quirks, this.collection, matches, request));
  }

  /** Builds the windows; unchanged ones stay the same objects. */
  private keep({ matches, undecided }: Matching, setting: Setting, around: Surroundings): WindowChanges {
    this.around = around;
    const changed = new Map<number, WindowChange>();
    const built = [
      ...matches.map((match) => assembleWindow(match, setting, around)),
      ...undecided.map((window) => describeUndecided(window, setting.appKey)),
    ];
    for (const { frame, popups } of matches)
      for (const root of [frame, ...popups]) for (const { details } of walkNodes(root)) this.asked.add(details);
    for (const [id, { root }] of this.reads) {
      if (built.some(({ window }) => window.id === id)) continue;
      this.reads.delete(id);
      changed.set(id, { before: root, after: undefined });
    }
    for (const read of built) {
      const old = this.reads.get(read.window.id);
      const root = share(old?.root, read.root);
      if (old !== undefined && root === old.root && isSame(old.notes, read.notes)) continue;
      this.reads.set(read.window.id, { ...read, root });
      changed.set(read.window.id, { before: old?.root, after: root });
    }
    return changed;
  }

  get frameCount(): number {
    return this.frames.length;
  }

  get toolkit(): Quirks | undefined {
    return this.around?.quirks;
  }

  private get collection(): Collection {
    return { windows: this.frames, cuts: this.cuts };
  }

  /** The focus moves without drawing at its former place. */
  private addFocused(dirty: DirtyNodes): void {
    for (const frame of this.frames) {
      for (const { path, states, children } of walkNodes(frame)) {
        if (!hasState(states, "focused")) continue;
        dirty.add(path, "check");
        // In Qt the inside of a field has the focus too, though not at the same time.
        for (const child of children.slice(0, maxFocused)) dirty.add(child.path, "glance");
      }
    }
  }

  /** Marks the nearest known ancestor of each unknown object. */
  private async findUnknown(peer: Peer, quirks: Quirks, dirty: DirtyNodes): Promise<void> {
    const known = new Map<string, RawNode>();
    for (const frame of this.frames) for (const node of walkNodes(frame)) known.set(node.path, node);
    const unknown = dirty.takeUnknown(new Set(known.keys())).filter((path) => path !== rootPath);
    if (unknown.length > maxUnknown) {
      dirty.isOverfull = true;
      return;
    }
    await Promise.all(
      unknown.map(async (path) => {
        for await (const up of peer.listAncestors(path)) {
          const node = known.get(up);
          if (node === undefined) continue;
          // A hidden node has no visible descendants.
          if (isShown(quirks, node.states)) dirty.add(node.path, "children");
          return;
        }
      }),
    );
  }

  private async readFrames(
    peer: Peer,
    quirks: Quirks,
    before: readonly RawNode[],
  ): Promise<{ frames: RawNode[]; cuts: Map<string, string> }> {
    const refs = await peer.getChildren(rootPath);
    // A present window may have been part of another.
    const known = new Map(before.flatMap((frame) => [...walkNodes(frame)]).map((node) => [node.path, node]));
    for (const frame of before) known.set(frame.path, frame);
    const cuts = new Map<string, string>();
    const frames = await Promise.all(
      refs.map(async ([busName, path], index) => {
        const old = known.get(path);
        if ((old !== undefined && old.isBrief !== true) || busName !== peer.name) return old;
        const reread = await readFrame({ peer, quirks }, known, path, rootPath, index);
        for (const [at, text] of reread.cuts) cuts.set(at, text);
        return reread.frames[0];
      }),
    );
    return { frames: frames.filter((frame) => frame !== undefined), cuts };
  }

  /** What was read anew reports its own omissions. */
  private joinCuts(added: ReadonlyMap<string, string>, fresh: ReadonlySet<RawNode>): void {
    if (this.cuts.size === 0 && added.size === 0) return;
    const there = new Set(this.frames.flatMap((frame) => [...walkNodes(frame)]).map(({ path }) => path));
    const isWhole = (node: RawNode): boolean => node.childCount <= maxListed && !isManager(node);
    const again = new Set([...fresh].filter(isWhole).map(({ path }) => path));
    const kept = [...this.cuts].filter(([path]) => there.has(path) && !again.has(path));
    this.cuts = new Map([...kept, ...added]);
  }

  /** Rereads the label of elements whose label changed. */
  private forgetLabels(before: readonly RawNode[], fresh: ReadonlySet<RawNode>): void {
    const names = new Map<string, string>();
    for (const frame of before) for (const { path, name } of walkNodes(frame)) names.set(path, name);
    const renamed = new Set<string>();
    for (const { path, name } of fresh) if (names.has(path) && names.get(path) !== name) renamed.add(path);
    if (renamed.size === 0) return;
    for (const frame of this.frames) {
      for (const node of walkNodes(frame)) {
        if (node.details.labelPaths?.some((path) => renamed.has(path)) === true) node.details = {};
      }
    }
  }
}

function findNewPages(before: readonly RawNode[], fresh: ReadonlySet<RawNode>): RawNode[] {
  const pages = [...fresh].filter((node) => roleNameOf(node) === "document web" && node.children.length > 0);
  if (pages.length === 0) return [];
  const known = new Set(before.flatMap((frame) => [...walkNodes(frame)]).map(({ path }) => path));
  return pages.filter(({ path }) => !known.has(path));
}
