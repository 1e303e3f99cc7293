import type { Bounds } from "../model/bounds.ts";
import type { Picture } from "../model/frame.ts";
export function hashRegion(picture: Picture, bounds: Bounds): string {
  return `${picture.bounds.x}${bounds.x}`;
}
export function countDifferentBits(a: string, b: string): number {
  return a === b ? 0 : 64;
}
