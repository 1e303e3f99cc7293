import { type Bounds, centreOf, intersect, type Point } from "../../model/bounds.ts";
import type { Picture } from "../../model/frame.ts";
import { unite } from "../../model/region.ts";
import { brightnessAt } from "./boxes.ts";
import { describeLine, type Line, type Word } from "./words.ts";

/** An icon with the words that name it, below or beside it. */
export interface Icon {
  readonly bounds: Bounds;
  readonly label: string;
  readonly confidence: number;
}

/** The picture is examined in cells of so many pixels. */
const cellPx = 4;
/** Brightness, of 255: shadows differ by less, a sheet of paper on white by hardly more. */
const leastDifference = 10;
/** Before scaling. Letters are smaller, photographs larger. */
const sizes = { least: 16, most: 96 } as const;
const mostGapPx = 16;
/** How far the middle of the words may be from that of the icon: a label may have two lines. */
const slackPx = 14;
/** A picture beside more words than this stands beside a sentence. */
const mostWords = 4;
/** Letters of an icon that were taken for words before its label. */
const mostMisread = 2;

/** Letters that an icon is misread for are fewer, or less certain. */
const leastOfText = 0.8;
const leastLetters = 3;
const mostlyShared = 0.7;

interface Labelled {
  readonly icon: Bounds;
  readonly words: readonly Word[];
}

/** Finds icons by their labels; the rest of the lines are texts. */
export function findIcons(
  lines: readonly Line[],
  picture: Picture,
  scale: number,
): { readonly icons: readonly Icon[]; readonly texts: readonly Line[] } {
  const around = new Surroundings(picture, scale);
  const found = new Map<Line, Labelled>();
  for (const line of lines) {
    const labelled = findIcon(around, line, scale);
    if (labelled === undefined || lines.some((one) => one !== line && isWrittenAs(one, labelled))) continue;
    found.set(line, labelled);
  }
  // The lines of one label have one icon.
  const groups = Map.groupBy(found.values(), ({ icon }) => JSON.stringify(icon));
  const icons = [...groups.values()].flatMap((group) => {
    const inOrder = group.toSorted((a, b) => (a.words[0]?.bounds.y ?? 0) - (b.words[0]?.bounds.y ?? 0));
    const { text: label, confidence, bounds } = describeLine(inOrder.flatMap(({ words }) => words));
    const [first] = group;
    return first === undefined ? [] : [{ label, confidence, bounds: unite(first.icon, bounds) }];
  });
  return { icons, texts: lines.filter((line) => !found.has(line)) };
}

/** Whether the supposed icon is a text of its own in the same row, as the entry before this one in a menu bar. */
function isWrittenAs({ text, bounds, confidence }: Line, { icon, words }: Labelled): boolean {
  if (confidence < leastOfText || text.length < leastLetters) return false;
  const shared = intersect(bounds, icon);
  const row = describeLine(words).bounds;
  return (
    shared !== undefined &&
    shared.width >= mostlyShared * icon.width &&
    Math.abs(centreOf(bounds).y - centreOf(row).y) <= row.height / 2
  );
}

function findIcon(around: Surroundings, { words, highlight }: Line, scale: number): Labelled | undefined {
  const isSmall = (icon: Bounds | undefined): icon is Bounds => icon !== undefined && isIcon(icon, scale);
  for (let misread = 0; misread <= mostMisread && misread < words.length; misread += 1) {
    const label = words.slice(misread);
    if (label.length > mostWords) continue;
    const bounds = highlight ?? describeLine(label).bounds;
    const middle = centreOf(bounds);
    const above = misread === 0 ? around.findAbove(bounds) : undefined;
    const isAbove = isSmall(above) && Math.abs(centreOf(above).x - middle.x) <= slackPx * scale;
    if (isAbove) return { icon: above, words: label };
    const left = around.findLeft(bounds);
    const isBeside = isSmall(left) && Math.abs(centreOf(left).y - middle.y) <= slackPx * scale;
    const isInIcon = ({ bounds: word }: Word): boolean => left !== undefined && intersect(word, left) !== undefined;
    if (isBeside && words.slice(0, misread).every(isInIcon)) return { icon: left, words: label };
  }
  return undefined;
}

/** What is drawn around labels: what differs from the colour behind them. */
class Surroundings {
  private readonly width: number;
  private readonly height: number;
  private readonly columns: number;

  constructor(
    private readonly picture: Picture,
    private readonly scale: number,
  ) {
    ({ width: this.width, height: this.height } = picture.bounds);
    this.columns = Math.ceil(this.width / cellPx);
  }

  findAbove(label: Bounds): Bounds | undefined {
    const middle = centreOf(label);
    return this.findFrom(label, (gap, shift) => ({ x: middle.x + shift, y: label.y - gap }), {
      right: this.width,
      bottom: label.y,
    });
  }

  findLeft(label: Bounds): Bounds | undefined {
    const middle = centreOf(label);
    return this.findFrom(label, (gap, shift) => ({ x: label.x - gap, y: middle.y + shift }), {
      right: label.x,
      bottom: this.height,
    });
  }

  /** Searches away from the label until something large enough is drawn. */
  private findFrom(
    label: Bounds,
    placeAt: (gap: number, shift: number) => Point,
    limit: { readonly right: number; readonly bottom: number },
  ): Bounds | undefined {
    for (let gap = cellPx; gap <= mostGapPx * this.scale; gap += cellPx) {
      for (const shift of [0, 1, -1, 2, -2]) {
        const icon = this.takeBlob(placeAt(gap, shift * cellPx), label, limit);
        // The end of a letter may stand out of the recognised word.
        if (icon !== undefined && Math.min(icon.width, icon.height) >= sizes.least * this.scale) return icon;
      }
    }
    return undefined;
  }

  /** What is drawn at a point, with everything that touches it; undefined if nothing is. */
  private takeBlob(
    { x, y }: Point,
    { x: labelX, y: labelY }: Bounds,
    limit: { readonly right: number; readonly bottom: number },
  ): Bounds | undefined {
    const behind = this.colourAt(Math.max(0, labelX - 2), Math.max(0, labelY - 2));
    const most = sizes.most * this.scale;
    const [lastColumn, lastRow] = [Math.floor(limit.right / cellPx) - 1, Math.floor(limit.bottom / cellPx) - 1];
    const indexOf = (column: number, row: number): number | undefined =>
      column >= 0 && row >= 0 && column <= lastColumn && row <= lastRow ? row * this.columns + column : undefined;
    const start = indexOf(Math.floor(x / cellPx), Math.floor(y / cellPx));
    if (start === undefined || !this.isDrawn(start, behind)) return undefined;
    const seen = new Set([start]);
    let [left, right, top, bottom] = [this.width, 0, this.height, 0];
    // A set grows while it is walked.
    for (const at of seen) {
      const [column, row] = [at % this.columns, Math.floor(at / this.columns)];
      [left, right] = [Math.min(left, column * cellPx), Math.max(right, (column + 1) * cellPx)];
      [top, bottom] = [Math.min(top, row * cellPx), Math.max(bottom, (row + 1) * cellPx)];
      if (right - left > most || bottom - top > most) break;
      for (let near = 0; near < 9; near += 1) {
        const next = indexOf(column + (near % 3) - 1, row + Math.floor(near / 3) - 1);
        if (next !== undefined && !seen.has(next) && this.isDrawn(next, behind)) seen.add(next);
      }
    }
    return { x: left, y: top, width: right - left, height: bottom - top };
  }

  private isDrawn(cell: number, behind: number): boolean {
    const [left, top] = [(cell % this.columns) * cellPx, Math.floor(cell / this.columns) * cellPx];
    for (let y = top; y < Math.min(this.height, top + cellPx); y += 1) {
      for (let x = left; x < Math.min(this.width, left + cellPx); x += 1) {
        if (Math.abs(this.colourAt(x, y) - behind) >= leastDifference) return true;
      }
    }
    return false;
  }

  private colourAt(x: number, y: number): number {
    return brightnessAt(this.picture.pixels, (y * this.width + x) * 4);
  }
}

function isIcon({ width, height }: Bounds, scale: number): boolean {
  const [small, large] = [Math.min(width, height), Math.max(width, height)];
  return small >= sizes.least * scale && large <= sizes.most * scale && large <= 2 * small;
}
