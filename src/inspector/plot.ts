import type { Bounds } from "../model/bounds.ts";
import type { PastMoment } from "./element.ts";

export interface Plot {
  /** A step line, as an SVG path. */
  readonly path: string;
  readonly dots: readonly { readonly x: number; readonly y: number; readonly moment: PastMoment }[];
  /** The plot in words, for screen readers. */
  readonly words: string;
}

/** Confidence from 0 to 1 over time, within a box. */
export function layPlot(moments: readonly PastMoment[], { width, height }: Omit<Bounds, "x" | "y">): Plot {
  const times = moments.map(({ at }) => Date.parse(at));
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const span = Math.max(1, last - first);
  const dots = moments.map((moment, index) => ({
    x: round((Math.max(0, (times[index] ?? first) - first) / span) * width),
    y: round((1 - Math.min(1, Math.max(0, moment.confidence))) * height),
    moment,
  }));
  const steps = dots.map(({ x, y }, index) => (index === 0 ? `M${x} ${y}` : `H${x}V${y}`));
  return { path: steps.join(""), dots, words: describe(moments) };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function describe(moments: readonly PastMoment[]): string {
  const [first, last] = [moments[0], moments.at(-1)];
  if (first === undefined || last === undefined) return "Nothing is known of its past.";
  const all = moments.map(({ confidence }) => confidence);
  const range = `between ${Math.min(...all).toFixed(2)} and ${Math.max(...all).toFixed(2)}`;
  return `Confidence from ${first.confidence.toFixed(2)} to ${last.confidence.toFixed(2)}, ${range}.`;
}
