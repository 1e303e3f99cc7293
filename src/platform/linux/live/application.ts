import type { Bounds } from "../../../model/bounds.ts";
import type { WindowRead } from "../../../model/snapshot.ts";
import type { ReadRequest } from "../../../sources/port.ts";
import { describeFailure } from "../atspi/assemble.ts";
import { type EventListening, listenToEvents } from "../atspi/events.ts";
import { Peer, rootPath } from "../atspi/peer.ts";
import { isGone } from "../atspi/toolkit.ts";
import { type Bus, ConnectionLost, DeadlinePassed, ErrorReply, withTimeout } from "../dbus/bus.ts";
import type { Signal } from "../dbus/message.ts";
import { ignore } from "../ignore.ts";
import { XUnavailable } from "../x11/transport.ts";
import type { XWindow } from "../x11/windows.ts";
import { Areas } from "./areas.ts";
import { DirtyNodes } from "./dirty-nodes.ts";
import type { DisplayView } from "./display-view.ts";
import { sliceCount } from "./plan.ts";
import { type Recheck, RecheckQueue } from "./recheck-queue.ts";
import type { Tally } from "./tally.ts";
import { type KnownApplication, LiveTree, type RereadPlan, type WindowChanges } from "./tree.ts";
import { Reported } from "./unread.ts";

/** A read this soon after a reread gets its result: clients read right after being notified. */
const believedMs = 25;
/** The application gets as much time for itself as the reread took, up to this limit. */
const longestRestMs = 50;
/** When to verify a reread, counted from the event. */
const delaysMs = { reporting: [300], silent: [300, 800] };
const backgroundMs = 4000;
/** How long an application may take to register a listener; the next read tries again. */
const registerMs = 2000;
/** How often an application that reports nothing is resurveyed after a read. */
const unreportedMs = 2000;
/** Covered windows, whose drawing is not seen, are reread after this. Even GTK 3 does not report placeholders. */
const coveredMs = { reliable: 500, other: 200 };

/** An application that did not answer is retried after this, or after as long as it took. */
const retryMs = 1000;

/** Caused by applications, buses and displays. */
const ignoreExpected = ignore(DeadlinePassed, ErrorReply, ConnectionLost, XUnavailable);

const notInTime = (): Error => new DeadlinePassed("not in time");

/** Toolkits that report everything that becomes visible or hidden. */
const reliable = new Set(["gtk", "J2SE-access-bridge"]);

/** Toolkits that report next to nothing: Qt 5.15 sent 0 to 5 events in 40 steps, none for the focus. */
const mute = new Set(["Qt"]);

/** A browser that was woken shows its page later, and some pages are empty: how often to check. */
const maxSleepyReads = 4;

const surveyOnly = { dirty: new DirtyNodes(), areas: [], isSurvey: true };

/** A pop-up opened or closed; a window was raised or focused; it only moved; or it changed otherwise. */
export type WindowEvent = "popup" | "turned" | "moved" | "changed";

export type ReadOptions = Pick<ReadRequest, "timeoutMs" | "isAnew">;

/** A followed application: its last known state, and the parts that may have changed. */
export class LiveApplication {
  private readonly tree = new LiveTree();
  private readonly wanted = new Set<number>();
  private dirty = new DirtyNodes();
  private readonly areas = new Areas();
  private hasOtherFrames = false;
  private hasMoved = false;
  private isSurvey = false;
  private slice: number | undefined;
  private readonly rechecks = new RecheckQueue();
  private lastEventAtMs = Number.NEGATIVE_INFINITY;
  /** Why everything must be read from scratch. */
  private wholeReason: string | undefined = "first read";
  private lastSurveyAtMs = Number.NEGATIVE_INFINITY;
  private surveyed = 0;
  private sleepyReads = 0;
  /** Read again because changes there are not visible. */
  private covered: readonly Bounds[] = [];
  private lastCoveredAtMs = Number.NEGATIVE_INFINITY;
  private working: Promise<void> | undefined;
  private readonly reported = new Reported();
  private lastWorkMs = 0;
  private lastEndMs = Number.NEGATIVE_INFINITY;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private timerAtMs = Number.POSITIVE_INFINITY;
  private listening: EventListening | undefined;
  private trouble: Error | undefined;
  private hasClosed = false;

  constructor(
    readonly bus: Bus,
    readonly busName: string,
    private readonly view: DisplayView,
    private readonly tally: Tally,
    private readonly onChange: (changes: WindowChanges) => void,
  ) {}

  /** Starts listening; reads after it resolves miss nothing. */
  async begin(timeoutMs: number): Promise<void> {
    const isUnheard = this.tree.toolkit?.reportsCheaply === true && this.listening?.isReporting(this.busName) === false;
    if (this.listening !== undefined && !isUnheard) return;
    this.listening?.close();
    const limitMs = Math.min(registerMs, timeoutMs);
    const listening = await listenToEvents(this.bus, [this.busName], limitMs, true, (signal) =>
      this.handleEvent(signal),
    );
    if (this.hasClosed) listening.close();
    else this.listening = listening;
  }

  /** The wanted windows, as a cold read would return them. */
  async read(wanted: readonly XWindow[], { timeoutMs, isAnew = false }: ReadOptions): Promise<WindowRead[]> {
    const deadlineMs = performance.now() + timeoutMs;
    const added = wanted.filter(({ id }) => !this.wanted.has(id));
    for (const { id } of added) this.wanted.add(id);
    if (added.length > 0) this.hasOtherFrames = true;
    try {
      await this.settle(timeoutMs);
      if (isAnew) this.rereadAll("a full read was requested");
      this.addCovered(wanted);
      const rechecksDoubtful = performance.now() - this.lastEndMs > believedMs;
      await withTimeout(
        this.finish(deadlineMs, rechecksDoubtful),
        Math.max(1, deadlineMs - performance.now()),
        notInTime,
      );
      if (this.trouble !== undefined) throw this.trouble;
      this.verifyLater();
      return wanted.flatMap(({ id }) => this.tree.reads.get(id) ?? []);
    } catch (error) {
      this.rereadAll("it did not answer");
      return describeFailure(error, wanted, this.view.appKey, timeoutMs);
    }
  }

  peek(): KnownApplication {
    const isReported = this.isReliable;
    return {
      reads: this.tree.reads,
      ...this.reported.describe(this.wholeReason !== undefined, (paths) => this.tree.findAreas(paths)),
      drawn: this.areas.drawn.map((area) => ({ ...area, isReported })),
    };
  }

  noteDrawn(area: Bounds): void {
    this.lastEventAtMs = performance.now();
    this.areas.add(area, this.lastEventAtMs);
    this.schedule();
  }

  /** A pop-up opened or closed, or the windows changed. */
  onWindowsChanged(how: WindowEvent): void {
    this.lastEventAtMs = performance.now();
    this.reported.noteWindows(how !== "turned");
    this.hasOtherFrames = true;
    if (how === "moved" || how === "changed") this.hasMoved = true;
    if (how === "changed" || (how !== "moved" && !this.isReliable)) this.isSurvey = true;
    this.schedule();
  }

  close(): void {
    this.hasClosed = true;
    clearTimeout(this.timer);
    this.listening?.close();
  }

  private get isReporting(): boolean {
    return this.listening?.isReporting(this.busName) === true && !mute.has(this.tree.toolkit?.toolkit ?? "");
  }

  private get isReliable(): boolean {
    return this.isReporting && reliable.has(this.tree.toolkit?.toolkit ?? "");
  }

  private handleEvent(signal: Signal): void {
    const { path, interface: interfaceName, member } = signal;
    this.tally.events += 1;
    this.reported.noteEvent(signal);
    this.lastEventAtMs = performance.now();
    if (path === rootPath || interfaceName.endsWith(".Window")) this.hasOtherFrames = true;
    this.dirty.addEvent(path, member);
    this.schedule();
  }

  private get delaysMs(): readonly number[] {
    return delaysMs[this.isReporting ? "reporting" : "silent"];
  }

  /** An application answers in order: its answer means that earlier events have arrived. */
  private async settle(timeoutMs: number): Promise<void> {
    const peer = new Peer(this.bus, this.busName, timeoutMs);
    try {
      const count = await peer.getProperty(rootPath, "Accessible", "ChildCount");
      if (typeof count === "number" && count !== this.tree.frameCount) this.hasOtherFrames = true;
    } finally {
      peer.close();
    }
  }

  private addCovered(wanted: readonly XWindow[]): void {
    const nowMs = performance.now();
    if (nowMs - this.lastCoveredAtMs <= (this.isReliable ? coveredMs.reliable : coveredMs.other)) return;
    const covered = wanted.map((window) => this.view.listCovered(window));
    this.covered = covered.flatMap((areas) => areas ?? []);
    if (covered.includes(undefined)) this.rereadAll("it is minimised, and draws nothing");
  }

  private get isDirty(): boolean {
    const isReported = !this.dirty.isEmpty || this.hasOtherFrames || this.isSurvey;
    return isReported || this.wholeReason !== undefined || !this.areas.isEmpty || this.covered.length > 0;
  }

  private rereadAll(reason: string): void {
    this.wholeReason ??= reason;
  }

  /** Rereads what is known to have changed, and what was read so early that it may have been premature. */
  private async finish(deadlineMs: number, rechecksDoubtful: boolean): Promise<void> {
    if (this.working !== undefined) await this.working;
    const doubtful = rechecksDoubtful ? this.rechecks.takeDoubtful() : [];
    const again = [...doubtful, ...this.rechecks.takeDue(performance.now(), this.delaysMs)];
    if (!this.isDirty && again.length === 0) return this.schedule();
    this.working ??= this.work(Math.max(1, deadlineMs - performance.now()), again).finally(() => {
      this.working = undefined;
      this.schedule();
    });
    await this.working;
  }

  private schedule(): void {
    if (this.hasClosed || this.working !== undefined) return;
    const nowMs = performance.now();
    const isReported = this.wholeReason === undefined && (!this.dirty.isEmpty || this.hasOtherFrames || this.isSurvey);
    const reportedAtMs = isReported ? nowMs + this.view.burstMs() : this.areas.dueAt;
    const dueAtMs = Math.min(reportedAtMs, this.rechecks.dueAt(this.delaysMs), this.retryAtMs);
    const atMs = Math.max(
      dueAtMs,
      nowMs + this.view.burstMs(),
      this.lastEndMs + Math.min(this.lastWorkMs, longestRestMs),
    );
    // Later work must not delay what is due now.
    if (atMs >= this.timerAtMs) return;
    clearTimeout(this.timer);
    this.timerAtMs = atMs;
    this.timer = setTimeout(() => {
      this.timerAtMs = Number.POSITIVE_INFINITY;
      this.finish(performance.now() + backgroundMs, false).catch((error: unknown) => this.tolerate(error));
    }, atMs - nowMs);
  }

  /** Followers of an application that did not answer are notified when it does. */
  private get retryAtMs(): number {
    const hasFailed = this.wholeReason !== undefined && this.lastEndMs > 0;
    return hasFailed ? this.lastEndMs + Math.max(retryMs, this.lastWorkMs) : Number.POSITIVE_INFINITY;
  }

  /** Background failures are reported by the next read. */
  private tolerate(error: unknown): void {
    this.rereadAll("it did not answer");
    ignoreExpected(error);
  }

  private async work(timeoutMs: number, again: readonly Recheck[]): Promise<void> {
    const startedAtMs = performance.now();
    const { dirty, wholeReason, lastEventAtMs, isSurvey } = this;
    const areas = this.areas.take();
    const all = new DirtyNodes();
    for (const part of [{ dirty }, ...again]) all.addAll(part.dirty);
    const plan: RereadPlan = {
      dirty: all,
      areas: [...areas, ...this.covered, ...again.flatMap((entry) => entry.areas)],
      isSurvey: isSurvey || again.some((entry) => entry.isSurvey),
      hasOtherFrames: this.hasOtherFrames || !this.isReporting,
      isReliable: this.isReliable,
      isReporting: this.isReporting,
      hasMoved: this.hasMoved,
      slice: this.slice,
    };
    if (this.covered.length > 0 || wholeReason !== undefined) this.lastCoveredAtMs = startedAtMs;
    this.reported.beginReading();
    this.covered = [];
    this.dirty = new DirtyNodes();
    this.isSurvey = false;
    this.slice = undefined;
    this.hasOtherFrames = false;
    this.hasMoved = false;
    this.wholeReason = undefined;
    this.trouble = undefined;
    const peer = new Peer(this.bus, this.busName, timeoutMs);
    try {
      const changed = await this.readAgain(peer, plan, wholeReason);
      if (peer.hasExpired) this.rereadAll("it did not answer in time");
      this.areas.learn(areas, changed.size > 0, performance.now());
      for (const path of this.tree.addedFrames) dirty.add(path, "whole");
      this.sleepyReads = this.tree.isAsleep ? this.sleepyReads + 1 : 0;
      const isWaking = this.sleepyReads > 0 && this.sleepyReads <= maxSleepyReads;
      const isGlance = isSurvey || isWaking;
      const part = wholeReason === undefined ? { dirty, areas, isSurvey: isGlance } : surveyOnly;
      this.rechecks.putBack(again, startedAtMs, changed.size > 0, this.delaysMs);
      this.rechecks.add(part, isWaking ? startedAtMs : Math.max(lastEventAtMs, startedAtMs - 1000), startedAtMs);
      if (changed.size > 0) this.onChange(changed);
    } catch (error) {
      this.tolerate(error);
      if (error instanceof Error) this.trouble = error;
      if (error instanceof ErrorReply && isGone(error)) this.hasOtherFrames = true;
    } finally {
      this.reported.endReading();
      this.areas.endReading();
      this.tally.questions += peer.questions;
      peer.close();
      this.lastEndMs = performance.now();
      this.lastWorkMs = this.lastEndMs - startedAtMs;
    }
  }

  private async readAgain(peer: Peer, plan: RereadPlan, reason: string | undefined): Promise<WindowChanges> {
    const request = {
      busName: this.busName,
      appKey: this.view.appKey,
      allWindows: this.view.listWindows(),
      wantedIds: this.wanted,
      ...this.view.place(),
      listPopupBounds: () => this.view.listPopupBounds(),
      findFocused: () => this.view.findFocused(),
      includeHidden: false,
      timeoutMs: backgroundMs,
    };
    if (reason === undefined) {
      if (plan.dirty.isOverfull) this.tally.countWhole("too many events at once");
      else if (plan.isSurvey) this.tally.surveys += 1;
      else this.tally.partReads += 1;
      const changed = await this.tree.readParts(peer, request, plan);
      if (plan.isSurvey) this.lastSurveyAtMs = performance.now();
      if (changed !== "lost") return changed;
    }
    this.tally.countWhole(reason ?? "nothing was known");
    return this.tree.readWhole(peer, request);
  }

  /** An application that reports nothing may change without drawing: reads resurvey it from time to time. */
  private verifyLater(): void {
    const restMs = Math.max(unreportedMs, this.lastWorkMs * 40);
    if (this.isReporting || performance.now() - this.lastSurveyAtMs < restMs) return;
    this.isSurvey = true;
    this.surveyed += 1;
    this.slice = this.surveyed % sliceCount;
    this.schedule();
  }
}
