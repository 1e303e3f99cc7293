import { knowChosen, type ReadWish } from "../desktop.ts";
import { know, type LiveDesktop, lookAt, type Sight, withMap } from "../look.ts";
import { type Element, flatten } from "../model/element.ts";
import { type Result, succeed } from "../model/failure.ts";
import type { Window } from "../model/window.ts";
import type { Following } from "../platform/port.ts";
import type { MarkedPlace } from "./compose.ts";
import { Rounds } from "./rounds.ts";
import { listInMenus, type Place } from "./sight.ts";

/** A window that is moved is looked at when it has been still for so long; until then nothing is drawn on it. */
const stillMs = 70;
/** Changes come in bursts. */
const burstMs = 30;
/** Some applications show first and tell later: after a change it is looked once more. */
const afterlookMs = 400;
/** Whoever does not answer for so long has no marks. */
const patienceMs = 1500;

const tryAgainMs = 1000;

/** What is drawn on one window. */
export interface Known {
  readonly window: Window;
  readonly marks: readonly MarkedPlace[];
  readonly anchors: ReadonlyMap<number, Place>;
}

/** What a follower needs of the scene that it is a part of. */
export interface Surroundings {
  open(): Promise<LiveDesktop | undefined>;
  /** To be written down before it is drawn; false where it could not be. */
  note(windows: readonly Window[]): boolean;
  listAll(): readonly Window[];
  /** Which controls get their marks; undefined where none do. */
  findWish(): ReadWish | undefined;
  /** Whether those of this window do. */
  isChosen(window: Window): boolean;
  /** Controls that something is drawn at. */
  listAnchors(): ReadonlySet<number>;
  onLooked(): void;
}

/** Follows the windows of one application: one that hangs keeps nobody else waiting. */
export class Follower {
  private readonly rounds = new Rounds(() => this.look());
  private known: ReadonlyMap<number, Known> = new Map();
  private following: Following | undefined;
  private isClosed = false;
  private isAfterlook = false;

  constructor(
    private windows: readonly Window[],
    private readonly around: Surroundings,
  ) {
    this.rounds.ask();
  }

  /** What can be drawn now: nothing of a window that is not where it was when it was looked at. */
  find(window: Window): Known | undefined {
    const known = this.known.get(window.id);
    return known !== undefined && isSamePlace(known.window, window) ? known : undefined;
  }

  /** The windows as they are listed now. */
  place(windows: readonly Window[]): void {
    const before = new Map(this.windows.map((window) => [window.id, window]));
    this.windows = windows;
    const isMoved = windows.some((window) => {
      const old = before.get(window.id);
      return old !== undefined && !isSamePlace(old, window);
    });
    if (isMoved) this.rounds.putOff(stillMs);
    else if (windows.some(({ id }) => !before.has(id))) this.rounds.ask();
  }

  /** Resolves when it has looked once more. */
  finish(): Promise<void> {
    return this.rounds.finish();
  }

  owns(windowId: number): boolean {
    return this.windows.some(({ id }) => id === windowId);
  }

  /** Something changed in one of them. */
  stir(): void {
    this.isAfterlook = false;
    this.rounds.ask(burstMs);
  }

  close(): void {
    this.isClosed = true;
    this.rounds.close();
    this.following?.release();
  }

  private async look(): Promise<void> {
    const live = await this.around.open();
    if (live === undefined || this.isClosed) return;
    const { windows } = this;
    if (!(await this.follow(live, windows))) return this.rounds.ask(tryAgainMs);
    const sight = await withMap(() =>
      lookAt(live.desktop.platform, windows, this.around.listAll(), { includeHidden: false, timeoutMs: patienceMs }),
    );
    if (this.isClosed) return;
    const known = sight.ok ? await this.know(live, sight.value) : sight;
    const isTold = known.ok && this.around.note(windows);
    this.known = isTold ? new Map(known.value.map((one) => [one.window.id, one])) : new Map();
    this.around.onLooked();
    if (!this.isAfterlook) this.rounds.ask(afterlookMs);
    this.isAfterlook = !this.isAfterlook;
  }

  /** False where it cannot be followed. */
  private async follow({ mirror }: LiveDesktop, windows: readonly Window[]): Promise<boolean> {
    if (this.following !== undefined) return true;
    const following = await mirror.follow(windows, patienceMs);
    if (!following.ok) return false;
    if (this.isClosed) following.value.release();
    else this.following = following.value;
    return !this.isClosed;
  }

  private know({ desktop }: LiveDesktop, sight: Sight): Promise<Result<readonly Known[]>> {
    const anchors = this.around.listAnchors();
    const [wish, pid] = [this.around.findWish(), this.windows[0]?.pid];
    return withMap(async () => {
      const numbers = anchors.size === 0 ? new Map<string, number>() : know(desktop.marks, sight, new Set());
      const views = wish === undefined ? [] : knowChosen(desktop.marks, sight, { ...wish, pid }).windows;
      return succeed(
        sight.snapshot.windows.map(({ window, root }) => {
          const view = views.find((one) => one.window.id === window.id && this.around.isChosen(window));
          const menus = root === undefined ? new Set<string>() : listInMenus(root);
          const placeOf = ({ bounds, runtimeId }: Pick<Element, "bounds" | "runtimeId">): Place | undefined =>
            bounds && { windowId: window.id, pid: window.pid, bounds, isInMenu: menus.has(runtimeId) };
          return {
            window,
            marks: flatten(view?.elements ?? []).flatMap((element) => {
              const place = element.mark === 0 ? undefined : placeOf(element);
              return place === undefined ? [] : [{ ...place, mark: element.mark }];
            }),
            anchors: new Map(
              (numbers.size === 0 || root === undefined ? [] : flatten([root])).flatMap(
                (element): [number, Place][] => {
                  const mark = numbers.get(element.runtimeId) ?? 0;
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

function isSamePlace({ bounds: a, state: before }: Window, { bounds: b, state: now }: Window): boolean {
  const isSameBox = a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
  return isSameBox && before.includes("minimised") === now.includes("minimised");
}
