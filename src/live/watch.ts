import { setTimeout as pause } from "node:timers/promises";
import { compareWindows } from "../changes/compare.ts";
import { describeSelection, listWindows, type ReadQuery, read } from "../desktop/index.ts";
import type { Desktop } from "../find/read.ts";
import type { ChangeLine, TokenLine, WindowName } from "../model/change-line.ts";
import { type Failure, type Result, succeed } from "../model/failure.ts";
import type { View } from "../model/view.ts";
import type { Window } from "../model/window.ts";
import type { Following, Mirror } from "../platform/port.ts";
import { compareViews, nothingKnown } from "./compare.ts";
import { Debounce } from "./debounce.ts";
import type { ViewMemory } from "./view-memory.ts";
import { WatchRecord } from "./watch-record.ts";

export interface WatchQuery extends ReadQuery {
  readonly withPlaces: boolean;
  /** A token for what the client already knows. */
  readonly since?: string | undefined;
  /** Skip the initial content, unless the token is unknown. */
  readonly isFromNow?: boolean | undefined;
  /** How long to wait for quiet before reading. */
  readonly debounceMs?: number | undefined;
  /** Ends after this many batches of changes, not counting the initial one. */
  readonly maxBatches?: number | undefined;
  readonly forMs?: number | undefined;
}

export interface WatchSession {
  openLive(): Promise<Result<{ readonly desktop: Desktop; readonly mirror: Mirror }>>;
  readonly memory: ViewMemory | undefined;
  readonly clientName: string;
  /** Logs a read. What cannot be logged is not reported. */
  recordLasting(tool: string, apps: readonly string[], words: string): Result<unknown>;
}

type Batch = Result<readonly ChangeLine[]>;

/** Short enough to report a change within 100 ms of its first event, including the read. */
export const defaultDebounceMs = 30;
/** After a quiet period, read almost at once: related events arrive together. */
const calmDebounceMs = 8;
/** Maximum delay from the first event to the read. */
const maxDelayMs = 60;
/** Maximum delay during continuous changes. */
const maxStormDelayMs = 250;
/** Read once more after the last event: some applications draw first and send events later. */
const rereadMs = 400;
/** How often, and after what pause, to read again if the windows differ from the followed ones. */
const maxRounds = 5;
const roundMs = 20;
/** How often to check permission and the window list without any event. */
const checkMs = 1000;

/**
 * Yields changes until the signal aborts or something fails. Reads only when the next batch is requested, and compares
 * with what was yielded before, so nothing accumulates for a slow reader.
 */
export async function* watchDesktop(
  source: WatchSession,
  query: WatchQuery,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  const watcher = new Watcher(source, query, signal);
  try {
    yield* watcher.run();
  } finally {
    watcher.close();
  }
}

class Watcher {
  private readonly events: Debounce;
  private readonly record: WatchRecord;
  private readonly key: string;
  private readonly endsAtMs: number;
  private known: View = nothingKnown;
  private mirror: Mirror | undefined;
  private unsubscribe: (() => void) | undefined;
  private following: Following | undefined;
  private followed = "";
  /** Whether another read is due because the last one followed an event. */
  private isReadDue = false;
  private lastBatchAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly source: WatchSession,
    private readonly query: WatchQuery,
    private readonly signal: AbortSignal,
  ) {
    this.events = new Debounce(signal);
    this.record = new WatchRecord(source);
    this.key = describeSelection(query);
    this.endsAtMs = query.forMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + query.forMs;
  }

  async *run(): AsyncGenerator<Batch> {
    const first = await this.begin();
    if (first === undefined) return;
    yield first;
    if (!first.ok) return;
    for (let batches = 0; batches < (this.query.maxBatches ?? Number.POSITIVE_INFINITY); ) {
      if (!(await this.waitForChange())) return;
      const seen = await this.readWanted();
      if (this.signal.aborted) return;
      if (!seen.ok) {
        const lastBatch = this.reportHidden(seen.failure);
        if (lastBatch !== undefined) yield lastBatch;
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
    this.events.close();
  }

  /** The initial content, or the difference to what is already known. */
  private async begin(): Promise<Batch | undefined> {
    const seen = await this.readWanted();
    if (this.signal.aborted) return undefined;
    if (!seen.ok) return seen;
    const { since, isFromNow, withPlaces } = this.query;
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

  /** Returns false when the watch is over, by signal or time. */
  private async waitForChange(): Promise<boolean> {
    for (;;) {
      const isReread = this.isReadDue;
      const leftMs = this.endsAtMs - performance.now();
      if (this.signal.aborted || leftMs <= 0) return false;
      const hasEvent = await this.events.wait(Math.min(isReread ? rereadMs : checkMs, leftMs));
      if (this.signal.aborted) return false;
      this.isReadDue = hasEvent;
      if (hasEvent) {
        const isStorm = performance.now() - this.lastBatchAtMs < maxStormDelayMs;
        const quietMs = this.query.debounceMs ?? (isStorm ? defaultDebounceMs : calmDebounceMs);
        await this.events.settle(quietMs, Math.max(quietMs, isStorm ? maxStormDelayMs : maxDelayMs));
        return !this.signal.aborted;
      }
      if (isReread || (await this.hasListChanged())) return true;
    }
  }

  /** Whether the window list changed or reading is no longer allowed: the next read shows which. */
  private async hasListChanged(): Promise<boolean> {
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

  private async readWanted(): Promise<Result<View>> {
    this.events.reset();
    for (let round = 1; ; round += 1) {
      const live = await this.source.openLive();
      if (!live.ok) return live;
      const { desktop, mirror } = live.value;
      this.subscribe(mirror);
      const windows = await this.listWanted(desktop);
      if (!windows.ok) return windows;
      const followed = await this.follow(mirror, windows.value);
      if (!followed.ok) return followed;
      const view =
        windows.value.length === 0 ? succeed(emptyView()) : acceptNothing(await read(desktop, this.query), emptyView());
      if (!view.ok) return view;
      // A window that opened meanwhile is not followed yet: changes before that would be missed.
      const isFollowed = nameWindows(view.value.windows.map(({ window }) => window)) === this.followed;
      if (!isFollowed && round < maxRounds && !this.signal.aborted) {
        await pause(roundMs, undefined, { signal: this.signal }).catch(() => undefined);
        continue;
      }
      // If windows keep opening and closing, report the present ones and read once more.
      this.isReadDue ||= !isFollowed;
      const recorded = this.record.note(view.value);
      return recorded.ok ? view : recorded;
    }
  }

  /** An empty list is fine: the application may start later. */
  private async listWanted({ platform }: Desktop): Promise<Result<readonly Window[]>> {
    return acceptNothing(await listWindows(platform, this.query), []);
  }

  private subscribe(mirror: Mirror): void {
    if (mirror === this.mirror) return;
    this.unsubscribe?.();
    this.mirror = mirror;
    this.followed = "none yet";
    this.unsubscribe = mirror.onChange(({ windows, isListChanged }) => {
      if (isListChanged || windows.some((id) => this.isFollowed(id))) this.events.trigger();
    });
  }

  private isFollowed(id: number): boolean {
    return this.known.windows.length === 0 || this.known.windows.some(({ window }) => window.id === id);
  }

  private async follow(mirror: Mirror, windows: readonly Window[]): Promise<Result<unknown>> {
    const wanted = nameWindows(windows);
    if (wanted === this.followed) return succeed(undefined);
    const following = await mirror.follow(windows, this.query.timeoutMs);
    if (!following.ok) return following;
    this.following?.release();
    this.following = following.value;
    this.followed = wanted;
    return following;
  }

  private compare(view: View): Batch | undefined {
    const { lines, known } = compareViews(this.known, view, this.query);
    this.known = known;
    if (lines.length === 0) return undefined;
    this.lastBatchAtMs = performance.now();
    return succeed([...lines, this.keep()]);
  }

  /** An application that became unreadable is reported as gone before the failure. */
  private reportHidden({ code, reason }: Failure): Batch | undefined {
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
