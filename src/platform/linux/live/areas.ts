import { type Bounds, intersect } from "../../../model/bounds.ts";
import { unite } from "../../../model/region.ts";
import type { DrawnArea } from "../../port.ts";

/** More areas than this are merged. */
const maxAreas = 16;
/** Granularity, in pixels, of the places where something keeps moving. */
const grain = 64;
const maxPlaces = 500;
/** First pause for an area that is redrawn without changes. */
const firstRestMs = 30;
/** How many futile redraws are allowed first: a pressed button is drawn before it acts. */
const patience = 3;
const longestRestMs = 240;

type Drawn = Pick<DrawnArea, "bounds" | "sinceMs">;

interface Unrest {
  rests: number;
  lastAtMs: number;
}

/** Where something was drawn, and when to reread: endless animations are reread rarely. */
export class Areas {
  private areas: Bounds[] = [];
  private sinceMs = 0;
  /** What is being read just now. */
  private reading: readonly Drawn[] = [];
  private dueAtMs = Number.POSITIVE_INFINITY;
  private readonly unrest = new Map<string, Unrest>();

  get isEmpty(): boolean {
    return this.areas.length === 0;
  }

  get drawn(): readonly Drawn[] {
    return [...this.reading, ...this.areas.map((bounds) => ({ bounds, sinceMs: this.sinceMs }))];
  }

  endReading(): void {
    this.reading = [];
  }

  /** When to reread; infinite if nothing was drawn. */
  get dueAt(): number {
    return this.dueAtMs;
  }

  add(area: Bounds, nowMs: number): void {
    if (this.isEmpty) this.sinceMs = Date.now();
    const { rests, lastAtMs } = this.unrest.get(placeOf(area)) ?? { rests: 0, lastAtMs: 0 };
    const restMs = rests < patience ? 0 : Math.min(longestRestMs, firstRestMs * 2 ** (rests - patience));
    this.dueAtMs = Math.min(this.dueAtMs, Math.max(nowMs, lastAtMs + restMs));
    const known = this.areas.findIndex((one) => intersect(one, area) !== undefined);
    const old = this.areas[known];
    if (old !== undefined) this.areas[known] = unite(old, area);
    else if (this.areas.length < maxAreas) this.areas.push(area);
    else this.areas = [[...this.areas, area].reduce(unite)];
  }

  take(): readonly Bounds[] {
    const { areas } = this;
    this.reading = areas.map((bounds) => ({ bounds, sinceMs: this.sinceMs }));
    this.areas = [];
    this.dueAtMs = Number.POSITIVE_INFINITY;
    return areas;
  }

  learn(areas: readonly Bounds[], hasChanged: boolean, nowMs: number): void {
    for (const area of areas) {
      const place = placeOf(area);
      const rests = hasChanged ? 0 : (this.unrest.get(place)?.rests ?? 0) + 1;
      this.unrest.delete(place);
      if (rests > 0) this.unrest.set(place, { rests, lastAtMs: nowMs });
    }
    for (const [place] of this.unrest) {
      if (this.unrest.size <= maxPlaces) break;
      this.unrest.delete(place);
    }
  }
}

function placeOf({ x, y, width, height }: Bounds): string {
  return [x, y, x + width, y + height].map((at) => Math.round(at / grain)).join(" ");
}
