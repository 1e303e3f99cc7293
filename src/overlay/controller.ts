import type { ReadQuery } from "../desktop/index.ts";
import { type Failure, fail, type Result, succeed } from "../model/failure.ts";
import { type Combo, showCombo } from "../model/keys.ts";
import type { DrawingSurface, LivePlatform } from "../platform/port.ts";
import { marksOf } from "./annotation.ts";
import { AnnotationList, type AnnotationRequest, type StoredAnnotation } from "./annotation-list.ts";
import { type Composed, compose } from "./compose.ts";
import { Indicator } from "./indicator.ts";
import { PickController } from "./pick-controller.ts";
import { SerialTask } from "./serial-task.ts";
import type { OverlayRights, OverlaySession } from "./session.ts";
import { TrackedWindows } from "./tracked-windows.ts";
import { readScreenLayout, type ScreenLayout } from "./visibility.ts";

export interface OverlayStatus {
  readonly isOn: boolean;
  readonly client: string | undefined;
  readonly markCount: number;
  readonly leftOut: number;
  readonly annotations: readonly (StoredAnnotation & { readonly isShown: boolean })[];
  readonly hotkey: string | undefined;
  readonly isPicking: boolean;
  /** Why less is drawn than was requested. */
  readonly trouble: string | undefined;
}

export interface MarksRequest {
  readonly query: ReadQuery;
  /** Starts a pick; undefined for no hotkey. */
  readonly hotkey: Combo | undefined;
}

export interface OverlayAccess {
  readonly controller: OverlayController;
  /** A session of this client that outlives the call. */
  openSession(): OverlaySession;
  readonly rights: OverlayRights;
  /** Aborts the call. */
  readonly signal: AbortSignal | undefined;
  /** Aborted when the client disconnects. */
  readonly gone: AbortSignal | undefined;
}

interface Opened {
  readonly platform: LivePlatform;
  readonly surface: DrawingSurface;
  readonly unsubscribe: () => void;
}

/** How soon drawings disappear when a person is asked something. */
const vetoCheckMs = 100;

const nothingComposed: Composed = { drawings: [], markCount: 0, leftOut: 0, shownAnnotations: new Set() };

/** The overlay of a process, for all its clients: marks, annotations and picking. */
export class OverlayController {
  private marks: MarksRequest | undefined;
  private tracked: TrackedWindows | undefined;
  private readonly annotations = new AnnotationList(() => void this.change());
  readonly picks = new PickController({
    open: () => this.open(),
    listMonitors: async (platform) => {
      const context = await readScreenLayout(platform);
      return context.ok ? succeed(context.value.monitors) : context;
    },
    redraw: () => this.drawing.request(),
    onEnd: () => this.shutIfIdle(),
  });
  private readonly indicator = new Indicator();
  private opened: Promise<Result<Opened>> | undefined;
  private turn: Promise<unknown> = Promise.resolve();
  private layout: ScreenLayout = { surfaces: [], monitors: [] };
  /** The inputs of the last composition. */
  private view: readonly unknown[] = [];
  private isRenewed = false;
  private composed = nothingComposed;
  private drawn = "";
  private endHotkey: (() => void) | undefined;
  private trouble: string | undefined;
  /** Why nothing is drawn although it was requested. */
  private veto: Failure | undefined;
  private vetoing: Timer | undefined;
  private readonly composing = new SerialTask(() => this.recompose());
  private readonly drawing = new SerialTask(() => this.draw());

  constructor(
    private readonly openPlatform: () => Promise<Result<LivePlatform>>,
    /** An annotation ends when its application has had no window for this long. */
    private readonly patience = { lostMs: 60_000 },
  ) {}

  get isNeeded(): boolean {
    return this.marks !== undefined || this.annotations.all.length > 0 || this.picks.isBusy || this.indicator.isOn;
  }

  get status(): OverlayStatus {
    const { markCount, leftOut, shownAnnotations } = this.composed;
    const { hotkey } = this.marks ?? {};
    return {
      isOn: this.marks !== undefined,
      client: this.marks && this.tracked?.clientName,
      markCount,
      leftOut,
      annotations: this.annotations.all.map((one) => ({ ...one, isShown: shownAnnotations.has(one.id) })),
      hotkey: hotkey && this.endHotkey && showCombo(hotkey),
      isPicking: this.picks.isPicking,
      trouble: this.tracked?.failure?.message ?? this.veto?.message ?? this.trouble,
    };
  }

  /** Turns marks on, read through this session. */
  async turnOn(marks: MarksRequest, openSession: () => OverlaySession): Promise<Result<OverlayStatus>> {
    const surface = await this.open();
    if (!surface.ok) return surface;
    const lack = surface.value.platform.lacks.get("elements");
    if (lack !== undefined) this.shutIfIdle();
    if (lack !== undefined) return fail(lack);
    this.stopTracking();
    this.startTracking(openSession());
    this.marks = marks;
    await this.listen(surface.value.platform, marks.hotkey);
    await this.change();
    const failure = this.tracked?.failure;
    if (failure === undefined) return succeed(this.status);
    this.turnOff();
    return fail(failure);
  }

  /** Removes everything, whichever client drew it. */
  turnOff(): void {
    this.marks = undefined;
    this.trouble = undefined;
    this.annotations.clear();
    this.picks.cancel();
    this.shut();
  }

  async annotate(
    request: AnnotationRequest,
    openSession: () => OverlaySession,
  ): Promise<Result<StoredAnnotation & { isShown: boolean }>> {
    const surface = await this.open();
    if (!surface.ok) return surface;
    const kept = this.annotations.add(request);
    if (!kept.ok) {
      this.shutIfIdle();
      return kept;
    }
    if (this.tracked === undefined) this.startTracking(openSession());
    await this.change();
    return succeed({ ...kept.value, isShown: this.composed.shownAnnotations.has(kept.value.id) });
  }

  /** Returns how many were removed. */
  async clear(isMeant: (one: StoredAnnotation) => boolean): Promise<number> {
    const count = this.annotations.clear(isMeant);
    if (count > 0) await this.change();
    return count;
  }

  /** Shows a text on every monitor until the returned function is called: no client can remove it. */
  async indicate(text: string): Promise<Result<() => void>> {
    const end = this.indicator.add(text);
    const surface = await this.open();
    if (surface.ok) await this.drawing.runNow();
    const remove = (): void => {
      end();
      if (!this.shutIfIdle()) this.drawing.request();
    };
    if (surface.ok) return succeed(remove);
    remove();
    return surface;
  }

  /** The present stacking of surfaces. */
  async readLayout(): Promise<Result<ScreenLayout>> {
    const platform = await this.openPlatform();
    return platform.ok ? readScreenLayout(platform.value) : platform;
  }

  close(): void {
    this.indicator.clear();
    this.turnOff();
    this.picks.close();
    this.composing.close();
    this.drawing.close();
  }

  private startTracking(session: OverlaySession): void {
    this.tracked = new TrackedWindows(session, () => this.composing.request(), this.patience.lostMs);
    this.vetoing = setInterval(() => {
      if ((findVeto(session) === undefined) !== (this.veto === undefined)) this.composing.request();
    }, vetoCheckMs);
  }

  private async change(): Promise<void> {
    if (this.shutIfIdle()) return;
    await this.tracked?.show(this.marks?.query, this.annotations.marks);
    await this.composing.runNow();
    await this.drawing.runNow();
  }

  private async recompose(): Promise<void> {
    if (this.tracked?.failure?.code === "UNAVAILABLE") return this.loseDisplay(this.tracked.failure);
    if (this.opened === undefined || this.tracked === undefined) return;
    this.veto = findVeto(this.tracked.session);
    if (this.veto !== undefined) return this.hide();
    if (
      this.annotations.clear(({ annotation }) => this.tracked?.isLost(marksOf(annotation)) === true) > 0 &&
      this.shutIfIdle()
    )
      return;
    const opened = await this.open();
    if (!opened.ok) return this.loseDisplay(opened.failure);
    const context = await readScreenLayout(opened.value.platform);
    // It may have been turned off meanwhile.
    if (this.shutIfIdle()) return;
    if (!context.ok) return this.loseDisplay(context.failure);
    const known = this.tracked?.known ?? [];
    const view = [...known, ...this.annotations.all];
    const isSame = view.length === this.view.length && view.every((one, at) => one === this.view[at]);
    if (isSame && Bun.deepEquals(context.value, this.layout) && !this.isRenewed) return;
    this.isRenewed = false;
    this.view = view;
    const content = {
      marks: known.flatMap(({ marks }) => marks),
      legible: known.flatMap(({ legible }) => legible),
      anchors: new Map(known.toReversed().flatMap(({ anchors }) => [...anchors])),
      annotations: this.annotations.all,
    };
    this.layout = context.value;
    this.composed = compose(content, this.layout, (text) => opened.value.surface.measure(text));
    this.drawing.request();
  }

  private hide(): void {
    this.composed = nothingComposed;
    this.isRenewed = true;
    this.drawing.request();
  }

  private async draw(): Promise<void> {
    const opened = await this.opened;
    if (opened?.ok !== true) return;
    const { platform, surface } = opened.value;
    const layout = this.indicator.isOn ? await readScreenLayout(platform) : undefined;
    const indicated =
      layout?.ok === true ? this.indicator.draw(layout.value.monitors, (text) => surface.measure(text)) : [];
    const drawings = [...this.composed.drawings, ...this.picks.drawings, ...indicated];
    const text = JSON.stringify(drawings);
    if (text === this.drawn) return;
    this.drawn = text;
    await surface.draw(drawings);
  }

  /** The surface on the current display connection; reopened after the connection was replaced. */
  private open(): Promise<Result<Opened>> {
    // Serialised: the second of two concurrent opens would find the display already taken.
    const next = this.turn.then(() => this.openNow());
    this.turn = next.catch(() => undefined);
    return next;
  }

  private async openNow(): Promise<Result<Opened>> {
    const platform = await this.openPlatform();
    if (!platform.ok) return platform;
    const known = await this.opened;
    if (known?.ok === true && known.value.platform === platform.value) return known;
    if (known?.ok === true) closeSurface(known.value);
    this.drawn = "";
    this.isRenewed = true;
    this.opened = this.openDrawingSurface(platform.value);
    return this.opened;
  }

  private async openDrawingSurface(platform: LivePlatform): Promise<Result<Opened>> {
    const surface = await platform.openDrawingSurface();
    if (!surface.ok) return surface;
    const unsubscribe = surface.value.onRenewed(() => {
      this.drawn = "";
      this.isRenewed = true;
      this.composing.request();
      this.drawing.request();
    });
    return succeed({ platform, surface: surface.value, unsubscribe });
  }

  private async listen(platform: LivePlatform, hotkey: Combo | undefined): Promise<void> {
    this.dropHotkey();
    this.trouble = undefined;
    if (hotkey === undefined) return;
    const listening = await platform.listenForKeys(hotkey, () => {
      const session = this.tracked?.session;
      if (session !== undefined && !this.picks.isBusy) void this.picks.pick(session, { isPersons: true });
    });
    if (listening.ok) {
      // It may have been turned off meanwhile, or on with another hotkey.
      if (this.marks?.hotkey !== hotkey) return listening.value();
      this.dropHotkey();
      this.endHotkey = listening.value;
    } else this.trouble = `${showCombo(hotkey)} does not start a pick: ${listening.failure.message}`;
  }

  /** It is not turned on again automatically: whoever does so knows that it is on. */
  private loseDisplay(failure: Failure): void {
    this.turnOff();
    this.trouble = `it was turned off: ${failure.message}`;
  }

  private dropHotkey(): void {
    this.endHotkey?.();
    this.endHotkey = undefined;
  }

  private shutIfIdle(): boolean {
    if (this.isNeeded) return false;
    this.shut();
    return true;
  }

  private shut(): void {
    this.dropHotkey();
    this.stopTracking();
    this.composed = nothingComposed;
    this.view = [];
    if (this.indicator.isOn) return this.drawing.request();
    const { opened } = this;
    this.opened = undefined;
    this.drawn = "";
    const closing = opened?.then((known) => void (known.ok && closeSurface(known.value))).catch(() => undefined);
    // The next open waits for this close, even if the surface is still being opened.
    if (closing !== undefined) this.turn = Promise.all([this.turn, closing]);
  }

  private stopTracking(): void {
    clearInterval(this.vetoing);
    this.veto = undefined;
    this.tracked?.close();
    this.tracked = undefined;
  }
}

function findVeto({ overlay }: OverlaySession): Failure | undefined {
  return overlay?.rights.findVeto();
}

function closeSurface({ surface, unsubscribe }: Opened): void {
  unsubscribe();
  surface.close();
}
