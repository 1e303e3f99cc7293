import type { Bounds } from "../../../model/bounds.ts";
import type { Env } from "../../../model/env.ts";
import type { Monitor } from "../../../model/window.ts";
import type { OpenPopup, WindowList } from "../../port.ts";
import { Carets, selectEvents } from "../x11/changes.ts";
import { XConnection } from "../x11/connection.ts";
import { ignoreLoss, type XExtension, XUnavailable } from "../x11/transport.ts";
import { listedProperties, listPopupBounds, listXWindows, type XWindow } from "../x11/windows.ts";
import { codeOf, eventCode, eventMask } from "../x11/wire.ts";
import { Drawing, type DrawingEvents, Moves } from "./drawing.ts";
import { isSame } from "./share.ts";

/** Events come in bursts: how long a list waits for the rest. */
const burstMs = 8;
/** Minimum interval between lists: a dragged window changes the list all the time. */
const restMs = 25;

export interface DisplayEvents extends DrawingEvents {
  /** The list changed; the ids of windows that differ. */
  onList(list: LiveList, before: LiveList | undefined, changed: ReadonlySet<number>): void;
  onLost(): void;
}

export interface LiveList extends WindowList {
  readonly windows: readonly XWindow[];
  readonly monitors: readonly Monitor[];
}

/** The window list, updated by display events, and what some processes draw. */
export class LiveDisplay {
  private x: XConnection | undefined;
  private opening: Promise<XConnection> | undefined;
  private atoms: ReadonlySet<number> = new Set();
  private list: LiveList | undefined;
  private isStale = true;
  private listing: Promise<LiveList> | undefined;
  private lastListedAtMs = Number.NEGATIVE_INFINITY;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly selected = new Set<number>();
  private drawing: Drawing | undefined;
  private readonly carets = new Carets();
  private extension: XExtension | undefined;
  private shape: XExtension | undefined;
  private readonly moves = new Moves();
  private hasClosed = false;

  constructor(
    private readonly env: Env,
    private readonly timeoutMs: number,
    private readonly events: DisplayEvents,
  ) {}

  /** The present windows. Unchanged, it is the same object and costs one round trip. */
  async listWindows(): Promise<LiveList> {
    await this.settle();
    const { list } = this;
    return list !== undefined && !this.isStale ? list : this.listAgain();
  }

  get known(): LiveList | undefined {
    return this.list;
  }

  /** Resolves when all earlier display events have been processed. */
  async settle(): Promise<void> {
    await (await this.open()).getInputFocus();
  }

  async listPopupBounds(pid: number): Promise<readonly Bounds[]> {
    return listPopupBounds(await this.open(), pid);
  }

  /** The pop-ups of followed processes, also of the last moments. */
  get popups(): readonly OpenPopup[] {
    return this.drawing?.openPopups.list() ?? [];
  }

  async follow(pid: number): Promise<void> {
    const x = await this.open();
    await this.drawing?.follow(x, pid, this.list?.windows ?? []);
  }

  unfollow(pid: number): void {
    if (this.x?.isOpen === true) this.drawing?.unfollow(this.x, pid);
  }

  fail(why: string): void {
    this.x?.fail(new XUnavailable(why));
  }

  close(): void {
    this.hasClosed = true;
    clearTimeout(this.timer);
    this.x?.close();
  }

  private async open(): Promise<XConnection> {
    if (this.hasClosed) throw new XUnavailable("the connection was closed");
    if (this.x?.isOpen === true) return this.x;
    this.opening ??= this.connect().finally(() => {
      this.opening = undefined;
    });
    return this.opening;
  }

  private async connect(): Promise<XConnection> {
    const x = await XConnection.connect(this.env, this.timeoutMs);
    try {
      this.isStale = true;
      this.selected.clear();
      const [atoms, extension, shape] = await Promise.all([
        x.internAtoms([...listedProperties, "WM_STATE"]),
        x.findExtension("DAMAGE"),
        x.findExtension("SHAPE"),
        selectEvents(x, x.root, eventMask.substructure | eventMask.structure | eventMask.property | eventMask.focus),
      ]);
      this.atoms = new Set(Object.values(atoms));
      this.extension = extension;
      this.shape = shape;
      this.drawing = new Drawing(extension, this.events);
      await this.drawing.begin(x);
      x.listen((message) => this.handleEvent(message));
      x.onEnd(() => {
        if (this.x !== x) return;
        this.isStale = true;
        if (!this.hasClosed) this.events.onLost();
      });
      this.x = x;
      return x;
    } catch (error) {
      x.close();
      throw error;
    }
  }

  private handleEvent(message: Buffer): void {
    const kind = codeOf(message);
    if (this.extension !== undefined && kind === this.extension.firstEvent) {
      const isCopied = this.moves.takeCopy(message, performance.now());
      if (!isCopied && !this.carets.has(message)) this.drawing?.hearDrawn(message, this.list?.windows ?? []);
      return;
    }
    if (kind === eventCode.configure) this.moves.processConfigure(message, performance.now());
    if (kind === eventCode.property) {
      if (this.atoms.has(message.readUInt32LE(8))) this.relistSoon();
      return;
    }
    if (kind === eventCode.focusIn || kind === eventCode.focusOut || kind === this.shape?.firstEvent) this.relistSoon();
    if (kind < eventCode.destroy || kind > eventCode.configure || this.x === undefined) return;
    if (this.drawing?.processWindowEvent(this.x, kind, message) !== "popup") this.relistSoon();
  }

  /** The list may have changed: it is reread soon and reported if it did. */
  private relistSoon(): void {
    this.isStale = true;
    if (this.timer !== undefined || this.hasClosed) return;
    const restLeftMs = this.lastListedAtMs + restMs - performance.now();
    this.timer = setTimeout(
      () => {
        this.timer = undefined;
        if (this.isStale) this.listAgain().catch(ignoreLoss);
      },
      Math.max(burstMs, restLeftMs),
    );
  }

  private async listAgain(): Promise<LiveList> {
    // A read in progress may have missed the change.
    if (this.listing !== undefined) await this.listing.catch(ignoreLoss);
    this.listing ??= this.readList().finally(() => {
      this.listing = undefined;
    });
    return this.listing;
  }

  private async readList(): Promise<LiveList> {
    const x = await this.open();
    for (;;) {
      this.isStale = false;
      const [{ windows, monitors }, root] = await Promise.all([listXWindows(x), x.getOuterGeometry(x.root)]);
      // Events of a window arrive only from now on: an unknown window is read again.
      if (await this.select(x, windows)) continue;
      this.lastListedAtMs = performance.now();
      const screen = { x: 0, y: 0, width: root?.width ?? x.rootWidth, height: root?.height ?? x.rootHeight };
      return this.keep({ windows, monitors, screen });
    }
  }

  private async select(x: XConnection, windows: readonly XWindow[]): Promise<boolean> {
    const added = windows.filter(({ id }) => !this.selected.has(id));
    const ids = new Set(windows.map(({ id }) => id));
    for (const id of this.selected) if (!ids.has(id)) this.selected.delete(id);
    for (const { id } of added) this.selected.add(id);
    const events = eventMask.structure | eventMask.property | eventMask.focus;
    await Promise.all([...added.map(({ id }) => selectEvents(x, id, events)), this.drawing?.addWindows(x, windows)]);
    return added.length > 0;
  }

  private keep(now: LiveList): LiveList {
    const before = this.list;
    const known = new Map(before?.windows.map((window) => [window.id, window]));
    const windows = now.windows.map((window) => {
      const old = known.get(window.id);
      return old !== undefined && isSame(old, window) ? old : window;
    });
    const changed = new Set(windows.filter((window) => known.get(window.id) !== window).map(({ id }) => id));
    for (const id of known.keys()) if (!windows.some((window) => window.id === id)) changed.add(id);
    const isSameOrder = windows.every((window, index) => window === before?.windows[index]);
    const isSameScreen = isSame(before?.monitors, now.monitors) && isSame(before?.screen, now.screen);
    if (before !== undefined && changed.size === 0 && isSameOrder && isSameScreen) return before;
    this.list = { ...now, windows };
    // If the screen changed, every window counts as changed.
    this.events.onList(this.list, before, isSameScreen ? changed : new Set(windows.map(({ id }) => id)));
    return this.list;
  }
}
