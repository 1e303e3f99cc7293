import type { Bounds, Size } from "../model/bounds.ts";
import type { Colour, Drawing } from "../model/drawing.ts";

const colour: Colour = "#b3261e";
const marginPx = 4;

/** Tells people on every monitor that something goes on that they must know of. */
export class Indicator {
  private readonly shown = new Map<symbol, string>();

  get isOn(): boolean {
    return this.shown.size > 0;
  }

  /** Returns a function that ends it. */
  add(text: string): () => void {
    const key = Symbol(text);
    this.shown.set(key, text);
    return () => void this.shown.delete(key);
  }

  clear(): void {
    this.shown.clear();
  }

  draw(monitors: readonly Bounds[], measure: (text: string) => Size): readonly Drawing[] {
    return monitors.flatMap((monitor, place) =>
      [...this.shown.values()].map((text, row): Drawing => {
        const { width, height } = measure(text);
        const x = monitor.x + Math.max(0, Math.round((monitor.width - width) / 2));
        const y = monitor.y + marginPx + row * (height + marginPx);
        return { key: `indicator ${place} ${row}`, colour, kind: "tag", bounds: { x, y, width, height }, text };
      }),
    );
  }
}
