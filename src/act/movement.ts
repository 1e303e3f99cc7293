import { centreOf } from "../model/bounds.ts";
import { type Result, succeed } from "../model/failure.ts";
import type { Order } from "../model/order.ts";
import { listElements } from "../model/snapshot.ts";
import type { Attempt } from "./attempt.ts";
import type { Seen } from "./compare.ts";
import { confirm, type Judge } from "./judge.ts";
import type { Intent } from "./perform.ts";
import { prepareForPointer } from "./readiness.ts";
import { ensureOnTop, findPointIn, findScrollBars, forSight, isInView, revealTarget } from "./reveal.ts";
import type { Way } from "./ways.ts";

/** Moves the pointer over a control. */
export function planHover(): Intent {
  const way: Way = {
    name: "pointer",
    take: async (attempt) => {
      const point = await prepareForPointer(attempt);
      return point.ok ? attempt.deliver({ kind: "point", point: point.value }) : point;
    },
  };
  return {
    chain: [way],
    judge: (attempt) => async () => {
      const pointer = await attempt.desktop.platform.findPointer();
      const point = attempt.element.clickPoint;
      const isThere = pointer.ok && point !== undefined && pointer.value.x === point.x && pointer.value.y === point.y;
      return isThere ? confirm("the pointer is over it") : undefined;
    },
    isRepeatable: true,
    isQuiet: true,
  };
}

/** Scrolls a control into view. */
export function planScrollTo(): Intent {
  const way: Way = {
    name: "scrolling",
    take: async (attempt) => {
      const shown = await revealTarget(attempt, forSight);
      if (!shown.ok) return shown;
      attempt.isDelivered = attempt.preparations.length > 0;
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

/** Turns the wheel over a control. If nothing reports a move, its scroll bars do; many applications hide them. */
export function planScroll({ direction, amount }: Order & { readonly kind: "scroll" }): Intent {
  const way: Way = {
    name: "wheel",
    take: async (attempt) => {
      const point = await findWheelPoint(attempt);
      if (!point.ok) return point;
      attempt.watch.take();
      return attempt.deliver({ kind: "wheel", point: point.value, direction, amount });
    },
  };
  return { chain: [way], judge: judgeWithBars, isRepeatable: false };
}

async function judgeWithBars(attempt: Attempt): Promise<Judge> {
  const before = await findScrollBars(attempt);
  const seen = judgeScroll;
  return async (observation) => {
    const told = await seen(observation);
    if (told !== undefined) return told;
    const now = await findScrollBars(attempt);
    const moved = now.find((bar) => before.some((old) => old.handle === bar.handle && old.value !== bar.value));
    return moved && confirm(`the scroll bar is at ${moved.value} now`);
  };
}

async function findWheelPoint(attempt: Attempt) {
  const point = attempt.element.clickPoint ?? findPointIn(attempt, attempt.element);
  if (point === undefined) return prepareForPointer(attempt);
  const reached = await ensureOnTop(attempt, point);
  return reached.ok ? succeed(point) : reached;
}

/** Sets the scroll bar: the control itself, or one beside it. */
export function planScrollPercent(percent: number, isHorizontal: boolean): Intent {
  const way: Way = {
    name: "scroll bar",
    take: async (attempt): Promise<Result<void>> => {
      const wanted = isHorizontal ? "horizontal" : "vertical";
      const bars = attempt.element.role === "scrollbar" ? [attempt.element] : await findScrollBars(attempt);
      const bar = bars.find(({ states }) => states.has(wanted));
      if (bar !== undefined)
        return attempt.deliver({ kind: "set-number", element: bar, value: percent, unit: "percent" });
      const suggestion = "scroll by --direction and --amount instead.";
      return attempt.refuse("PATTERN_UNSUPPORTED", "it has no scroll bar that way", suggestion);
    },
  };
  return { chain: [way], judge: judgeWithBars, isRepeatable: true };
}

/** Confirmed if an element moved, came into view or left it, or a scroll bar has another value. */
export const judgeScroll: Judge = ({ before, after, comparison }) => {
  const moved = countMoved(before, after);
  if (moved > 0) return confirm(`${moved} ${moved === 1 ? "element" : "elements"} moved`);
  const came = comparison.appeared.length + comparison.gone.length;
  return came > 0 ? confirm(`${came} ${came === 1 ? "element" : "elements"} came into view or left it`) : undefined;
};

function countMoved(before: Seen, after: Seen): number {
  const old = new Map(listElements(before.snapshot.windows).map((element) => [element.handle, element]));
  return listElements(after.snapshot.windows).filter((element) => {
    const previous = old.get(element.handle);
    if (previous === undefined) return false;
    if (element.role === "scrollbar" && element.value !== previous.value) return true;
    if (previous.bounds === undefined || element.bounds === undefined) return false;
    const [from, to] = [centreOf(previous.bounds), centreOf(element.bounds)];
    return from.x !== to.x || from.y !== to.y;
  }).length;
}
