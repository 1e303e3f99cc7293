import { type Bounds, intersect } from "../../../model/bounds.ts";
import { fail, type Result, succeed } from "../../../model/failure.ts";
import type { WindowRead } from "../../../model/snapshot.ts";
import { applicationKeyOf, type Window } from "../../../model/window.ts";
import type { ReadRequest, Temper } from "../../../sources/port.ts";
import type { DrawnArea, Following, Kept, Mirror, MirrorChange, MirrorFigures, Shift, WindowList } from "../../port.ts";
import { awaitBusApplications, listBusApplications } from "../atspi/access.ts";
import type { Parts } from "../connections.ts";
import type { Bus } from "../dbus/bus.ts";
import { describeLostDisplay, describeTreeless } from "../failures.ts";
import { XUnavailable } from "../x11/transport.ts";
import type { XWindow } from "../x11/windows.ts";
import { Arrivals } from "./arrivals.ts";
import { LiveDisplay, type LiveList } from "./display.ts";
import { LiveProcess } from "./process.ts";
import { SelfChanges } from "./self-changes.ts";
import { isSame } from "./share.ts";
import { Tally } from "./tally.ts";
import { listEvents } from "./window-events.ts";

/** When an application that is neither read nor followed is dropped, and how often to check. */
const patience = { forgetAfterMs: 60_000, sweepMs: 5000 };

/** How long a reread waits for the rest of a burst of events: while somebody types, each key is one. */
const burstMs = { usual: 2, typing: 500 };

/** The known state of the desktop, updated by display and application events. */
export class LinuxMirror implements Mirror {
  private readonly listeners = new Set<(change: MirrorChange) => void>();
  private readonly processes = new Map<number, LiveProcess>();
  private readonly tally = new Tally();
  private readonly selfChanges = new SelfChanges();
  private readonly display: LiveDisplay;
  private readonly arrivals = new Arrivals((bus) => this.checkArrivals(bus));
  private readonly sweeper: ReturnType<typeof setInterval>;
  /** How many followers each process has; following resumes after its connection was lost. */
  private readonly followers = new Map<number, number>();
  private typingUntilMs = 0;
  /** By the wall clock, as a person's inputs are. */
  private readonly changed = new Map<number, number>();
  private listChangedMs = 0;

  constructor(
    private readonly parts: Parts,
    private readonly limits = patience,
  ) {
    const { env, timeoutMs } = parts.options;
    this.display = new LiveDisplay(env, timeoutMs, {
      onList: (list, before, changed) => this.handleList(list, before, changed),
      onDrawn: (pid, area) => this.processes.get(pid)?.noteDrawn(area),
      onPopup: (pid) => this.processes.get(pid)?.onWindowsChanged("popup"),
      onLost: () => this.forgetAll(),
    });
    this.sweeper = setInterval(() => this.sweep(), limits.sweepMs);
    this.sweeper.unref();
  }

  onChange(listener: (change: MirrorChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  figures(): MirrorFigures {
    return this.tally.figures(this.processes.size);
  }

  expectTyping(forMs: number): void {
    this.typingUntilMs = performance.now() + forMs;
  }

  peek(): Kept {
    const reads = new Map<number, WindowRead>();
    const unread = new Map<number, number>();
    const [shifted, moved] = [new Map<number, Shift>(), new Map<number, Shift>()];
    const drawn: DrawnArea[] = [];
    for (const known of [...this.processes.values()].flatMap((process) => process.peek())) {
      for (const [id, read] of known.reads) {
        if (read.root !== undefined || !reads.has(id)) reads.set(id, read);
        if (Number.isFinite(known.unreadSinceMs)) unread.set(id, known.unreadSinceMs);
        if (Number.isFinite(known.shifted.sinceMs)) shifted.set(id, known.shifted);
        if (Number.isFinite(known.moved.sinceMs)) moved.set(id, known.moved);
      }
      drawn.push(...known.drawn);
    }
    return {
      list: this.display.known,
      reads,
      unread,
      shifted,
      moved,
      changed: new Map(this.changed),
      listChangedMs: this.listChangedMs,
      drawn,
      popups: this.display.popups,
    };
  }

  async follow(windows: readonly Window[], timeoutMs: number): Promise<Result<Following>> {
    const pids = new Set(windows.map(({ pid }) => pid).filter((pid) => pid !== 0));
    for (const pid of pids) this.followers.set(pid, (this.followers.get(pid) ?? 0) + 1);
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      for (const pid of pids) {
        const left = (this.followers.get(pid) ?? 1) - 1;
        if (left === 0) this.followers.delete(pid);
        else this.followers.set(pid, left);
      }
    };
    const read = await this.readWindows({ windows, includeHidden: false, timeoutMs });
    if (read.ok) return succeed({ release });
    release();
    return read;
  }

  beginAction(pids: ReadonlySet<number>, windows: readonly number[], onChange: () => void): () => void {
    const end = this.selfChanges.beginAction(pids);
    const stop = this.onChange((change) => {
      if (change.windows.some((id) => windows.includes(id))) onChange();
    });
    return () => {
      stop();
      end();
    };
  }

  /** Returns whether something was last seen to change before this call. */
  noteInput(): (id: string) => boolean {
    return this.selfChanges.noteInput();
  }

  /** The names of a followed process on a bus; undefined if it is not followed there. */
  findBusNames(bus: Bus, pid: number): readonly string[] | undefined {
    const process = this.processes.get(pid);
    return process?.bus === bus ? process.busNames : undefined;
  }

  findTemper(windows: readonly number[], id: string): Temper | undefined {
    return this.selfChanges.findTemper(windows, id);
  }

  listWindows(): Promise<Result<WindowList>> {
    return this.withDisplay(() => this.display.listWindows());
  }

  async readWindows(request: ReadRequest): Promise<Result<readonly WindowRead[]>> {
    const list = await this.withDisplay(() => this.display.listWindows());
    if (!list.ok) return list;
    try {
      return await this.readListed(request, list.value);
    } catch (error) {
      if (!(error instanceof XUnavailable)) throw error;
      return fail(describeLostDisplay(error));
    }
  }

  private readListed(request: ReadRequest, list: LiveList): Promise<Result<readonly WindowRead[]>> {
    return this.parts.withBus(async (bus) => {
      this.leave(bus);
      const byPid = [...Map.groupBy(request.windows, (window) => window.pid)];
      const isUnknown = byPid.some(([pid]) => pid !== 0 && !this.processes.has(pid));
      if (isUnknown) await this.meet(bus, new Set(byPid.map(([pid]) => pid)));
      const reads = await Promise.all(
        byPid.map(([pid, wanted]) => {
          const ids = new Set(wanted.map(({ id }) => id));
          const own = list.windows.filter(({ id }) => ids.has(id));
          return this.processes.get(pid)?.read(own, request) ?? [];
        }),
      );
      const byId = new Map(reads.flat().map((read) => [read.window.id, read]));
      return request.windows.map((window) => ({ ...(byId.get(window.id) ?? describeTreeless(window)), window }));
    });
  }

  close(): void {
    clearInterval(this.sweeper);
    this.forgetAll();
    this.arrivals.close();
    this.listeners.clear();
    this.display.close();
  }

  /** Starts following processes that have newly registered. */
  private async meet(bus: Bus, pids: ReadonlySet<number>): Promise<void> {
    await this.arrivals.attend(bus);
    const applications = await awaitBusApplications(bus, pids, this.parts.options.timeoutMs);
    const byPid = Map.groupBy(applications, ({ pid }) => pid);
    await Promise.all(
      [...pids].map(async (pid) => {
        const names = byPid.get(pid)?.map(({ busName }) => busName) ?? [];
        if (pid === 0 || names.length === 0 || this.processes.has(pid)) return;
        const process = this.makeProcess(bus, pid, names);
        this.processes.set(pid, process);
        await Promise.all([this.display.follow(pid), this.arrivals.watchEnd(bus, names)]);
      }),
    );
  }

  private makeProcess(bus: Bus, pid: number, names: readonly string[]): LiveProcess {
    const listOwn = (): readonly XWindow[] => this.display.known?.windows.filter((window) => window.pid === pid) ?? [];
    const [first] = listOwn();
    const view = {
      appKey: first === undefined ? "unknown" : applicationKeyOf(first),
      listWindows: listOwn,
      place: () => ({
        screen: this.display.known?.screen ?? { x: 0, y: 0, width: 0, height: 0 },
        monitors: this.display.known?.monitors.map(({ bounds }) => bounds) ?? [],
      }),
      listPopupBounds: () => this.display.listPopupBounds(pid),
      burstMs: () => (performance.now() < this.typingUntilMs ? burstMs.typing : burstMs.usual),
      findFocused: async () => (await this.display.listWindows()).windows.find(({ isFocused }) => isFocused)?.id,
      listCovered: (window: XWindow) => this.listCovered(window),
    };
    return new LiveProcess(pid, bus, names, view, this.tally, (changes) => {
      for (const [id, { before, after }] of changes) {
        this.selfChanges.noteRead(id, pid, before, after);
        this.changed.set(id, Date.now());
      }
      this.report({ windows: [...changes.keys()], isListChanged: false });
    });
  }

  private listCovered(window: XWindow): readonly Bounds[] | undefined {
    const { known } = this.display;
    if (known === undefined || window.state.includes("minimised")) return undefined;
    const place = known.windows.findIndex(({ id }) => id === window.id);
    const above = known.windows.slice(0, Math.max(0, place)).filter(({ state }) => !state.includes("minimised"));
    return above.map(({ bounds }) => intersect(bounds, window.bounds)).filter((area) => area !== undefined);
  }

  private handleList(list: LiveList, before: LiveList | undefined, changed: ReadonlySet<number>): void {
    const isThere = new Set(list.windows.map(({ pid }) => pid));
    this.listChangedMs = Date.now();
    for (const id of this.changed.keys()) if (!list.windows.some((one) => one.id === id)) this.changed.delete(id);
    const known = new Map(before?.windows.map((window) => [window.id, window]));
    for (const { id, pid, title, bounds, state } of list.windows) {
      const old = known.get(id);
      if (old === undefined) continue;
      const isMoved = !isSame([old.bounds, old.state], [bounds, state]);
      if (isMoved || old.title !== title) this.selfChanges.noteWindow(id, pid, isMoved);
    }
    for (const [pid, process] of this.processes) {
      if (!isThere.has(pid)) this.forget(pid);
      else for (const event of listEvents(pid, list, before, changed)) process.onWindowsChanged(event);
    }
    this.report({ windows: [], isListChanged: true });
  }

  private report(change: MirrorChange): void {
    for (const listener of this.listeners) listener(change);
  }

  /** After a bus restart the old names are invalid. */
  private leave(bus: Bus): void {
    const left = [...this.processes].filter(([, process]) => process.bus !== bus).map(([pid]) => pid);
    for (const pid of left) this.forget(pid);
    this.reportProcesses(left);
  }

  private reportProcesses(pids: readonly number[]): void {
    const windows = this.display.known?.windows.filter(({ pid }) => pids.includes(pid)) ?? [];
    if (windows.length > 0) this.report({ windows: windows.map(({ id }) => id), isListChanged: false });
  }

  /** Something registered or left: applications that changed are read anew. */
  private async checkArrivals(bus: Bus): Promise<void> {
    const applications = await listBusApplications(bus, this.parts.options.timeoutMs);
    const byPid = Map.groupBy(applications, ({ pid }) => pid);
    const windows = this.display.known?.windows ?? [];
    const pids = new Set([...this.processes.keys(), ...this.followers.keys()]);
    for (const pid of pids) {
      const names = byPid.get(pid)?.map(({ busName }) => busName) ?? [];
      const known = this.processes.get(pid)?.busNames ?? [];
      if (names.length === known.length && names.every((name) => known.includes(name))) continue;
      this.forget(pid);
      const own = windows.filter((window) => window.pid === pid);
      if (own.length === 0) continue;
      this.report({ windows: own.map(({ id }) => id), isListChanged: false });
      if (this.followers.has(pid)) await this.readWindows({ windows: own, includeHidden: false, timeoutMs: 4000 });
    }
  }

  private sweep(): void {
    const nowMs = performance.now();
    const known = this.processes.size;
    for (const [pid, process] of this.processes) {
      if (!this.followers.has(pid) && nowMs - process.lastReadAtMs > this.limits.forgetAfterMs) this.forget(pid);
    }
    // GTK 3 keeps sending state events to anyone who ever listened, until they leave the bus.
    if (known > 0 && this.processes.size === 0) this.parts.leaveBus();
    // Reconnects to a bus or display that was lost while it is followed.
    const lost = [...this.followers.keys()].filter((pid) => this.processes.get(pid)?.bus.isOpen !== true);
    const windows = this.display.known?.windows.filter(({ pid }) => lost.includes(pid)) ?? [];
    if (windows.length > 0) void this.findAgain(windows);
  }

  /** Followers of a lost application are notified, so that their next read reports why. */
  private async findAgain(windows: readonly Window[]): Promise<void> {
    const deaf = windows.map(({ pid }) => pid).filter((pid) => this.processes.get(pid)?.bus.isOpen === false);
    const found = await this.readWindows({ windows, includeHidden: false, timeoutMs: 4000 });
    if (!found.ok) this.reportProcesses(deaf);
  }

  private forget(pid: number): void {
    const process = this.processes.get(pid);
    if (process === undefined) return;
    this.processes.delete(pid);
    process.close();
    this.arrivals.unwatchEnd(process.bus, process.busNames);
    this.display.unfollow(pid);
  }

  private forgetAll(): void {
    for (const pid of [...this.processes.keys()]) this.forget(pid);
  }

  private async withDisplay<T>(work: () => Promise<T>): Promise<Result<T>> {
    const { timeoutMs } = this.parts.options;
    const timer = setTimeout(() => this.display.fail("the X server does not answer"), timeoutMs);
    try {
      return succeed(await work());
    } catch (error) {
      if (!(error instanceof XUnavailable)) throw error;
      return fail(describeLostDisplay(error));
    } finally {
      clearTimeout(timer);
    }
  }
}
