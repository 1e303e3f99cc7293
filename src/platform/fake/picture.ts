import { type Bounds, containsPoint } from "../../model/bounds.ts";
import type { Picture } from "../../model/frame.ts";
import type { FakeWindow } from "./windows.ts";

const background = [0x20, 0x20, 0x20] as const;

/** Each window has its own colour, varied by position, so that a shift is noticed. */
export function paint(bounds: Bounds, frontToBack: readonly FakeWindow[]): Picture {
  const pixels = new Uint8Array(bounds.width * bounds.height * 4);
  let at = 0;
  for (let y = bounds.y; y < bounds.y + bounds.height; y += 1) {
    for (let x = bounds.x; x < bounds.x + bounds.width; x += 1, at += 4) {
      const window = frontToBack.find((one) => containsPoint(one.bounds, { x, y }));
      pixels.set(window === undefined ? background : colourOf(window, x, y), at);
    }
  }
  return { pixels, bounds };
}

/** Blue, green, red. */
function colourOf(window: FakeWindow, x: number, y: number): readonly [number, number, number] {
  return [(x - window.bounds.x) & 0xff, (y - window.bounds.y) & 0xff, (window.id * 53) & 0xff];
}
