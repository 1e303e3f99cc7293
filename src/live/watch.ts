import { setTimeout as pause } from "node:timers/promises";
import { compareWindows } from "../changes/windows.ts";
import { listWindows, type ReadWish, read } from "../desktop.ts";
import type { Desktop } from "../look.ts";
import type { ChangeLine, TokenLine, WindowName } from "../model/change-line.ts";
import { type Failure, type Result, succeed } from "../model/failure.ts";
import type { View } from "../model/view.ts";
import type { Window } from "../model/window.ts";
import type { Following, Mirror } from "../platform/port.ts";
import { Bell } from "./bell.ts";
import { compareViews, nothingKnown } from "./compare.ts";
import type { ViewMemory } from "./view-memory.ts";
import { WatchRecord } from "./watch-record.ts";
import { describeWish } from "./wish.ts";

export interface WatchWish extends ReadWish {
  /** Also where controls are. */
  readonly withPlaces: boolean;
  /** What is already known. */
  readonly since?: string | undefined;
  /** Not what is there at the start, unless what is known is lost. */
  readonly isFromNow?: boolean | undefined;
  /** How long nothing must show any more before it is looked. */
  readonly debounceMs?: number | undefined;
  /** Ends after so many batches of changes; what is told at the start is none. */
  readonly maxBatches?: number | undefined;
  readonly forMs?: number | undefined;
}

/** Where a watch looks, and what it must tell of itself. A session is one. */
export interface WatchSource {
  openLive(): Promise<Result<{ readonly desktop: Desktop; readonly mirror: Mirror }>>;
  readonly memory: ViewMemory | undefined;
  readonly clientName: string;
  /** Writes down that it is looked. What cannot be written down is not told. */
  recordLasting(tool: string, apps: readonly string[], words: string): Result<void>;
}

type Batch = Result<readonly ChangeLine[]>;

/** Short enough that a change is told within 100 ms of its first sign, the look included. */
export const defaultDebounceMs = 30;
/** After a calm it is looked almost at once: what belongs together comes together. */
const calmDebounceMs = 8;
/** From the first sign to the look, where it does not fall silent before. */
const mostPatienceMs = 60;
/** While it goes on changing. */
const stormPatienceMs = 250;
/** After the last sign it is looked once more: some applications show first and tell later. */
const afterlookMs = 400;
/** How often it is looked again, and after what pause, where other windows were read than are followed. */
const maxRounds = 5;
const roundMs = 20;
/** Without any sign: whether it may still be looked, and whether the same windows are there. */
const checkMs = 1000;

/**
 * Tells what changes, until the signal ends it; a failure ends it, too. It looks only when it is asked for the next batch, and
 * compares with what it has told: nothing piles up for whoever is slow.
 */
export async function* watchDesktop(source: WatchSource, wish: WatchWish, signal: AbortSignal): AsyncGenerator<Batch> {
  const watcher = new Watcher(source, wish, signal);
  try {
    yield* watcher.tell();
  } finally {
    watcher.close();
  }
}

class Watcher {
  private readonly bell: Bell;
  private readonly record: WatchRecord;
  private readonly key: string;
  private readonly endsAtMs: number;
  private known: View = nothingKnown;
  private mirror: Mirror | undefined;
  private unsubscribe: (() => void) | undefined;
  private following: Following | undefined;
  private followed = "";
  /** Whether the last look followed a sign. */
  private owesLook = false;
  private lastBatchAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly source: WatchSource,
    private readonly wish: WatchWish,
    private readonly signal: AbortSignal,
  ) {
    this.bell = new Bell(signal);
    this.record = new WatchRecord(source);
    this.key = describeWish(wish);
    this.endsAtMs = wish.forMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + wish.forMs;
  }

  async *tell(): AsyncGenerator<Batch> {
    const first = await this.begin();
    if (first === undefined) return;
    yield first;
    if (!first.ok) return;
    for (let batches = 0; batches < (this.wish.maxBatches ?? Number.POSITIVE_INFINITY); ) {
      if (!(await this.waitForCause())) return;
      const seen = await this.look();
      if (this.signal.aborted) return;
      if (!seen.ok) {
        const farewell = this.tellHidden(seen.failure);
        if (farewell !== undefined) yield farewell;
        yield seen;
        return;
      }
      const batch = this.compare(seen.value);
      if (batch === undefined) continue;
      yield batch;
      if (!batch.ok) return;
      batches += 1;
    }
  }

  close(): void {
    this.record.end();
    this.unsubscribe?.();
    this.following?.release();
    this.bell.close();
  }

  /** What is there, or what is different from what is known already. */
  private async begin(): Promise<Batch | undefined> {
    const seen = await this.look();
    if (this.signal.aborted) return undefined;
    if (!seen.ok) return seen;
    const { since, isFromNow, withPlaces } = this.wish;
    const recalled =
      since === undefined
        ? undefined
        : (this.source.memory?.recall(this.source.clientName, this.key, since) ?? { reason: "restarted" as const });
    const isKnown = recalled !== undefined && "view" in recalled;
    if (recalled === undefined && isFromNow === true) {
      this.known = seen.value;
      return succeed([{ ...this.keep(), names: nameAll(seen.value) }]);
    }
    const { lines, known } = compareViews(isKnown ? recalled.view : nothingKnown, seen.value, { withPlaces });
    this.known = known;
    const reason = recalled === undefined || isKnown ? "first" : recalled.reason;
    if (isKnown) return succeed([...lines, { ...this.keep(), names: nameAll(seen.value) }]);
    return succeed([{ kind: "start", reason }, ...lines, this.keep()]);
  }

  /** False when it is over: the signal, or the time. */
  private async waitForCause(): Promise<boolean> {
    for (;;) {
      const isAfterlook = this.owesLook;
      const leftMs = this.endsAtMs - performance.now();
      if (this.signal.aborted || leftMs <= 0) return false;
      const isRung = await this.bell.wait(Math.min(isAfterlook ? afterlookMs : checkMs, leftMs));
      if (this.signal.aborted) return false;
      this.owesLook = isRung;
      if (isRung) {
        const isStorm = performance.now() - this.lastBatchAtMs < stormPatienceMs;
        const quietMs = this.wish.debounceMs ?? (isStorm ? defaultDebounceMs : calmDebounceMs);
        await this.bell.settle(quietMs, Math.max(quietMs, isStorm ? stormPatienceMs : mostPatienceMs));
        return !this.signal.aborted;
      }
      if (isAfterlook || (await this.isOtherwise())) return true;
    }
  }

  /** Whether other windows are there than was told, or it may not be looked any more: a look will tell which. */
  private async isOtherwise(): Promise<boolean> {
    const live = await this.source.openLive();
    if (!live.ok || !this.record.goOn().ok) return true;
    const windows = await this.listWanted(live.value.desktop);
    if (!windows.ok) return true;
    const { openedWindows, closedWindows, changedWindows } = compareWindows(
      this.known.windows.map(({ window }) => window),
      windows.value,
    );
    return openedWindows.length + closedWindows.length + changedWindows.length > 0;
  }

  private async look(): Promise<Result<View>> {
    this.bell.clear();
    for (let round = 1; ; round += 1) {
      const live = await this.source.openLive();
      if (!live.ok) return live;
      const { desktop, mirror } = live.value;
      this.hear(mirror);
      const windows = await this.listWanted(desktop);
      if (!windows.ok) return windows;
      const followed = await this.follow(mirror, windows.value);
      if (!followed.ok) return followed;
      const view =
        windows.value.length === 0 ? succeed(emptyView()) : acceptNothing(await read(desktop, this.wish), emptyView());
      if (!view.ok) return view;
      // A window that came meanwhile is not followed yet: what changed in it before it is would never be told.
      const isFollowed = nameWindows(view.value.windows.map(({ window }) => window)) === this.followed;
      if (!isFollowed && round < maxRounds && !this.signal.aborted) {
        await pause(roundMs, undefined, { signal: this.signal }).catch(() => undefined);
        continue;
      }
      // Windows that come and go without end: what is there is told, and looked at once more.
      this.owesLook ||= !isFollowed;
      const recorded = this.record.note(view.value);
      return recorded.ok ? view : recorded;
    }
  }

  /** Nobody has to be there: an application may come later. */
  private async listWanted({ platform }: Desktop): Promise<Result<readonly Window[]>> {
    return acceptNothing(await listWindows(platform, this.wish), []);
  }

  private hear(mirror: Mirror): void {
    if (mirror === this.mirror) return;
    this.unsubscribe?.();
    this.mirror = mirror;
    this.followed = "none yet";
    this.unsubscribe = mirror.onChange(({ windows, isListChanged }) => {
      if (isListChanged || windows.some((id) => this.isFollowed(id))) this.bell.ring();
    });
  }

  private isFollowed(id: number): boolean {
    return this.known.windows.length === 0 || this.known.windows.some(({ window }) => window.id === id);
  }

  private async follow(mirror: Mirror, windows: readonly Window[]): Promise<Result<unknown>> {
    const wanted = nameWindows(windows);
    if (wanted === this.followed) return succeed(undefined);
    const following = await mirror.follow(windows, this.wish.timeoutMs);
    if (!following.ok) return following;
    this.following?.release();
    this.following = following.value;
    this.followed = wanted;
    return following;
  }

  private compare(view: View): Batch | undefined {
    const { lines, known } = compareViews(this.known, view, this.wish);
    this.known = known;
    if (lines.length === 0) return undefined;
    this.lastBatchAtMs = performance.now();
    return succeed([...lines, this.keep()]);
  }

  /** An application that must not be looked at any more disappears before the reason is told. */
  private tellHidden({ code, reason }: Failure): Batch | undefined {
    return code === "REFUSED" && reason === "blind" ? this.compare(emptyView()) : undefined;
  }

  private keep(): TokenLine {
    const token = this.source.memory?.keep(this.source.clientName, this.key, this.known, this) ?? "";
    return { kind: "token", token, atMs: this.known.takenAtMs };
  }
}

function emptyView(): View {
  return { takenAtMs: Date.now(), windows: [] };
}

function acceptNothing<T>(result: Result<T>, nothing: T): Result<T> {
  return result.ok || result.failure.code !== "NOT_FOUND" ? result : succeed(nothing);
}

function nameAll({ windows }: View): readonly WindowName[] {
  return windows.map(({ window: { id, app, title } }) => ({ window: id, app, title }));
}

function nameWindows(windows: readonly Window[]): string {
  return windows
    .map(({ id }) => id)
    .sort((a, b) => a - b)
    .join();
}
