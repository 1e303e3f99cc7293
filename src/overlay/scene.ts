import type { ReadWish } from "../desktop.ts";
import { selectWindows } from "../find/select.ts";
import { WatchRecord } from "../live/watch-record.ts";
import type { LiveDesktop } from "../look.ts";
import type { Failure } from "../model/failure.ts";
import { applicationKeyOf, type Window } from "../model/window.ts";
import type { Mirror, WindowList } from "../platform/port.ts";
import { Follower, type Known, type Surroundings } from "./follower.ts";
import { Rounds } from "./rounds.ts";
import type { OverlaySource } from "./source.ts";

/** Without any sign: whether it may still be looked, and whether the same windows are there. */
const checkMs = 400;
/** Whoever asks for marks is told how many there are; one application that hangs does not keep the answer back for longer. */
const patienceMs = 1200;

/** What is known of the windows that something is drawn on, and where it is now. */
export class Scene {
  /** Why nothing can be looked at; undefined where it can. */
  failure: Failure | undefined;
  private wish: ReadWish | undefined;
  private anchors: ReadonlySet<number> = new Set();
  private list: WindowList | undefined;
  /** Controls whose applications have no window, and since when. */
  private missingSinceMs: ReadonlyMap<number, number> = new Map();
  private chosen: ReadonlySet<number> = new Set();
  private readonly followers = new Map<number, Follower>();
  private readonly record: WatchRecord;
  private readonly rounds = new Rounds(() => this.relist());
  private isClosed = false;
  private mirror: Mirror | undefined;
  private unsubscribe: (() => void) | undefined;

  constructor(
    readonly source: OverlaySource,
    private readonly onChange: () => void,
    private readonly lostMs: number,
  ) {
    this.record = new WatchRecord(source, Date.now, "overlay");
  }

  get clientName(): string {
    return this.source.clientName;
  }

  /** From now on these controls get their marks, and these are anchors. */
  async show(wish: ReadWish | undefined, anchors: ReadonlySet<number>): Promise<void> {
    const isSame = wish === this.wish && anchors.size === this.anchors.size && anchors.isSubsetOf(this.anchors);
    this.wish = wish;
    this.anchors = anchors;
    await this.rounds.finish();
    if (isSame) return;
    const looks = Promise.all([...this.followers.values()].map((follower) => follower.finish()));
    await Promise.race([looks, Bun.sleep(patienceMs)]);
  }

  /** Whether the application of one of these controls has been gone for long. */
  isLost(marks: readonly number[]): boolean {
    const since = marks.map((mark) => this.missingSinceMs.get(mark) ?? Number.POSITIVE_INFINITY);
    return performance.now() - Math.min(...since) > this.lostMs;
  }

  /** Windows as they are now, the one in front first, with what is drawn on each. */
  get known(): readonly Known[] {
    const windows = this.failure === undefined ? (this.list?.windows ?? []) : [];
    return windows.flatMap((window) => this.followers.get(window.pid)?.find(window) ?? []);
  }

  close(): void {
    this.isClosed = true;
    this.rounds.close();
    this.unsubscribe?.();
    this.dropAll();
    this.record.end();
    this.source.close();
  }

  private async relist(): Promise<void> {
    this.rounds.ask(checkMs);
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
    for (const [pid, follower] of this.followers) {
      if (byPid.has(pid)) continue;
      follower.close();
      this.followers.delete(pid);
    }
    for (const [pid, windows] of byPid) {
      const follower = this.followers.get(pid);
      if (follower === undefined) this.followers.set(pid, new Follower(windows, this.around));
      else follower.place(windows);
    }
    // Also where the list is the same: what is in no list, such as a menu or a notice, may have come over a window.
    this.onChange();
  }

  /** What is minimised is not in sight: it is looked at when it comes back. */
  private chooseWanted(list: WindowList, { desktop }: LiveDesktop): readonly Window[] {
    const isPage = this.source.overlay?.rights.findPages() ?? (() => false);
    const isShown = (window: Window): boolean => !window.state.includes("minimised") && !isPage(window);
    const shown = list.windows.filter((window) => window.pid !== 0 && isShown(window));
    const chosen = this.wish === undefined ? undefined : selectWindows(shown, this.wish, list.withheld);
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
    const live = await this.source.openLive();
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
      if (isListChanged) this.rounds.ask();
      for (const follower of this.followers.values()) if (windows.some((id) => follower.owns(id))) follower.stir();
    });
  }

  private lose(failure: Failure): void {
    this.failure = failure;
    this.dropAll();
    this.onChange();
  }

  private dropAll(): void {
    for (const follower of this.followers.values()) follower.close();
    this.followers.clear();
  }

  private readonly around: Surroundings = {
    open: () => this.open(),
    note: (windows) => {
      const views = windows.map((window) => ({ window, elements: [], notes: [] }));
      const written = this.record.note({ takenAtMs: Date.now(), windows: views });
      if (!written.ok) this.lose(written.failure);
      return written.ok;
    },
    listAll: () => this.list?.windows ?? [],
    findWish: () => this.wish,
    isChosen: ({ id }) => this.chosen.has(id),
    listAnchors: () => this.anchors,
    onLooked: () => this.onChange(),
  };
}
