import { type Bounds, intersect } from "../../../../model/bounds.ts";
import type { Drawing } from "../../../../model/drawing.ts";
import type { XConnection } from "../connection.ts";
import {
  addBounding,
  changeNumbers,
  changeTextProperty,
  clearArea,
  createColormap,
  createGc,
  createPixmap,
  createWindow,
  destroyWindow,
  emptyInput,
  endClip,
  eventMask,
  fillRectangles,
  freeGc,
  freePixmap,
  mapWindow,
  maxRectangles,
  setBounding,
  setClip,
  setForeground,
} from "../wire.ts";
import { type DrawTarget, type Piece, PieceMaker } from "./pieces.ts";
import type { Renderer } from "./render.ts";

/**
 * A compositor shows drawings late and erased content longer: for this time the window keeps the shape of erased
 * content, so that pictures without the window exclude it too.
 */
const lagMs = 1500;
/** With more places, redrawing everything is cheaper. */
const maxClips = 300;
const maxShown = 32;
/** A shape with more rectangles takes the server too long. */
const maxPlaces = 4 * maxRectangles;

interface DrawnPiece {
  readonly drawing: Drawing;
  readonly content: string;
  readonly piece: Piece;
}

export interface SurfaceWindowOptions {
  readonly x: XConnection;
  readonly renderer: Renderer;
  readonly screen: Bounds;
  readonly isComposited: boolean;
  readonly shapeOpcode: number;
}

const tilePx = 16;

/** Recently erased places, in tiles of the screen: moving drawings leave a trail, and tiles bound its size. */
export class Erased {
  private readonly untilMs = new Map<number, number>();
  private readonly columns: number;

  constructor(private readonly screen: Bounds) {
    this.columns = Math.ceil(screen.width / tilePx);
  }

  get isEmpty(): boolean {
    return this.untilMs.size === 0;
  }

  add(places: readonly Bounds[], untilMs: number): void {
    for (const place of places) {
      const seen = intersect(place, this.screen);
      if (seen === undefined) continue;
      const [left, right] = [Math.floor(seen.x / tilePx), Math.floor((seen.x + seen.width - 1) / tilePx)];
      const [top, bottom] = [Math.floor(seen.y / tilePx), Math.floor((seen.y + seen.height - 1) / tilePx)];
      for (let row = top; row <= bottom; row += 1) {
        for (let column = left; column <= right; column += 1) this.untilMs.set(row * this.columns + column, untilMs);
      }
    }
  }

  forget(nowMs: number): void {
    for (const [tile, untilMs] of this.untilMs) if (untilMs <= nowMs) this.untilMs.delete(tile);
  }

  /** Adjacent tiles are merged. */
  list(): Bounds[] {
    const runs: Bounds[] = [];
    let last = { tile: Number.NaN, run: { x: 0, y: 0, width: 0, height: tilePx } };
    for (const tile of [...this.untilMs.keys()].sort((a, b) => a - b)) {
      const isNext = tile === last.tile + 1 && tile % this.columns !== 0;
      const place = { x: (tile % this.columns) * tilePx, y: Math.floor(tile / this.columns) * tilePx, height: tilePx };
      const run = isNext ? { ...last.run, width: last.run.width + tilePx } : { ...place, width: tilePx };
      if (isNext) runs.pop();
      runs.push(run);
      last = { tile, run };
    }
    return runs;
  }
}

/**
 * One window over the whole screen that shows the drawings and is transparent elsewhere: with an alpha channel if there
 * is a compositor, else shaped along the drawings. Its background is a pixmap, which is drawn to first: the server
 * paints exposed places by itself, and nothing is ever shown half drawn.
 */
export class SurfaceWindow {
  private made = new Map<string, DrawnPiece>();
  private readonly erased: Erased;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly maker: PieceMaker;

  private constructor(
    readonly id: number,
    private readonly options: SurfaceWindowOptions,
    private readonly target: DrawTarget,
  ) {
    this.maker = new PieceMaker(options.renderer, target, options.isComposited);
    this.erased = new Erased(options.screen);
  }

  static async open(options: SurfaceWindowOptions): Promise<SurfaceWindow> {
    const { x, screen, isComposited, shapeOpcode } = options;
    const visual = findVisual(x, isComposited);
    const depth = x.server.visuals.get(visual)?.depth ?? 24;
    const [id, colormap, pixmap, gc] = [x.allotId(), x.allotId(), x.allotId(), x.allotId()];
    const names = ["WM_CLASS", "WM_NAME", "ATOM", "CARDINAL", "_COMPTON_SHADOW"] as const;
    const types = ["_NET_WM_WINDOW_TYPE", "_NET_WM_WINDOW_TYPE_DND"] as const;
    const atoms = await x.internAtoms([...names, ...types]);
    await x.sendAll([
      createPixmap(pixmap, x.root, depth, screen),
      createGc(gc, pixmap),
      setForeground(gc, 0),
      fillRectangles(pixmap, gc, [screen]),
      createColormap(colormap, x.root, visual),
      createWindow(id, x.root, screen, eventMask.structure, { depth, visual, colormap, pixmap }),
      setBounding(shapeOpcode, id, []),
      emptyInput(shapeOpcode, id),
      changeTextProperty(id, atoms.WM_CLASS, "deskmap-surface\0Deskmap-surface\0"),
      changeTextProperty(id, atoms.WM_NAME, "Deskmap surface"),
      // Compositors draw no shadow for drag icons.
      changeNumbers(id, atoms._NET_WM_WINDOW_TYPE, atoms.ATOM, [atoms._NET_WM_WINDOW_TYPE_DND]),
      changeNumbers(id, atoms._COMPTON_SHADOW, atoms.CARDINAL, [0]),
      mapWindow(id),
    ]);
    const target = { root: x.root, gc, pixmap, depth, screen, allotId: () => x.allotId() };
    return new SurfaceWindow(id, options, target);
  }

  /** Unchanged drawings are not touched. */
  async draw(drawings: readonly Drawing[]): Promise<void> {
    const wanted = new Map(drawings.map((drawing) => [drawing.key, { drawing, content: JSON.stringify(drawing) }]));
    const forgotten = this.maker.forgetTags();
    const isKept = (key: string, content: string, kind: Drawing["kind"]): boolean =>
      this.made.get(key)?.content === content &&
      wanted.get(key)?.content === content &&
      !(kind === "tag" && forgotten.length > 0);
    const fresh = [...wanted].filter(([key, { content, drawing }]) => !isKept(key, content, drawing.kind));
    const gone = [...this.made].flatMap(([key, one]) => (isKept(key, one.content, one.drawing.kind) ? [] : [one]));
    if (fresh.length === 0 && gone.length === 0) return;
    const { before, pieces } = this.maker.make(fresh.map(([, { drawing }]) => drawing));
    const freshPieces = new Map(fresh.map(([key], index) => [key, pieces[index] ?? { places: [], requests: [] }]));
    const made = new Map<string, DrawnPiece>();
    for (const [key, { drawing, content }] of wanted) {
      const piece = freshPieces.get(key) ?? this.made.get(key)?.piece;
      if (piece !== undefined) made.set(key, { drawing, content, piece });
    }
    this.made = made;
    const old = gone.flatMap(({ piece }) => piece.places);
    const damaged = [...old, ...pieces.flatMap(({ places }) => places)];
    // The server paints newly exposed places; those already visible are painted afterwards.
    const requests = [...forgotten, ...before, ...this.repaint(damaged), ...this.reshape(old), ...this.show(damaged)];
    for (const { piece } of gone) if (piece.pixmap !== undefined) requests.push(freePixmap(piece.pixmap));
    await this.options.x.sendAll(requests);
  }

  /** Frees everything. */
  destroy(): Buffer[] {
    clearTimeout(this.timer);
    const kept = [...this.made.values()].flatMap(({ piece }) => piece.pixmap ?? []);
    return [destroyWindow(this.id), ...kept.map(freePixmap), freePixmap(this.target.pixmap), freeGc(this.target.gc)];
  }

  private repaint(damaged: readonly Bounds[]): Buffer[] {
    const { gc, pixmap } = this.target;
    if (damaged.length === 0) return [];
    const isClipped = damaged.length <= maxClips;
    const all = [...this.made.values()].map(({ piece }) => piece);
    const touched = isClipped
      ? all.filter(({ places }) => places.some((one) => damaged.some((other) => intersect(one, other) !== undefined)))
      : all;
    return [
      ...(isClipped ? [setClip(gc, damaged)] : []),
      setForeground(gc, 0),
      ...chunk(damaged).map((places) => fillRectangles(pixmap, gc, places)),
      ...touched.flatMap(({ requests }) => requests),
      ...(isClipped ? [endClip(gc)] : []),
    ];
  }

  private show(damaged: readonly Bounds[]): Buffer[] {
    // Each place is clipped to the whole shape: with many, the whole window is painted at once.
    const places = damaged.length <= maxShown ? damaged : [this.options.screen];
    return places.map((place) => clearArea(this.id, place));
  }

  private reshape(old: readonly Bounds[]): Buffer[] {
    const { isComposited, shapeOpcode, screen } = this.options;
    if (isComposited && old.length > 0) {
      this.erased.add(old, performance.now() + lagMs);
      this.forgetLater();
    }
    const drawn = [...this.made.values()].flatMap(({ piece }) => piece.places);
    const places = [...drawn, ...this.erased.list()];
    if (isComposited && places.length > maxRectangles) return [setBounding(shapeOpcode, this.id, [screen])];
    // Without alpha, undrawn places inside the shape are black: the excess is left out.
    const [first = [], ...others] = chunk(places.slice(0, maxPlaces));
    return [setBounding(shapeOpcode, this.id, first), ...others.map((more) => addBounding(shapeOpcode, this.id, more))];
  }

  private forgetLater(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.erased.forget(performance.now());
      if (!this.erased.isEmpty) this.forgetLater();
      // The window may be gone with its display.
      this.options.x.sendAll(this.reshape([])).catch(() => undefined);
    }, lagMs);
    this.timer.unref();
  }
}

function chunk(places: readonly Bounds[]): Bounds[][] {
  const parts: Bounds[][] = [];
  for (let at = 0; at < places.length; at += maxRectangles) parts.push(places.slice(at, at + maxRectangles));
  return parts;
}

/** The visual with alpha in the usual channel order; else the screen's. */
function findVisual(x: XConnection, hasAlpha: boolean): number {
  if (!hasAlpha) return x.server.rootVisual;
  const found = [...x.server.visuals].find(
    ([, { depth, red, green, blue }]) => depth === 32 && red === 0xff0000 && green === 0xff00 && blue === 0xff,
  );
  return found?.[0] ?? x.server.rootVisual;
}

export function hasAlphaVisual(x: XConnection): boolean {
  return x.server.visuals.get(findVisual(x, true))?.depth === 32;
}
