import { type Bounds, centreOf, containsPoint, intersect, type Point } from "../model/bounds.ts";
import type { Direction } from "../model/command.ts";
import { type Element, listWithPaths } from "../model/element.ts";
import { type Result, succeed } from "../model/failure.ts";
import { nameElement } from "../model/observed.ts";
import { entryRoles, type Role } from "../model/role.ts";
import type { Attempt } from "./attempt.ts";

const stillMs = 30;
const unrestMs = 300;
/** Hundreds of rows take a few dozen turns; an endless list is given up. */
const maxTurns = 60;
const wheelSteps = 3;
const maxClicks = 200;

const scrollers: ReadonlySet<Role> = new Set<Role>(["scroll", "list", "tree", "table", "document", "web", "tablist"]);

export function isInView({ clickPoint, states }: Element): boolean {
  return clickPoint !== undefined && !states.has("hidden");
}

type Reveal = (attempt: Attempt) => Promise<Result<void>>;

/** The quickest first. The focus may move the selection, as the press does that follows. */
const forPress: readonly Reveal[] = [byAsking, byFocusing, byBar, byWheel];
/** Nothing but the place may change. */
export const forSight: readonly Reveal[] = [byAsking, byBar, byWheel];

/** Scrolls a control into view: through accessibility, else by focus, scroll bar or wheel. Returns whether it is in view. */
export async function revealTarget(attempt: Attempt, ways = forPress): Promise<Result<boolean>> {
  for (const reveal of ways) {
    if (isInView(attempt.element)) return succeed(true);
    const tried = await reveal(attempt);
    if (!tried.ok) return tried;
  }
  return succeed(isInView(attempt.element));
}

async function byAsking(attempt: Attempt): Promise<Result<void>> {
  const { element } = attempt;
  return lookAfter(
    attempt,
    await attempt.prepare({ kind: "reveal", element }, `${nameElement(element)} was scrolled to`),
  );
}

/** Lists scroll to the entry that gets the focus. */
async function byFocusing(attempt: Attempt): Promise<Result<void>> {
  const { element } = attempt;
  if (!entryRoles.has(element.role) || !element.states.has("focusable")) return succeed(undefined);
  return lookAfter(attempt, await attempt.prepare({ kind: "focus", element }, `${nameElement(element)} got the focus`));
}

async function lookAfter(attempt: Attempt, done: Result<void>): Promise<Result<void>> {
  if (!done.ok) return done.failure.code === "PATTERN_UNSUPPORTED" ? succeed(undefined) : done;
  await attempt.watch.waitForStillness(stillMs, unrestMs);
  const again = await attempt.lookAgain();
  return again.ok ? succeed(undefined) : again;
}

/** Moves the scroll bar to the entry's share of the list; the wheel does the rest. */
async function byBar(attempt: Attempt): Promise<Result<void>> {
  const share = findShare(attempt);
  if (share === undefined) return succeed(undefined);
  const bar = (await findScrollBars(attempt)).find(({ states }) => states.has("vertical"));
  if (bar === undefined) return succeed(undefined);
  const command = { kind: "set-number" as const, element: bar, value: share * 100, unit: "percent" as const };
  return lookAfter(attempt, await attempt.prepare(command, "its scroll bar was moved"));
}

/** The scroll bars of a control, including hidden ones: those of the nearest container that has any. */
export async function findScrollBars(attempt: Attempt): Promise<readonly Element[]> {
  const snapshot = await attempt.readWindow(true);
  const root = snapshot.ok ? snapshot.value.windows[0]?.root : undefined;
  const placed = listWithPaths(root).find((one) => one.element.handle === attempt.element.handle);
  for (const box of placed === undefined ? [] : [placed.element, ...placed.ancestors.toReversed()]) {
    const inner = [...box.children, ...box.children.flatMap(({ children }) => children)];
    const bars = inner.filter(({ role }) => role === "scrollbar");
    if (bars.length > 0) return bars;
  }
  return [];
}

/** The position of an entry in its list, 0 to 1; undefined outside of lists. */
function findShare(attempt: Attempt): number | undefined {
  const ranks = rankInList(attempt);
  return ranks === undefined || ranks.count < 2 ? undefined : ranks.index / (ranks.count - 1);
}

/** The index of an entry among its siblings, and the visible range. */
function rankInList({ sighting }: Attempt) {
  const { element, ancestors } = sighting.placed;
  const chain = [...ancestors, element];
  const at = chain.findLastIndex(({ role }) => entryRoles.has(role));
  const [entry, list] = [chain[at], chain[at - 1]];
  if (entry === undefined || list === undefined) return undefined;
  const index = list.children.findIndex(({ handle }) => handle === entry.handle);
  const shown = list.children.flatMap(({ states }, place) => (states.has("hidden") ? [] : [place]));
  return { index, count: list.children.length, first: shown[0], last: shown.at(-1) };
}

/** Turns the wheel over the scrolling container as long as the control comes nearer. */
async function byWheel(attempt: Attempt): Promise<Result<void>> {
  let amount = wheelSteps;
  for (let turn = 0; turn < maxTurns && !isInView(attempt.element); turn += 1) {
    const way = measureWay(attempt);
    const frame = findScroller(attempt);
    const point = frame && findPointIn(attempt, frame);
    if (way === undefined || point === undefined) return succeed(undefined);
    const { direction } = way;
    const reached = await ensureOnTop(attempt, point);
    if (!reached.ok) return reached;
    const turned = await attempt.prepare(
      { kind: "wheel", point, direction, amount },
      `the wheel was turned ${direction}`,
    );
    if (!turned.ok) return turned;
    await attempt.watch.waitForSign(unrestMs);
    await attempt.watch.waitForStillness(stillMs, unrestMs);
    const again = await attempt.lookAgain();
    if (!again.ok) return again;
    const left = measureWay(attempt);
    const gain = left?.unit === way.unit && left.direction === direction ? way.rest - left.rest : 0;
    if (left === undefined || (gain <= 0 && left.direction === direction)) return succeed(undefined);
    // Slightly fewer clicks than the rest takes, so as not to overshoot.
    amount = gain <= 0 ? 1 : Math.min(maxClicks, Math.max(1, Math.floor((left.rest * amount * 0.9) / gain)));
  }
  return succeed(undefined);
}

interface Distance {
  readonly direction: Direction;
  readonly rest: number;
  readonly unit: "pixels" | "entries";
}

/** The distance to the visible part: in pixels if the position is known, else in list entries. */
function measureWay(attempt: Attempt): Distance | undefined {
  const frame = findScroller(attempt)?.bounds;
  const { bounds } = attempt.element;
  const direction = frame && bounds && findDirection(frame, bounds);
  if (frame !== undefined && bounds !== undefined && direction !== undefined) {
    const [here, there] = [centreOf(frame), centreOf(bounds)];
    return { direction, rest: Math.abs(there.y - here.y) + Math.abs(there.x - here.x), unit: "pixels" };
  }
  const ranks = rankInList(attempt);
  if (ranks?.first === undefined || ranks.last === undefined) return undefined;
  if (ranks.index > ranks.last) return { direction: "down", rest: ranks.index - ranks.last, unit: "entries" };
  if (ranks.index < ranks.first) return { direction: "up", rest: ranks.first - ranks.index, unit: "entries" };
  return undefined;
}

/** The container that shows part of its content; a list itself may be as long as all its entries. */
function findScroller({ sighting }: Attempt): Element | undefined {
  const shown = sighting.placed.ancestors.filter(({ bounds, states }) => bounds !== undefined && !states.has("hidden"));
  return shown.findLast(({ role }) => role === "scroll") ?? shown.findLast(({ role }) => scrollers.has(role));
}

function findDirection(frame: Bounds, target: Bounds): Direction | undefined {
  if (target.y < frame.y) return "up";
  if (target.y + target.height > frame.y + frame.height) return "down";
  if (target.x < frame.x) return "left";
  return target.x + target.width > frame.x + frame.width ? "right" : undefined;
}

/** The middle of its visible part. */
export function findPointIn({ window }: Attempt, { bounds }: Element): Point | undefined {
  const seen = bounds && intersect(bounds, window.bounds);
  return seen && centreOf(seen);
}

/** The wheel acts on what is under the pointer: brings the window to the front if another one is there. */
export async function ensureOnTop(attempt: Attempt, point: Point): Promise<Result<void>> {
  const top = await attempt.desktop.platform.findWindowAt(point);
  if (!top.ok) return top;
  if (top.value?.id === attempt.window.id) return succeed(undefined);
  const raised = await attempt.bringToFront();
  if (!raised.ok) return raised;
  const again = await attempt.desktop.platform.findWindowAt(point);
  if (!again.ok) return again;
  if (again.value?.id === attempt.window.id && containsPoint(attempt.window.bounds, point)) return succeed(undefined);
  return attempt.refuse("COVERED", `something covers ${nameElement(attempt.element)}`, "move or close it.");
}
