import { knowChosen, type ReadQuery } from "../desktop/index.ts";
import { type LiveDesktop, lookAt, recognise, withMap } from "../find/read.ts";
import { isSameBounds } from "../model/bounds.ts";
import { type Element, flatten } from "../model/element.ts";
import { type Result, succeed } from "../model/failure.ts";
import { kindOfRole } from "../model/role.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { Window } from "../model/window.ts";
import type { Following } from "../platform/port.ts";
import type { MarkedPlace } from "./compose.ts";
import { SerialTask } from "./serial-task.ts";
import { makePlaceFinder, type Place } from "./visibility.ts";

/** A moved window is read after it has been still for this long; until then nothing is drawn on it. */
const stillMs = 70;
/** Changes come in bursts. */
const burstMs = 30;
/** Some applications draw first and send events later: read once more after a change. */
const rereadMs = 400;
/** An application that does not answer within this time gets no marks. */
const patienceMs = 1500;

const tryAgainMs = 1000;

export interface TrackedWindow {
  readonly window: Window;
  readonly marks: readonly MarkedPlace[];
  readonly anchors: ReadonlyMap<number, Place>;
  /** Where it shows controls and texts, for lines that go around them; empty without anchors. */
  readonly legible: readonly Place[];
}

export interface TrackerContext {
  open(): Promise<LiveDesktop | undefined>;
  /** Logs a read before it is drawn; false if that failed. */
  recordWindows(windows: readonly Window[]): boolean;
  listAll(): readonly Window[];
  /** Which controls get marks; undefined if none do. */
  findQuery(): ReadQuery | undefined;
  isChosen(window: Window): boolean;
  listAnchors(): ReadonlySet<number>;
  onRead(): void;
}

/** Tracks the windows of one application, so that one that hangs delays no other. */
export class ApplicationTracker {
  private readonly task = new SerialTask(() => this.read());
  private known: ReadonlyMap<number, TrackedWindow> = new Map();
  private following: Following | undefined;
  private isClosed = false;
  private isReread = false;

  constructor(
    private windows: readonly Window[],
    private readonly context: TrackerContext,
  ) {
    this.task.request();
  }

  /** What can be drawn on a window now; undefined if it moved since it was read. */
  find(window: Window): TrackedWindow | undefined {
    const known = this.known.get(window.id);
    return known !== undefined && isSamePlace(known.window, window) ? known : undefined;
  }

  place(windows: readonly Window[]): void {
    const before = new Map(this.windows.map((window) => [window.id, window]));
    this.windows = windows;
    const isMoved = windows.some((window) => {
      const old = before.get(window.id);
      return old !== undefined && !isSamePlace(old, window);
    });
    if (isMoved) this.task.postpone(stillMs);
    else if (windows.some(({ id }) => !before.has(id))) this.task.request();
  }

  /** Resolves after one more read. */
  runNow(): Promise<void> {
    return this.task.runNow();
  }

  owns(windowId: number): boolean {
    return this.windows.some(({ id }) => id === windowId);
  }

  onChanged(): void {
    this.isReread = false;
    this.task.request(burstMs);
  }

  close(): void {
    this.isClosed = true;
    this.task.close();
    this.following?.release();
  }

  private async read(): Promise<void> {
    const live = await this.context.open();
    if (live === undefined || this.isClosed) return;
    const { windows } = this;
    if (!(await this.follow(live, windows))) return this.task.request(tryAgainMs);
    const snapshot = await withMap(() =>
      lookAt(live.desktop.platform, windows, this.context.listAll(), {
        includeHidden: false,
        vision: "off",
        timeoutMs: patienceMs,
      }),
    );
    if (this.isClosed) return;
    const known = snapshot.ok ? await this.placeMarks(live, snapshot.value) : snapshot;
    const isTold = known.ok && this.context.recordWindows(windows);
    this.known = isTold ? new Map(known.value.map((one) => [one.window.id, one])) : new Map();
    this.context.onRead();
    if (!this.isReread) this.task.request(rereadMs);
    this.isReread = !this.isReread;
  }

  private async follow({ mirror }: LiveDesktop, windows: readonly Window[]): Promise<boolean> {
    if (this.following !== undefined) return true;
    const following = await mirror.follow(windows, patienceMs);
    if (!following.ok) return false;
    if (this.isClosed) following.value.release();
    else this.following = following.value;
    return !this.isClosed;
  }

  private placeMarks({ desktop }: LiveDesktop, snapshot: Snapshot): Promise<Result<readonly TrackedWindow[]>> {
    const anchors = this.context.listAnchors();
    const [query, pid] = [this.context.findQuery(), this.windows[0]?.pid];
    return withMap(async () => {
      const numbers = anchors.size === 0 ? new Map<string, number>() : recognise(desktop.marks, snapshot, new Set());
      const views = query === undefined ? [] : knowChosen(desktop.marks, snapshot, { ...query, pid }).windows;
      return succeed(
        snapshot.windows.map(({ window, root }) => {
          const view = views.find((one) => one.window.id === window.id && this.context.isChosen(window));
          const placeOf = makePlaceFinder({ window, root });
          return {
            window,
            marks: flatten(view?.elements ?? []).flatMap((element) => {
              const place = element.mark === 0 ? undefined : placeOf(element);
              return place === undefined ? [] : [{ ...place, mark: element.mark }];
            }),
            legible: (numbers.size === 0 || root === undefined ? [] : flatten([root])).flatMap((element) => {
              return isLegible(element) ? (placeOf(element) ?? []) : [];
            }),
            anchors: new Map(
              (numbers.size === 0 || root === undefined ? [] : flatten([root])).flatMap(
                (element): [number, Place][] => {
                  const mark = numbers.get(element.handle) ?? 0;
                  const place = anchors.has(mark) && !element.states.has("hidden") ? placeOf(element) : undefined;
                  return place === undefined ? [] : [[mark, place]];
                },
              ),
            ),
          };
        }),
      );
    });
  }
}

function isLegible({ role, name, states }: Element): boolean {
  const kind = kindOfRole(role);
  return (kind === "control" || (kind === "text" && name !== "")) && !states.has("hidden");
}

function isSamePlace({ bounds: a, state: before }: Window, { bounds: b, state: now }: Window): boolean {
  return isSameBounds(a, b) && before.includes("minimised") === now.includes("minimised");
}
