import { type Bounds, intersect } from "../../../../model/bounds.ts";

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
