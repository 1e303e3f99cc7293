import { centreOf } from "../model/bounds.ts";
import { type Element, flatten } from "../model/element.ts";
import { fail, type Result, succeed } from "../model/failure.ts";
import type { Order } from "../model/order.ts";
import { findBars } from "./bars.ts";
import type { Seen } from "./compare.ts";
import { confirm, type Judge } from "./judge.ts";
import type { Intent } from "./perform.ts";
import { prepareForPointer } from "./readiness.ts";
import { findPointIn, isInView, isReached, revealTarget } from "./reveal.ts";
import type { Stage } from "./stage.ts";
import type { Way } from "./ways.ts";

/** The pointer over a control. */
export function planHover(): Intent {
  const way: Way = {
    name: "pointer",
    refuse: () => undefined,
    take: async (stage) => {
      const point = await prepareForPointer(stage);
      return point.ok ? stage.deliver({ kind: "point", point: point.value }) : point;
    },
  };
  return {
    chain: [way],
    judge: (stage) => async () => {
      const pointer = await stage.desktop.platform.findPointer();
      const point = stage.element.clickPoint;
      const isThere = pointer.ok && point !== undefined && pointer.value.x === point.x && pointer.value.y === point.y;
      return isThere ? confirm("the pointer is over it") : undefined;
    },
    isRepeatable: true,
    isQuiet: true,
  };
}

/** Into view, by whatever scrolls it there. */
export function planScrollTo(): Intent {
  const way: Way = {
    name: "scrolling",
    refuse: () => undefined,
    take: async (stage) => {
      const shown = await revealTarget(stage);
      if (!shown.ok) return shown;
      stage.isDelivered = stage.preparations.length > 0;
      return succeed(undefined);
    },
  };
  return {
    chain: [way],
    judge:
      () =>
      ({ target }) =>
        target !== undefined && isInView(target) ? confirm("it is in view") : undefined,
    findDone: (element) => (isInView(element) ? "it already was in view" : undefined),
    isRepeatable: true,
    isQuiet: true,
  };
}

/** The wheel, over a control. Where nothing tells that it moved, its scroll bars do, which many applications hide. */
export function planScroll({ direction, amount }: Order & { readonly kind: "scroll" }): Intent {
  const way: Way = {
    name: "wheel",
    refuse: () => undefined,
    take: async (stage) => {
      const point = await findWheelPoint(stage);
      if (!point.ok) return point;
      stage.watch.take();
      return stage.deliver({ kind: "wheel", point: point.value, direction, amount });
    },
  };
  return { chain: [way], judge: judgeWithBars, isRepeatable: false };
}

async function judgeWithBars(stage: Stage): Promise<Judge> {
  const before = await findBars(stage);
  const seen = judgeScroll();
  return async (observation) => {
    const told = await seen(observation);
    if (told !== undefined) return told;
    const now = await findBars(stage);
    const moved = now.find((bar) => before.some((old) => old.handle === bar.handle && old.value !== bar.value));
    return moved && confirm(`the scroll bar stands at ${moved.value} now`);
  };
}

async function findWheelPoint(stage: Stage) {
  const point = stage.element.clickPoint ?? findPointIn(stage, stage.element);
  if (point === undefined) return prepareForPointer(stage);
  const reached = await isReached(stage, point);
  return reached.ok ? succeed(point) : reached;
}

/** The bar of what is scrolled: the control itself, or one beside it. */
export function planScrollPercent(percent: number, isHorizontal: boolean): Intent {
  const way: Way = {
    name: "scroll bar",
    refuse: () => undefined,
    take: async (stage): Promise<Result<void>> => {
      const wanted = isHorizontal ? "horizontal" : "vertical";
      const bars = stage.element.role === "scrollbar" ? [stage.element] : await findBars(stage);
      const bar = bars.find(({ states }) => states.has(wanted));
      if (bar !== undefined)
        return stage.deliver({ kind: "set-number", element: bar, value: percent, unit: "percent" });
      const suggestion = "scroll by --direction and --amount instead.";
      return fail(stage.describe("PATTERN_UNSUPPORTED", "it has no scroll bar that way", suggestion));
    },
  };
  return { chain: [way], judge: judgeWithBars, isRepeatable: true };
}

/** Something moved, came into view or left it, or a scroll bar stands elsewhere. */
export function judgeScroll(): Judge {
  return ({ before, after, comparison }) => {
    const moved = countMoved(before, after);
    if (moved > 0) return confirm(`${moved} ${moved === 1 ? "element" : "elements"} moved`);
    const came = comparison.appeared.length + comparison.gone.length;
    return came > 0 ? confirm(`${came} ${came === 1 ? "element" : "elements"} came into view or left it`) : undefined;
  };
}

function countMoved(before: Seen, after: Seen): number {
  const old = new Map(listElements(before).map((element) => [element.handle, element]));
  return listElements(after).filter((element) => {
    const previous = old.get(element.handle);
    if (previous === undefined) return false;
    if (element.role === "scrollbar" && element.value !== previous.value) return true;
    if (previous.bounds === undefined || element.bounds === undefined) return false;
    const [from, to] = [centreOf(previous.bounds), centreOf(element.bounds)];
    return from.x !== to.x || from.y !== to.y;
  }).length;
}

function listElements({ sight }: Seen): Element[] {
  return flatten(sight.snapshot.windows.flatMap(({ root }) => (root === undefined ? [] : [root])));
}
