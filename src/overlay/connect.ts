import { type Bounds, centreOf, containsBounds, containsPoint, type Point } from "../model/bounds.ts";

export const routes = ["clear", "direct", "orthogonal"] as const;
export type Route = (typeof routes)[number];

/** Distance between a connector and the controls it goes around. */
const clearancePx = 16;

interface Surroundings {
  /** Controls that it goes around, where there is a way. */
  readonly others: readonly Bounds[];
  /** Where it is seen. */
  readonly monitors: readonly Bounds[];
}

/** The corners of a connector, from the edge of one control to the edge of another. */
export function route(
  from: Bounds,
  to: Bounds,
  way: Route,
  { others, monitors }: Surroundings = { others: [], monitors: [] },
): readonly Point[] {
  const straight = routeDirect(from, to);
  if (way === "direct") return straight;
  const isApart = (one: Bounds): boolean =>
    ![from, to].some((end) => containsBounds(one, end) || containsBounds(end, one));
  const obstacles = others.filter(isApart);
  const struckStraight = way === "clear" ? countStruck(straight, obstacles) : Number.POSITIVE_INFINITY;
  if (struckStraight === 0) return straight;
  const bent = routeInAngles(from, to, obstacles, monitors);
  return countStruck(bent, obstacles) < struckStraight ? bent : straight;
}

function routeInAngles(
  from: Bounds,
  to: Bounds,
  obstacles: readonly Bounds[],
  monitors: readonly Bounds[],
): readonly Point[] {
  const usual = routeOrthogonal(from, to);
  const struck = obstacles.filter((one) => isStruck(usual, one));
  if (struck.length === 0) return usual;
  const isSeen = (point: Point): boolean => monitors.some((monitor) => containsPoint(monitor, point));
  const detours = listDetours(from, to, struck).filter((points) => points.every(isSeen));
  return chooseClearest(usual, detours, obstacles, [from, to]);
}

/** The route that strikes through the fewest controls; of several, the shortest; the usual one if none is better. */
function chooseClearest(
  usual: readonly Point[],
  detours: readonly (readonly Point[])[],
  obstacles: readonly Bounds[],
  ends: readonly Bounds[],
): readonly Point[] {
  let best = { points: usual, struck: countStruck(usual, obstacles), length: Number.POSITIVE_INFINITY };
  for (const points of detours) {
    const length = measure(points);
    const struck = countStruck(points, obstacles);
    const isBetter = struck < best.struck || (struck === best.struck && best.points !== usual && length < best.length);
    if (isBetter && countStruck(points, ends) === 0) best = { points, struck, length };
  }
  return best.points;
}

function countStruck(points: readonly Point[], boxes: readonly Bounds[]): number {
  return boxes.filter((box) => isStruck(points, box)).length;
}

/** Whether a line crosses a box, its edges apart. */
function isStruck(points: readonly Point[], box: Bounds): boolean {
  const { left, top, right, bottom } = edgesOf(box);
  return points.slice(1).some((end, at) => {
    const start = points[at] ?? end;
    const [enterX, leaveX] = findPassage(start.x, end.x, left, right);
    const [enterY, leaveY] = findPassage(start.y, end.y, top, bottom);
    return Math.max(enterX, enterY, 0) < Math.min(leaveX, leaveY, 1);
  });
}

/** Between which parts of the way from start to end a coordinate is within two limits. */
function findPassage(start: number, end: number, low: number, high: number): readonly [number, number] {
  if (start === end) return start > low && start < high ? [0, 1] : [1, 0];
  const [one, other] = [(low - start) / (end - start), (high - start) / (end - start)];
  return [Math.min(one, other), Math.max(one, other)];
}

const stubPx = 6;

interface Port {
  readonly at: Point;
  /** A little outside. */
  readonly stub: Point;
}

function listPorts(box: Bounds): readonly Port[] {
  const { left, top, right, bottom } = edgesOf(box);
  const { x, y } = centreOf(box);
  return [
    { at: { x: right, y }, stub: { x: right + stubPx, y } },
    { at: { x, y: bottom }, stub: { x, y: bottom + stubPx } },
    { at: { x: left, y }, stub: { x: left - stubPx, y } },
    { at: { x, y: top }, stub: { x, y: top - stubPx } },
  ];
}

/** Every way out of one control and into the other: with one corner between, or two, in the middle or beside what is struck. */
function listDetours(from: Bounds, to: Bounds, struck: readonly Bounds[]): readonly (readonly Point[])[] {
  const beside = struck.map(edgesOf);
  const columns = beside.flatMap(({ left, right }) => [left - stubPx, right + stubPx]);
  const rows = beside.flatMap(({ top, bottom }) => [top - stubPx, bottom + stubPx]);
  return listPorts(from).flatMap(({ at: start, stub: a }) =>
    listPorts(to).flatMap(({ at: end, stub: b }) => {
      const [middleX, middleY] = [Math.round((a.x + b.x) / 2), Math.round((a.y + b.y) / 2)];
      const acrossX = [a.x, b.x, middleX, ...columns].map((x) => [x, a.y, x, b.y] as const);
      const acrossY = [middleY, ...rows].map((y) => [a.x, y, b.x, y] as const);
      return [...acrossX, ...acrossY].map(([x1, y1, x2, y2]) =>
        dropRepeats([start, a, { x: x1, y: y1 }, { x: x2, y: y2 }, b, end]),
      );
    }),
  );
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

function measure(points: readonly Point[]): number {
  return points.slice(1).reduce((sum, end, at) => {
    const start = points[at] ?? end;
    return sum + Math.abs(end.x - start.x) + Math.abs(end.y - start.y);
  }, 0);
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
