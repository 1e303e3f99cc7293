import type { Bounds } from "../../model/bounds.ts";

/** A recognised word, in pixels of the given image. */
export interface Word {
  readonly text: string;
  /** From 0 to 1. */
  readonly confidence: number;
  readonly bounds: Bounds;
}

export interface Line {
  readonly words: readonly Word[];
  readonly text: string;
  readonly confidence: number;
  readonly bounds: Bounds;
  /** The coloured area behind it, as of a selected label. */
  readonly highlight?: Bounds;
}

/**
 * Columns of Tesseract's TSV: level, page, block, paragraph, line, word, left, top, width, height, confidence, text.
 */
const columns = { level: 0, left: 6, top: 7, width: 8, height: 9, confidence: 10, text: 11 } as const;
const wordLevel = "5";
const maxWords = 5000;
const maxWordLength = 200;
/** Below this most words are borders and icons. */
const leastConfidence = 0.3;

/** Parses Tesseract's TSV; `factor` is how much the image was enlarged. */
export function parseTable(table: string, factor: number): Word[] {
  const words: Word[] = [];
  for (const line of table.split("\n")) {
    const cells = line.split("\t");
    if (cells[columns.level] !== wordLevel) continue;
    const text = (cells[columns.text] ?? "").trim().slice(0, maxWordLength);
    const [x = 0, y = 0, width = 0, height = 0, percent = -1] = [
      columns.left,
      columns.top,
      columns.width,
      columns.height,
      columns.confidence,
    ].map((at) => Number(cells[at]));
    const confidence = Math.min(1, percent / 100);
    const isWhole = [x, y, width, height].every(Number.isInteger) && width > 0 && height > 0;
    if (!isWhole || text === "" || !(confidence >= leastConfidence)) continue;
    words.push({ text, confidence, bounds: shrink({ x, y, width, height }, factor) });
    if (words.length === maxWords) break;
  }
  return words;
}

function shrink({ x, y, width, height }: Bounds, factor: number): Bounds {
  const [left, top] = [Math.floor(x / factor), Math.floor(y / factor)];
  return {
    x: left,
    y: top,
    width: Math.ceil((x + width) / factor) - left,
    height: Math.ceil((y + height) / factor) - top,
  };
}

/** Maximum gap between words of a line, relative to their height; most menu entries are farther apart. */
const widestGap = 0.9;
/** No space in a text is so wide. If all are in a line of several words, it is a menu bar of GTK 2. */
const menuGap = 0.7;
const leastEntries = 3;
const sharedHeight = 0.5;

export function joinWords(words: readonly Word[]): Line[] {
  const lines: Word[][] = [];
  for (const word of words.toSorted((a, b) => a.bounds.x - b.bounds.x || a.bounds.y - b.bounds.y)) {
    const line = lines.find((one) => follows(one, word));
    if (line === undefined) lines.push([word]);
    else line.push(word);
  }
  return lines
    .flatMap(splitMenu)
    .map(describeLine)
    .sort((a, b) => compareReading(a.bounds, b.bounds));
}

function follows(line: readonly Word[], { bounds }: Word): boolean {
  const last = line.at(-1)?.bounds;
  if (last === undefined) return false;
  const shared = Math.min(last.y + last.height, bounds.y + bounds.height) - Math.max(last.y, bounds.y);
  const isBeside = shared >= sharedHeight * Math.min(last.height, bounds.height);
  const tallest = Math.max(...line.map((word) => word.bounds.height), bounds.height);
  const distance = bounds.x - (last.x + last.width);
  return isBeside && distance <= widestGap * tallest && distance > -tallest;
}

function splitMenu(line: Word[]): Word[][] {
  const gaps = line.slice(1).map(({ bounds }, at) => {
    const before = line[at]?.bounds ?? bounds;
    // The lower one: an icon above a word may have been taken for a part of it.
    return (bounds.x - before.x - before.width) / Math.min(bounds.height, before.height);
  });
  return line.length >= leastEntries && gaps.every((gap) => gap >= menuGap) ? line.map((word) => [word]) : [line];
}

export function describeLine(words: readonly Word[]): Line {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  return {
    words,
    text: words.map(({ text }) => text).join(" "),
    confidence: words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / letters,
    bounds: surround(words.map(({ bounds }) => bounds)),
  };
}

function surround(places: readonly Bounds[]): Bounds {
  const x = Math.min(...places.map((place) => place.x));
  const y = Math.min(...places.map((place) => place.y));
  return {
    x,
    y,
    width: Math.max(...places.map((place) => place.x + place.width)) - x,
    height: Math.max(...places.map((place) => place.y + place.height)) - y,
  };
}

/** Top to bottom, then left to right. */
export function compareReading(a: Bounds, b: Bounds): number {
  return a.y - b.y || a.x - b.x || a.width - b.width;
}
