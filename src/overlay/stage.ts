import type { ReadWish } from "../desktop.ts";
import { type Failure, fail, type Result, succeed } from "../model/failure.ts";
import { type Combo, showCombo } from "../model/keys.ts";
import type { LivePlatform, Sheet } from "../platform/port.ts";
import { marksOf } from "./annotation.ts";
import { type Composed, compose } from "./compose.ts";
import { type KeptNote, Notes, type NoteWish } from "./notes.ts";
import { PickDesk } from "./pick-desk.ts";
import { Rounds } from "./rounds.ts";
import { Scene } from "./scene.ts";
import type { Scenery } from "./sight.ts";
import type { OverlaySource } from "./source.ts";

export interface StageStatus {
  readonly isOn: boolean;
  /** Who turned it on. */
  readonly client: string | undefined;
  readonly markCount: number;
  readonly leftOut: number;
  readonly notes: readonly (KeptNote & { readonly isShown: boolean })[];
  readonly hotkey: string | undefined;
  readonly isPicking: boolean;
  /** Why less is drawn than was asked for. */
  readonly trouble: string | undefined;
}

export interface MarksWish {
  readonly wish: ReadWish;
  /** What enters pick mode; none where it is undefined. */
  readonly hotkey: Combo | undefined;
}

interface Opened {
  readonly platform: LivePlatform;
  readonly sheet: Sheet;
  readonly unsubscribe: () => void;
}

/** A person who is asked something does not see for longer what a client has drawn. */
const vetoCheckMs = 100;

const nothingComposed: Composed = { drawings: [], markCount: 0, leftOut: 0, shownNotes: new Set() };

/** What is drawn over the screen, for all clients of a process: marks, annotations, and what a person picks. */
export class Stage {
  private marks: MarksWish | undefined;
  private scene: Scene | undefined;
  private readonly notes = new Notes(() => void this.change());
  readonly picks = new PickDesk({
    open: () => this.open(),
    listMonitors: async (platform) => {
      const around = await lookAround(platform);
      return around.ok ? succeed(around.value.monitors) : around;
    },
    redraw: () => this.drawing.ask(),
    onEnd: () => this.shutIfIdle(),
  });
  private opened: Promise<Result<Opened>> | undefined;
  private turn: Promise<unknown> = Promise.resolve();
  private scenery: Scenery = { layers: [], monitors: [] };
  /** What the last was composed of. */
  private view: readonly unknown[] = [];
  private isRenewed = false;
  private composed = nothingComposed;
  private drawn = "";
  private endHotkey: (() => void) | undefined;
  private trouble: string | undefined;
  /** Why nothing is drawn though it was asked for. */
  private veto: Failure | undefined;
  private vetoing: Timer | undefined;
  private readonly composing = new Rounds(() => this.recompose());
  private readonly drawing = new Rounds(() => this.draw());

  constructor(
    private readonly openPlatform: () => Promise<Result<LivePlatform>>,
    /** An annotation ends when its application has had no window for so long. */
    private readonly patience = { lostMs: 60_000 },
  ) {}

  /** Whether somebody would miss it. */
  get isNeeded(): boolean {
    return this.marks !== undefined || this.notes.all.length > 0 || this.picks.isBusy;
  }

  get status(): StageStatus {
    const { markCount, leftOut, shownNotes } = this.composed;
    const { hotkey } = this.marks ?? {};
    return {
      isOn: this.marks !== undefined,
      client: this.marks && this.scene?.clientName,
      markCount,
      leftOut,
      notes: this.notes.all.map((one) => ({ ...one, isShown: shownNotes.has(one.id) })),
      hotkey: hotkey && this.endHotkey && showCombo(hotkey),
      isPicking: this.picks.isPicking,
      trouble: this.scene?.failure?.message ?? this.veto?.message ?? this.trouble,
    };
  }

  /** Draws marks, by this source from now on. */
  async turnOn(marks: MarksWish, openSource: () => OverlaySource): Promise<Result<StageStatus>> {
    const sheet = await this.open();
    if (!sheet.ok) return sheet;
    this.closeScene();
    this.openScene(openSource());
    this.marks = marks;
    await this.listen(sheet.value.platform, marks.hotkey);
    await this.change();
    const failure = this.scene?.failure;
    if (failure === undefined) return succeed(this.status);
    this.turnOff();
    return fail(failure);
  }

  /** Everything is taken away, whoever has drawn it. */
  turnOff(): void {
    this.marks = undefined;
    this.trouble = undefined;
    this.notes.clear();
    this.picks.cancel();
    this.shut();
  }

  async annotate(note: NoteWish, openSource: () => OverlaySource): Promise<Result<KeptNote & { isShown: boolean }>> {
    const sheet = await this.open();
    if (!sheet.ok) return sheet;
    const kept = this.notes.add(note);
    if (!kept.ok) {
      this.shutIfIdle();
      return kept;
    }
    if (this.scene === undefined) this.openScene(openSource());
    await this.change();
    return succeed({ ...kept.value, isShown: this.composed.shownNotes.has(kept.value.id) });
  }

  /** How many annotations there were. */
  async clear(isMeant: (note: KeptNote) => boolean): Promise<number> {
    const count = this.notes.clear(isMeant);
    if (count > 0) await this.change();
    return count;
  }

  /** What lies over what now. */
  async look(): Promise<Result<Scenery>> {
    const platform = await this.openPlatform();
    return platform.ok ? lookAround(platform.value) : platform;
  }

  close(): void {
    this.turnOff();
    this.picks.close();
    this.composing.close();
    this.drawing.close();
  }

  private openScene(source: OverlaySource): void {
    this.scene = new Scene(source, () => this.composing.ask(), this.patience.lostMs);
    this.vetoing = setInterval(() => {
      if ((findVeto(source) === undefined) !== (this.veto === undefined)) this.composing.ask();
    }, vetoCheckMs);
  }

  /** Something else is to be drawn than before. */
  private async change(): Promise<void> {
    if (this.shutIfIdle()) return;
    await this.scene?.show(this.marks?.wish, this.notes.marks);
    await this.composing.finish();
    await this.drawing.finish();
  }

  private async recompose(): Promise<void> {
    if (this.scene?.failure?.code === "UNAVAILABLE") return this.loseDisplay(this.scene.failure);
    if (this.opened === undefined || this.scene === undefined) return;
    this.veto = findVeto(this.scene.source);
    if (this.veto !== undefined) return this.hide();
    if (this.notes.clear(({ annotation }) => this.scene?.isLost(marksOf(annotation)) === true) > 0 && this.shutIfIdle())
      return;
    const opened = await this.open();
    if (!opened.ok) return this.loseDisplay(opened.failure);
    const around = await lookAround(opened.value.platform);
    // Somebody may have turned it off meanwhile.
    if (this.shutIfIdle()) return;
    if (!around.ok) return this.loseDisplay(around.failure);
    const known = this.scene?.known ?? [];
    const view = [...known, ...this.notes.all];
    const isSame = view.length === this.view.length && view.every((one, at) => one === this.view[at]);
    if (isSame && Bun.deepEquals(around.value, this.scenery) && !this.isRenewed) return;
    this.isRenewed = false;
    this.view = view;
    const stock = {
      marks: known.flatMap(({ marks }) => marks),
      anchors: new Map(known.toReversed().flatMap(({ anchors }) => [...anchors])),
      notes: this.notes.all,
    };
    this.scenery = around.value;
    this.composed = compose(stock, this.scenery, (text) => opened.value.sheet.measure(text));
    this.drawing.ask();
  }

  private hide(): void {
    this.composed = nothingComposed;
    this.isRenewed = true;
    this.drawing.ask();
  }

  private async draw(): Promise<void> {
    const opened = await this.opened;
    if (opened?.ok !== true) return;
    const drawings = [...this.composed.drawings, ...this.picks.drawings];
    const text = JSON.stringify(drawings);
    if (text === this.drawn) return;
    this.drawn = text;
    await opened.value.sheet.draw(drawings);
  }

  /** The sheet on the display as it is now; one on a connection that was given up is made anew. */
  private open(): Promise<Result<Opened>> {
    // One after the other: of two that open at once, the second would find the first in its way.
    const next = this.turn.then(() => this.openNow());
    this.turn = next.catch(() => undefined);
    return next;
  }

  private async openNow(): Promise<Result<Opened>> {
    const platform = await this.openPlatform();
    if (!platform.ok) return platform;
    const known = await this.opened;
    if (known?.ok === true && known.value.platform === platform.value) return known;
    if (known?.ok === true) closeSheet(known.value);
    this.drawn = "";
    this.isRenewed = true;
    this.opened = this.openSheet(platform.value);
    return this.opened;
  }

  private async openSheet(platform: LivePlatform): Promise<Result<Opened>> {
    const sheet = await platform.openSheet();
    if (!sheet.ok) return sheet;
    const unsubscribe = sheet.value.onRenewed(() => {
      this.drawn = "";
      this.isRenewed = true;
      this.composing.ask();
    });
    return succeed({ platform, sheet: sheet.value, unsubscribe });
  }

  private async listen(platform: LivePlatform, hotkey: Combo | undefined): Promise<void> {
    this.dropHotkey();
    this.trouble = undefined;
    if (hotkey === undefined) return;
    const listening = await platform.listenForKeys(hotkey, () => {
      const source = this.scene?.source;
      if (source !== undefined && !this.picks.isBusy) void this.picks.pick(source, { isPersons: true });
    });
    if (listening.ok) {
      // Somebody may have turned it off meanwhile, or on with other keys.
      if (this.marks?.hotkey !== hotkey) return listening.value();
      this.dropHotkey();
      this.endHotkey = listening.value;
    } else this.trouble = `${showCombo(hotkey)} does not enter pick mode: ${listening.failure.message}`;
  }

  /** It does not come back by itself: who turns it on again sees that it is on. */
  private loseDisplay(failure: Failure): void {
    this.turnOff();
    this.trouble = `it went off by itself: ${failure.message}`;
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
    this.closeScene();
    const { opened } = this;
    this.opened = undefined;
    this.composed = nothingComposed;
    this.view = [];
    this.drawn = "";
    const closing = opened?.then((known) => void (known.ok && closeSheet(known.value))).catch(() => undefined);
    // The next is opened when this is closed, even if it is only being opened now.
    if (closing !== undefined) this.turn = Promise.all([this.turn, closing]);
  }

  private closeScene(): void {
    clearInterval(this.vetoing);
    this.veto = undefined;
    this.scene?.close();
    this.scene = undefined;
  }
}

async function lookAround(platform: LivePlatform): Promise<Result<Scenery>> {
  const [layers, list] = await Promise.all([platform.listLayers(), platform.listWindows()]);
  if (!layers.ok) return layers;
  if (!list.ok) return list;
  return succeed({ layers: layers.value, monitors: list.value.monitors.map(({ bounds }) => bounds) });
}

function findVeto({ overlay }: OverlaySource): Failure | undefined {
  return overlay?.rights.findVeto();
}

function closeSheet({ sheet, unsubscribe }: Opened): void {
  unsubscribe();
  sheet.close();
}
