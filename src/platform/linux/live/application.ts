import type { Bounds } from "../../../model/bounds.ts";
import type { WindowRead } from "../../../model/snapshot.ts";
import type { ReadRequest } from "../../port.ts";
import { describeFailure, type Setting } from "../atspi/assemble.ts";
import { type Hearing, hearEvents } from "../atspi/events.ts";
import { isGone } from "../atspi/know-toolkit.ts";
import { Peer } from "../atspi/peer.ts";
import { getProperty, rootPath } from "../atspi/protocol.ts";
import type { Bus } from "../dbus/bus.ts";
import { ConnectionLost, DeadlinePassed, ErrorReply } from "../dbus/errors.ts";
import type { Signal } from "../dbus/message.ts";
import { XUnavailable } from "../x11/connection.ts";
import type { XWindow } from "../x11/windows.ts";
import { Areas } from "./areas.ts";
import { Marks } from "./marks.ts";
import { type Debt, Owed } from "./owed.ts";
import { sliceCount } from "./plan.ts";
import type { Tally } from "./tally.ts";
import { LiveTree, type WindowChanges, type Wish } from "./tree.ts";

/** Events come in bursts: so long a look waits for the rest of one. */
const burstMs = 2;
/** Whoever reads so soon after a look gets what it brought: who was told of a change reads at once. */
const believedMs = 25;
/** However much there is to look at, the application has as much time for itself, but nobody waits longer for it. */
const longestRestMs = 50;
/** So long after it was heard of what was looked at is verified. */
const delaysMs = { telling: [300], silent: [300, 800] };
/** Time allowed for what nobody waits for. */
const lookMs = 4000;
/** How long an application may take to hear that it is listened to; one that did not is told again by the next read. */
const hearingMs = 2000;
/** What an application that reports nothing shows only to those who ask is asked for after a read, this often. */
const unreportedMs = 2000;
/**
 * Of a window that is covered nothing is seen to be drawn: what was read longer ago is read again. Toolkits that report all that
 * comes and goes do not report everything: GTK 3 no placeholder.
 */
const coveredMs = { reliable: 500, other: 200 };

/** An application that did not answer is asked again after this, or after as long as it was waited for. */
const retryMs = 1000;

/** What applications, buses and displays do. */
const expected = [DeadlinePassed, ErrorReply, ConnectionLost, XUnavailable];

/** Toolkits that report all that comes into view and goes out of it. */
const reliable = new Set(["gtk", "J2SE-access-bridge"]);

/**
 * What became of an application's windows: a pop-up of it came or went; one came to the front or got the focus; one was only
 * moved; or one is another in some way.
 */
export type WindowNews = "popup" | "turned" | "moved" | "changed";

/** Toolkits that tell next to nothing though they were asked: Qt 5.15 sent 0 to 5 events in 40 steps, none of the focus. */
const mute = new Set(["Qt"]);

/** A browser that was woken shows its page some time later, and some pages are empty: so often it is glanced at for it. */
const maxSleepyLooks = 4;

const nothingButAGlance = { marks: new Marks(), areas: [], isSurvey: true };

export type ReadOptions = Pick<ReadRequest, "timeoutMs" | "isAnew">;

export interface ScreenLayout {
  readonly appKey: string;
  /** All windows of the process. */
  listWindows(): readonly XWindow[];
  place(): Pick<Setting, "screen" | "monitors">;
  listPopups(): Promise<readonly Bounds[]>;
  /** Where what a window draws is not seen, because something lies over it; undefined where it draws nothing at all. */
  listCovered(window: XWindow): readonly Bounds[] | undefined;
}

/** One application that is followed: what it was, and where it has said or shown that it is not that any more. */
export class LiveApplication {
  private readonly tree = new LiveTree();
  private readonly wanted = new Set<number>();
  private marks = new Marks();
  private readonly areas = new Areas();
  private hasOtherFrames = false;
  private hasMoved = false;
  private isSurvey = false;
  private slice: number | undefined;
  private readonly owed = new Owed();
  private lastHeardAtMs = Number.NEGATIVE_INFINITY;
  /** Why everything is read as if nothing were known. */
  private wholeReason: string | undefined = "first read";
  private lastSurveyAtMs = Number.NEGATIVE_INFINITY;
  private surveyed = 0;
  private sleepyLooks = 0;
  /** What is looked at because it is not seen. */
  private covered: readonly Bounds[] = [];
  private lastCoveredAtMs = Number.NEGATIVE_INFINITY;
  private working: Promise<void> | undefined;
  private lastWorkMs = 0;
  private lastEndMs = Number.NEGATIVE_INFINITY;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private timerAtMs = Number.POSITIVE_INFINITY;
  private hearing: Hearing | undefined;
  private trouble: Error | undefined;
  private hasClosed = false;

  constructor(
    readonly bus: Bus,
    readonly busName: string,
    private readonly scenery: ScreenLayout,
    private readonly tally: Tally,
    private readonly onChange: (changes: WindowChanges) => void,
  ) {}

  /** Begins to hear; what is read after it returned misses nothing. */
  async begin(timeoutMs: number): Promise<void> {
    const isDeaf = this.tree.toolkit?.reportsCheaply === true && this.hearing?.isTelling(this.busName) === false;
    if (this.hearing !== undefined && !isDeaf) return;
    this.hearing?.close();
    const limitMs = Math.min(hearingMs, timeoutMs);
    const hearing = await hearEvents(this.bus, [this.busName], limitMs, true, (signal) => this.hear(signal));
    if (this.hasClosed) hearing.close();
    else this.hearing = hearing;
  }

  /** The wanted windows as they are now, as a cold read would give them. */
  async read(wanted: readonly XWindow[], { timeoutMs, isAnew = false }: ReadOptions): Promise<WindowRead[]> {
    const deadlineMs = performance.now() + timeoutMs;
    const added = wanted.filter(({ id }) => !this.wanted.has(id));
    for (const { id } of added) this.wanted.add(id);
    if (added.length > 0) this.hasOtherFrames = true;
    try {
      await this.settle(timeoutMs);
      if (isAnew) this.doubtAll("somebody asked for it");
      this.doubtCovered(wanted);
      const isDoubting = performance.now() - this.lastEndMs > believedMs;
      await within(this.finish(deadlineMs, isDoubting), deadlineMs);
      if (this.trouble !== undefined) throw this.trouble;
      this.verifyLater();
      return wanted.flatMap(({ id }) => this.tree.reads.get(id) ?? []);
    } catch (error) {
      this.doubtAll("it did not answer");
      return describeFailure(error, wanted, this.scenery.appKey, timeoutMs);
    }
  }

  hearDrawn(area: Bounds): void {
    this.lastHeardAtMs = performance.now();
    this.areas.add(area, this.lastHeardAtMs);
    this.schedule();
  }

  /** A pop-up came or went, or the windows are not what they were. */
  hearWindows(how: WindowNews): void {
    this.lastHeardAtMs = performance.now();
    this.hasOtherFrames = true;
    if (how === "moved" || how === "changed") this.hasMoved = true;
    if (how === "changed" || (how !== "moved" && !this.isReliable)) this.isSurvey = true;
    this.schedule();
  }

  close(): void {
    this.hasClosed = true;
    clearTimeout(this.timer);
    this.hearing?.close();
  }

  private get isTelling(): boolean {
    return this.hearing?.isTelling(this.busName) === true && !mute.has(this.tree.toolkit?.toolkit ?? "");
  }

  private get isReliable(): boolean {
    return this.isTelling && reliable.has(this.tree.toolkit?.toolkit ?? "");
  }

  private hear({ path, interface: interfaceName, member }: Signal): void {
    this.tally.events += 1;
    this.lastHeardAtMs = performance.now();
    if (path === rootPath || interfaceName.endsWith(".Window")) this.hasOtherFrames = true;
    this.marks.hear(path, member);
    this.schedule();
  }

  private get delaysMs(): readonly number[] {
    return delaysMs[this.isTelling ? "telling" : "silent"];
  }

  /** An application answers in order: what it had told before is in when it answers. */
  private async settle(timeoutMs: number): Promise<void> {
    const peer = new Peer(this.bus, this.busName, timeoutMs);
    try {
      const count = await getProperty(peer, rootPath, "Accessible", "ChildCount");
      if (typeof count === "number" && count !== this.tree.frameCount) this.hasOtherFrames = true;
    } finally {
      peer.close();
    }
  }

  private doubtCovered(wanted: readonly XWindow[]): void {
    const nowMs = performance.now();
    if (nowMs - this.lastCoveredAtMs <= (this.isReliable ? coveredMs.reliable : coveredMs.other)) return;
    const covered = wanted.map((window) => this.scenery.listCovered(window));
    this.covered = covered.flatMap((areas) => areas ?? []);
    if (covered.includes(undefined)) this.doubtAll("it is minimised, and draws nothing");
  }

  private get isDirty(): boolean {
    const isTold = !this.marks.isEmpty || this.hasOtherFrames || this.isSurvey;
    return isTold || this.wholeReason !== undefined || !this.areas.isEmpty || this.covered.length > 0;
  }

  private doubtAll(reason: string): void {
    this.wholeReason ??= reason;
  }

  /** Takes in what is known to have changed by now, and what was looked at so soon that it may not have been true yet. */
  private async finish(deadlineMs: number, isDoubting: boolean): Promise<void> {
    if (this.working !== undefined) await this.working;
    const doubtful = isDoubting ? this.owed.takeDoubtful() : [];
    const again = [...doubtful, ...this.owed.takeDue(performance.now(), this.delaysMs)];
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
    const isTold = this.wholeReason === undefined && (!this.marks.isEmpty || this.hasOtherFrames || this.isSurvey);
    const toldAtMs = isTold ? nowMs + burstMs : this.areas.dueAt;
    const dueAtMs = Math.min(toldAtMs, this.owed.dueAt(this.delaysMs), this.retryAtMs);
    const atMs = Math.max(dueAtMs, nowMs + burstMs, this.lastEndMs + Math.min(this.lastWorkMs, longestRestMs));
    // What is due later does not have what is due now wait for it.
    if (atMs >= this.timerAtMs) return;
    clearTimeout(this.timer);
    this.timerAtMs = atMs;
    this.timer = setTimeout(() => {
      this.timerAtMs = Number.POSITIVE_INFINITY;
      this.finish(performance.now() + lookMs, false).catch((error: unknown) => this.bear(error));
    }, atMs - nowMs);
  }

  /** Whoever follows an application that did not answer is told when it does again. */
  private get retryAtMs(): number {
    const hasFailed = this.wholeReason !== undefined && this.lastEndMs > 0;
    return hasFailed ? this.lastEndMs + Math.max(retryMs, this.lastWorkMs) : Number.POSITIVE_INFINITY;
  }

  /** What goes wrong while nobody waits is met by the next who reads. */
  private bear(error: unknown): void {
    this.doubtAll("it did not answer");
    if (!expected.some((kind) => error instanceof kind)) throw error;
  }

  private async work(timeoutMs: number, again: readonly Debt[]): Promise<void> {
    const startedAtMs = performance.now();
    const { marks, wholeReason, lastHeardAtMs, isSurvey } = this;
    const areas = this.areas.take();
    const all = new Marks();
    for (const part of [{ marks }, ...again]) all.addAll(part.marks);
    const wish: Wish = {
      marks: all,
      areas: [...areas, ...this.covered, ...again.flatMap((debt) => debt.areas)],
      isSurvey: isSurvey || again.some((debt) => debt.isSurvey),
      hasOtherFrames: this.hasOtherFrames || !this.isTelling,
      isReliable: this.isReliable,
      isTelling: this.isTelling,
      hasMoved: this.hasMoved,
      slice: this.slice,
    };
    if (this.covered.length > 0 || wholeReason !== undefined) this.lastCoveredAtMs = startedAtMs;
    this.covered = [];
    this.marks = new Marks();
    this.isSurvey = false;
    this.slice = undefined;
    this.hasOtherFrames = false;
    this.hasMoved = false;
    this.wholeReason = undefined;
    this.trouble = undefined;
    const peer = new Peer(this.bus, this.busName, timeoutMs);
    try {
      const changed = await this.readAgain(peer, wish, wholeReason);
      if (peer.hasExpired) this.doubtAll("it did not answer in time");
      this.areas.learn(areas, changed.size > 0, performance.now());
      for (const path of this.tree.addedFrames) marks.add(path, "whole");
      this.sleepyLooks = this.tree.isAsleep ? this.sleepyLooks + 1 : 0;
      const isWaking = this.sleepyLooks > 0 && this.sleepyLooks <= maxSleepyLooks;
      const isGlance = isSurvey || isWaking;
      const part = wholeReason === undefined ? { marks, areas, isSurvey: isGlance } : nothingButAGlance;
      this.owed.putBack(again, startedAtMs, changed.size > 0, this.delaysMs);
      this.owed.add(part, isWaking ? startedAtMs : Math.max(lastHeardAtMs, startedAtMs - 1000), startedAtMs);
      if (changed.size > 0) this.onChange(changed);
    } catch (error) {
      this.bear(error);
      if (error instanceof Error) this.trouble = error;
      if (error instanceof ErrorReply && isGone(error)) this.hasOtherFrames = true;
    } finally {
      this.tally.questions += peer.questions;
      peer.close();
      this.lastEndMs = performance.now();
      this.lastWorkMs = this.lastEndMs - startedAtMs;
    }
  }

  private async readAgain(peer: Peer, wish: Wish, reason: string | undefined): Promise<WindowChanges> {
    const request = {
      busName: this.busName,
      appKey: this.scenery.appKey,
      allWindows: this.scenery.listWindows(),
      wantedIds: this.wanted,
      ...this.scenery.place(),
      listPopups: () => this.scenery.listPopups(),
      includeHidden: false,
      timeoutMs: lookMs,
    };
    if (reason === undefined) {
      if (wish.marks.isOverfull) this.tally.countWhole("it told of more than can be told apart");
      else if (wish.isSurvey) this.tally.surveys += 1;
      else this.tally.partReads += 1;
      const changed = await this.tree.readParts(peer, request, wish);
      if (wish.isSurvey) this.lastSurveyAtMs = performance.now();
      if (changed !== "lost") return changed;
    }
    this.tally.countWhole(reason ?? "nothing of it was known");
    return this.tree.readWhole(peer, request);
  }

  /** An application that reports nothing may change without drawing: whoever reads it has it looked at now and then. */
  private verifyLater(): void {
    const restMs = Math.max(unreportedMs, this.lastWorkMs * 40);
    if (this.isTelling || performance.now() - this.lastSurveyAtMs < restMs) return;
    this.isSurvey = true;
    this.surveyed += 1;
    this.slice = this.surveyed % sliceCount;
    this.schedule();
  }
}

async function within(work: Promise<void>, deadlineMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DeadlinePassed("not in time")), Math.max(1, deadlineMs - performance.now()));
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
