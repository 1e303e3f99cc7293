import type { Point } from "../model/bounds.ts";

/** One command of SVG's path data with the numbers that it takes once. */
export interface Piece {
  readonly command: string;
  readonly numbers: readonly number[];
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Whether every point of an outline, those that only bend it too, is at most `times` a box away from that box. */
export function isWithinReach(pieces: readonly Piece[], size: Size, times: number): boolean {
  const isNear = ({ x, y }: Point): boolean => isIn(x, size.width, times) && isIn(y, size.height, times);
  let pen: Pen = { at: origin, start: origin, bend: undefined };
  for (const piece of pieces) {
    const step = follow(piece, pen);
    if (!step.passed.every(isNear)) return false;
    if (piece.command.toUpperCase() === "A" && !isRoundIn(piece.numbers, size, times)) return false;
    pen = step.pen;
  }
  return true;
}

interface Pen {
  readonly at: Point;
  /** Where Z goes back to. */
  readonly start: Point;
  /** The last point that bent a curve: S and T go on with its mirror image. */
  readonly bend: (Point & { readonly of: "cubic" | "quadratic" }) | undefined;
}

interface Step {
  readonly pen: Pen;
  readonly passed: readonly Point[];
}

const origin: Point = { x: 0, y: 0 };

function follow({ command, numbers }: Piece, { at, start, bend }: Pen): Step {
  const from = command === command.toLowerCase() ? at : origin;
  const pointAt = (index: number): Point => ({
    x: from.x + (numbers[index] ?? 0),
    y: from.y + (numbers[index + 1] ?? 0),
  });
  const go = (to: Point, bends: readonly Point[] = [], of?: "cubic" | "quadratic"): Step => {
    const last = bends.at(-1);
    const next = of === undefined || last === undefined ? undefined : { ...last, of };
    return { pen: { at: to, start, bend: next }, passed: [...bends, to] };
  };
  const mirror = (of: "cubic" | "quadratic"): Point =>
    bend?.of === of ? { x: 2 * at.x - bend.x, y: 2 * at.y - bend.y } : at;
  switch (command.toUpperCase()) {
    case "M": {
      const to = pointAt(0);
      return { pen: { at: to, start: to, bend: undefined }, passed: [to] };
    }
    case "H":
      return go({ x: from.x + (numbers[0] ?? 0), y: at.y });
    case "V":
      return go({ x: at.x, y: from.y + (numbers[0] ?? 0) });
    case "C":
      return go(pointAt(4), [pointAt(0), pointAt(2)], "cubic");
    case "S":
      return go(pointAt(2), [mirror("cubic"), pointAt(0)], "cubic");
    case "Q":
      return go(pointAt(2), [pointAt(0)], "quadratic");
    case "T":
      return go(pointAt(0), [mirror("quadratic")], "quadratic");
    case "A":
      return go(pointAt(5));
    case "Z":
      return go(start);
    default:
      return go(pointAt(0));
  }
}

/** A circle reaches as far as it is wide; one that is turned mixes both directions. */
function isRoundIn([radiusX = 0, radiusY = 0, turn = 0]: readonly number[], size: Size, times: number): boolean {
  const least = Math.min(size.width, size.height);
  const { width, height } = turn % 180 === 0 ? size : { width: least, height: least };
  return Math.abs(radiusX) <= times * width && Math.abs(radiusY) <= times * height;
}

function isIn(at: number, size: number, times: number): boolean {
  return at >= -times * size && at <= (times + 1) * size;
}
