import type { Point, Size } from "./bounds.ts";

/** Enough for any outline around a control. */
export const maxPathLength = 4000;
/** More segments take too long to draw. */
const maxPieces = 500;
const farthest = 1e6;
/** How far a path may extend beyond its box, in box sizes. */
const reach = 4;

/** Upper bounds of a path's extent and length. */
export interface Extent {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly length: number;
}

/** How many numbers each command takes (SVG 2, "Path data"). */
const counts: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };
const gap = /[\t\n\r ,]*/y;
const command = /[A-Za-z]/y;
const numeral = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
/** Arc flags may be written without separators: `a5 5 0 0110 10`. */
const flag = /[01]/y;
const arcFlags = [3, 4];

/** Measures SVG path data; returns a message if it is invalid or too long. */
export function measurePath(text: string): Extent | string {
  if (text.length > maxPathLength) return `it is longer than ${maxPathLength} characters`;
  if (!/^\s*[Mm]/.test(text)) return "it does not start with M";
  const pen = new Pen();
  let at = 0;
  const take = (what: RegExp): string | undefined => {
    gap.lastIndex = at;
    gap.exec(text);
    at = gap.lastIndex;
    what.lastIndex = at;
    const [found] = what.exec(text) ?? [];
    if (found !== undefined) at = what.lastIndex;
    return found;
  };
  let letter = "";
  for (let pieces = 0; pieces <= maxPieces; pieces += 1) {
    const next = take(command);
    if (next === undefined && at >= text.length) return pen.extent;
    // Further coordinates after M mean L.
    letter = next ?? ({ M: "L", m: "l" }[letter] || letter);
    const count = counts[letter.toUpperCase()];
    if (count === undefined) return `unknown command ${letter}`;
    const numbers: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const isFlag = letter.toUpperCase() === "A" && arcFlags.includes(index);
      const found = take(isFlag ? flag : numeral);
      if (found === undefined) return describeMissing(text.slice(at), letter, count, isFlag);
      if (!(Math.abs(Number(found)) <= farthest)) return `${found} is too far away`;
      numbers.push(Number(found));
    }
    if (count === 0 && next === undefined) return describeMissing(text.slice(at), letter, count, false);
    pen.move(letter, numbers);
  }
  return `it has more than ${maxPieces} pieces`;
}

export function isNearBox({ left, top, right, bottom }: Extent, { width, height }: Size): boolean {
  const [beyondX, beyondY] = [reach * width, reach * height];
  return left >= -beyondX && top >= -beyondY && right <= width + beyondX && bottom <= height + beyondY;
}

/** Why a path is invalid for a box of this size; undefined if it is valid. */
export function findPathTrouble(path: string, size: Size): string | undefined {
  const extent = measurePath(path);
  if (typeof extent === "string") return extent;
  return isNearBox(extent, size) ? undefined : `it extends more than ${reach} times its box beyond it`;
}

function describeMissing(rest: string, letter: string, count: number, isFlag: boolean): string {
  if (!/^([A-Za-z\d.+-]|$)/.test(rest)) return `unexpected "${rest.slice(0, 10).trim()}"`;
  if (isFlag && /^\d/.test(rest)) return "the fourth and fifth number of an arc are 0 or 1";
  return `${letter} takes ${count} numbers, or as many again`;
}

/** Follows a path through its control points. */
class Pen {
  private at: Point = { x: 0, y: 0 };
  private start: Point = { x: 0, y: 0 };
  /** The last control point, and the commands it applies to. */
  private bend: { readonly of: string; readonly point: Point } | undefined;
  private bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  private length = 0;

  get extent(): Extent {
    return { ...this.bounds, length: this.length };
  }

  move(letter: string, numbers: readonly number[]): void {
    const kind = letter.toUpperCase();
    const from = letter === kind ? { x: 0, y: 0 } : this.at;
    const [first = 0] = numbers;
    if (kind === "Z") return this.go([this.start]);
    if (kind === "H") return this.go([{ x: from.x + first, y: this.at.y }]);
    if (kind === "V") return this.go([{ x: this.at.x, y: from.y + first }]);
    const points = pairUp(kind === "A" ? numbers.slice(5) : numbers, from);
    if (kind === "A") return this.goRound(numbers, points[0] ?? this.at);
    if (kind === "M") return this.lift(points[0] ?? this.at);
    const family = "CS".includes(kind) ? "C" : "Q";
    if (kind === "S" || kind === "T") points.unshift(this.mirror(family));
    this.go(points);
    if (kind !== "L") this.bend = { of: family, point: points.at(-2) ?? this.at };
  }

  private lift(to: Point): void {
    this.at = to;
    this.start = to;
    this.bend = undefined;
    this.widen(to, 0);
  }

  private go(points: readonly Point[]): void {
    this.bend = undefined;
    for (const point of points) {
      this.length += Math.hypot(point.x - this.at.x, point.y - this.at.y);
      this.widen(point, 0);
      this.at = point;
    }
  }

  /** An ellipse too small for its end points is scaled up (SVG 2). */
  private goRound([rx = 0, ry = 0]: readonly number[], to: Point): void {
    const radius = Math.max(Math.abs(rx), Math.abs(ry), Math.hypot(to.x - this.at.x, to.y - this.at.y));
    this.widen(this.at, 2 * radius);
    this.widen(to, 2 * radius);
    this.length += 2 * Math.PI * radius;
    this.at = to;
    this.bend = undefined;
  }

  private mirror(family: string): Point {
    const { at, bend } = this;
    return bend?.of === family ? { x: 2 * at.x - bend.point.x, y: 2 * at.y - bend.point.y } : at;
  }

  private widen({ x, y }: Point, by: number): void {
    const { left, top, right, bottom } = this.bounds;
    this.bounds = {
      left: Math.min(left, x - by),
      top: Math.min(top, y - by),
      right: Math.max(right, x + by),
      bottom: Math.max(bottom, y + by),
    };
  }
}

function pairUp(numbers: readonly number[], from: Point): Point[] {
  const points: Point[] = [];
  for (let at = 0; at + 1 < numbers.length; at += 2) {
    points.push({ x: from.x + (numbers[at] ?? 0), y: from.y + (numbers[at + 1] ?? 0) });
  }
  return points;
}
