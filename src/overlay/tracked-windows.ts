import type { ReadQuery } from "../desktop/index.ts";
import type { LiveDesktop } from "../find/read.ts";
import { selectWindows } from "../find/select.ts";
import { WatchRecord } from "../live/watch-record.ts";
import type { Failure } from "../model/failure.ts";
import { applicationKeyOf, type Window } from "../model/window.ts";
import type { Mirror, WindowList } from "../platform/port.ts";
import { ApplicationTracker, type TrackedWindow, type TrackerContext } from "./application-tracker.ts";
import { SerialTask } from "./serial-task.ts";
import type { OverlaySession } from "./session.ts";

/** How often to check permission and the window list without any event. */
const checkMs = 400;
/** How long a request for marks waits for applications that hang. */
const patienceMs = 1200;

/** The windows that are drawn on, and their present position. */
export class TrackedWindows {
  /** Why nothing can be read; undefined if reading works. */
  failure: Failure | undefined;
  private query: ReadQuery | undefined;
  private anchors: ReadonlySet<number> = new Set();
  private list: WindowList | undefined;
  /** Annotated controls whose application has no window, and since when. */
  private missingSinceMs: ReadonlyMap<number, number> = new Map();
  private chosen: ReadonlySet<number> = new Set();
  private readonly trackers = new Map<number, ApplicationTracker>();
  private readonly record: WatchRecord;
  private readonly task = new SerialTask(() => this.relist());
  private isClosed = false;
  private mirror: Mirror | undefined;
  private unsubscribe: (() => void) | undefined;

  constructor(
    readonly session: OverlaySession,
    private readonly onChange: () => void,
    private readonly lostMs: number,
  ) {
    this.record = new WatchRecord(session, Date.now, "overlay");
  }

  get clientName(): string {
    return this.session.clientName;
  }

  async show(query: ReadQuery | undefined, anchors: ReadonlySet<number>): Promise<void> {
    const isSame = query === this.query && anchors.size === this.anchors.size && anchors.isSubsetOf(this.anchors);
    this.query = query;
    this.anchors = anchors;
    await this.task.runNow();
    if (isSame) return;
    const reads = Promise.all([...this.trackers.values()].map((tracker) => tracker.runNow()));
    await Promise.race([reads, Bun.sleep(patienceMs)]);
  }

  /** Whether the application of one of these controls has been gone for long. */
  isLost(marks: readonly number[]): boolean {
    const since = marks.map((mark) => this.missingSinceMs.get(mark) ?? Number.POSITIVE_INFINITY);
    return performance.now() - Math.min(...since) > this.lostMs;
  }

  /** The present windows, frontmost first, with what is drawn on each. */
  get known(): readonly TrackedWindow[] {
    const windows = this.failure === undefined ? (this.list?.windows ?? []) : [];
    return windows.flatMap((window) => this.trackers.get(window.pid)?.find(window) ?? []);
  }

  close(): void {
    this.isClosed = true;
    this.task.close();
    this.unsubscribe?.();
    this.dropAll();
    this.record.end();
    this.session.close();
  }

  private async relist(): Promise<void> {
    this.task.request(checkMs);
    const live = await this.open();
    if (live === undefined) return;
    const list = await live.desktop.platform.listWindows();
    if (this.isClosed) return;
    if (!list.ok) return this.lose(list.failure);
    const written = this.record.goOn();
    if (!written.ok) return this.lose(written.failure);
    this.list = list.value;
    const wanted = this.chooseWanted(list.value, live);
    const byPid = Map.groupBy(wanted, ({ pid }) => pid);
    for (const [pid, tracker] of this.trackers) {
      if (byPid.has(pid)) continue;
      tracker.close();
      this.trackers.delete(pid);
    }
    for (const [pid, windows] of byPid) {
      const tracker = this.trackers.get(pid);
      if (tracker === undefined) this.trackers.set(pid, new ApplicationTracker(windows, this.context));
      else tracker.place(windows);
    }
    // Also if the list is unchanged: a menu or notification, which is not in the list, may cover a window.
    this.onChange();
  }

  /** Minimised windows are read when they are restored. */
  private chooseWanted(list: WindowList, { desktop }: LiveDesktop): readonly Window[] {
    const isPage = this.session.overlay?.rights.findPages() ?? (() => false);
    const isShown = (window: Window): boolean => !window.state.includes("minimised") && !isPage(window);
    const shown = list.windows.filter((window) => window.pid !== 0 && isShown(window));
    const chosen = this.query === undefined ? undefined : selectWindows({ ...list, windows: shown }, this.query);
    this.chosen = new Set(chosen?.ok === true ? chosen.value.map(({ id }) => id) : []);
    const apps = new Set([...this.anchors].map((mark) => desktop.marks.findRef(mark)?.app));
    this.noteMissing(list, (mark) => desktop.marks.findRef(mark)?.app);
    return shown.filter((window) => this.chosen.has(window.id) || apps.has(applicationKeyOf(window)));
  }

  private noteMissing({ windows }: WindowList, appOf: (mark: number) => string | undefined): void {
    const there = new Set<string | undefined>(windows.map(applicationKeyOf));
    const before = this.missingSinceMs;
    const missing = [...this.anchors].filter((mark) => !there.has(appOf(mark)));
    this.missingSinceMs = new Map(missing.map((mark) => [mark, before.get(mark) ?? performance.now()]));
  }

  private async open(): Promise<LiveDesktop | undefined> {
    const live = await this.session.openLive();
    if (this.isClosed) return undefined;
    if (!live.ok) {
      this.lose(live.failure);
      return undefined;
    }
    if (this.failure !== undefined) {
      this.failure = undefined;
      this.list = undefined;
    }
    this.hear(live.value.mirror);
    return live.value;
  }

  private hear(mirror: Mirror): void {
    if (mirror === this.mirror) return;
    this.unsubscribe?.();
    this.dropAll();
    this.mirror = mirror;
    this.unsubscribe = mirror.onChange(({ windows, isListChanged }) => {
      if (isListChanged) this.task.request();
      for (const tracker of this.trackers.values()) if (windows.some((id) => tracker.owns(id))) tracker.onChanged();
    });
  }

  private lose(failure: Failure): void {
    this.failure = failure;
    this.dropAll();
    this.onChange();
  }

  private dropAll(): void {
    for (const tracker of this.trackers.values()) tracker.close();
    this.trackers.clear();
  }

  private readonly context: TrackerContext = {
    open: () => this.open(),
    recordWindows: (windows) => {
      const views = windows.map((window) => ({ window, elements: [], notes: [] }));
      const written = this.record.note({ takenAtMs: Date.now(), windows: views });
      if (!written.ok) this.lose(written.failure);
      return written.ok;
    },
    listAll: () => this.list?.windows ?? [],
    findQuery: () => this.query,
    isChosen: ({ id }) => this.chosen.has(id),
    listAnchors: () => this.anchors,
    onRead: () => this.onChange(),
  };
}
