import type { Bounds } from "../model/bounds.ts";

/** A rectangle by its edges: comparisons need less arithmetic. */
export interface Edges {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly area: number;
}

export function edgesOf({ x, y, width, height }: Bounds): Edges {
  return { left: x, top: y, right: x + width, bottom: y + height, area: Math.max(1, width * height) };
}

export function sharedArea(one: Edges, other: Edges): number {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  if (width <= 0) return 0;
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return height <= 0 ? 0 : width * height;
}

export function holds(outer: Edges, inner: Edges): boolean {
  return (
    outer.left <= inner.left && outer.top <= inner.top && outer.right >= inner.right && outer.bottom >= inner.bottom
  );
}

const cellPx = 64;
/** Rectangles covering more cells are kept in a separate list: they are few and lie behind the rest. */
const manyCells = 48;

interface Member {
  readonly edges: Edges;
  /** The last search that found it. */
  search: number;
}

export class SpatialIndex {
  readonly #cells = new Map<number, Member[]>();
  readonly #large: Edges[] = [];
  #search = 0;

  add(edges: Edges): void {
    if (countCells(edges) > manyCells) {
      this.#large.push(edges);
      return;
    }
    const member = { edges, search: 0 };
    forEachCell(edges, (key) => {
      const cell = this.#cells.get(key);
      if (cell === undefined) this.#cells.set(key, [member]);
      else cell.push(member);
    });
  }

  /** The small rectangles that intersect an area. */
  find(part: Edges): Edges[] {
    this.#search += 1;
    const found: Edges[] = [];
    forEachCell(part, (key) => {
      const cell = this.#cells.get(key);
      if (cell === undefined) return;
      for (const member of cell) {
        if (member.search === this.#search) continue;
        member.search = this.#search;
        if (sharedArea(member.edges, part) > 0) found.push(member.edges);
      }
    });
    return found;
  }

  findLarge(part: Edges): Edges[] {
    return this.#large.filter((one) => sharedArea(one, part) > 0);
  }
}

export function isWide(edges: Edges): boolean {
  return countCells(edges) > manyCells;
}

function countCells({ left, top, right, bottom }: Edges): number {
  const columns = Math.floor((right - 1) / cellPx) - Math.floor(left / cellPx) + 1;
  return columns * (Math.floor((bottom - 1) / cellPx) - Math.floor(top / cellPx) + 1);
}

function forEachCell({ left, top, right, bottom }: Edges, visit: (key: number) => void): void {
  const [firstColumn, lastColumn] = [Math.floor(left / cellPx), Math.floor((right - 1) / cellPx)];
  const lastRow = Math.floor((bottom - 1) / cellPx);
  for (let row = Math.floor(top / cellPx); row <= lastRow; row += 1) {
    for (let column = firstColumn; column <= lastColumn; column += 1) visit(keyOf(column, row));
  }
}

/** Columns and rows stay far below these offsets, even left of and above the first monitor. */
function keyOf(column: number, row: number): number {
  return (column + 0x8000) * 0x10000 + row + 0x8000;
}
