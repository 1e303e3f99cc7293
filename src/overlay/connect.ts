import { type Bounds, centreOf, type Point } from "../model/bounds.ts";

export const routes = ["direct", "orthogonal"] as const;
export type Route = (typeof routes)[number];

/** Distance between a connector and the controls it goes around. */
const clearancePx = 16;

/** The corners of a connector, from the edge of one control to the edge of another. */
export function route(from: Bounds, to: Bounds, way: Route): readonly Point[] {
  return way === "direct" ? routeDirect(from, to) : routeOrthogonal(from, to);
}

function routeDirect(from: Bounds, to: Bounds): readonly Point[] {
  const [start, end] = [centreOf(from), centreOf(to)];
  const isSame = start.x === end.x && start.y === end.y;
  const towards = isSame ? { x: 1, y: 0 } : { x: end.x - start.x, y: end.y - start.y };
  return [leave(from, towards), leave(to, { x: -towards.x, y: -towards.y })];
}

/** Where a ray from the centre of a box crosses its edge. */
function leave(box: Bounds, { x, y }: Point): Point {
  const middle = centreOf(box);
  const edges = edgesOf(box);
  const reachX = x === 0 ? Number.POSITIVE_INFINITY : ((x > 0 ? edges.right : edges.left) - middle.x) / x;
  const reachY = y === 0 ? Number.POSITIVE_INFINITY : ((y > 0 ? edges.bottom : edges.top) - middle.y) / y;
  const reach = Math.min(reachX, reachY);
  return {
    x: clamp(Math.round(middle.x + x * reach), edges.left, edges.right),
    y: clamp(Math.round(middle.y + y * reach), edges.top, edges.bottom),
  };
}

/** The first route that fits; the last always does. */
function routeOrthogonal(from: Bounds, to: Bounds): readonly Point[] {
  const ways = [
    () => crossGap(from, to),
    () => crossGap(turn(from), turn(to))?.map(({ x, y }) => ({ x: y, y: x })),
    () => goAround(from, to),
  ];
  for (const way of ways) {
    const points = way();
    if (points !== undefined) return dropRepeats(points);
  }
  return [];
}

/** Side to side through the gap between the controls; undefined if there is none. */
function crossGap(from: Bounds, to: Bounds): readonly Point[] | undefined {
  const [a, b] = [edgesOf(from), edgesOf(to)];
  const isRight = a.right < b.left;
  if (!isRight && b.right >= a.left) return undefined;
  const [startX, endX] = isRight ? [a.right, b.left] : [a.left, b.right];
  const [startY, endY] = [centreOf(from).y, centreOf(to).y];
  const middleX = Math.round((startX + endX) / 2);
  return [
    { x: startX, y: startY },
    { x: middleX, y: startY },
    { x: middleX, y: endY },
    { x: endX, y: endY },
  ];
}

/** Out of the top of the first, around both, into the side of the second. */
function goAround(from: Bounds, to: Bounds): readonly Point[] {
  const [a, b] = [edgesOf(from), edgesOf(to)];
  const [startX, endY] = [centreOf(from).x, centreOf(to).y];
  const [top, right] = [Math.min(a.top, b.top) - clearancePx, Math.max(a.right, b.right) + clearancePx];
  return [
    { x: startX, y: a.top },
    { x: startX, y: top },
    { x: right, y: top },
    { x: right, y: endY },
    { x: b.right, y: endY },
  ];
}

export function findMiddle(points: readonly Point[]): Point {
  const pieces = points.slice(1).map((end, at) => {
    const start = points[at] ?? end;
    return { start, end, length: Math.hypot(end.x - start.x, end.y - start.y) };
  });
  let left = pieces.reduce((sum, { length }) => sum + length, 0) / 2;
  for (const { start, end, length } of pieces) {
    if (length > 0 && left <= length) {
      const part = left / length;
      return {
        x: Math.round(start.x + (end.x - start.x) * part),
        y: Math.round(start.y + (end.y - start.y) * part),
      };
    }
    left -= length;
  }
  return points[0] ?? { x: 0, y: 0 };
}

interface Edges {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The outermost pixels inside the box. */
function edgesOf({ x, y, width, height }: Bounds): Edges {
  return { left: x, top: y, right: x + Math.max(1, width) - 1, bottom: y + Math.max(1, height) - 1 };
}

function turn({ x, y, width, height }: Bounds): Bounds {
  return { x: y, y: x, width: height, height: width };
}

function dropRepeats(points: readonly Point[]): readonly Point[] {
  return points.filter((point, at) => {
    const before = points[at - 1];
    return before === undefined || before.x !== point.x || before.y !== point.y;
  });
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
